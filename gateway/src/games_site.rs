//! The games' origins: the built games under `/play/{slug}/`, each at a host of its own.
//!
//! A game can neither read the storage of the app or of another game nor call the API in a player's
//! name. Its page opens in a frame of the app. The gateway writes the app's origin into each game's
//! page.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    response::{IntoResponse as _, Redirect, Response},
};
use http::{
    HeaderMap, HeaderValue, Method, StatusCode, Uri,
    header::{
        ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
        USER_AGENT, VARY,
    },
    uri::{Authority, PathAndQuery},
};
use mesh::call::Call;
use percent_encoding::percent_decode_str;
use proto::games::v1::GetRulesRequest;
use quick_cache::sync::Cache;
use tokio::net::TcpListener;
use tracing::info;

use crate::{
    Gateway,
    config::GamesArgs,
    edge::EdgeLayer,
    static_files::{FOR_EVER, NO_STORE, REVALIDATE, StaticFiles},
};

/// Largest total size of all games, in bytes.
const LIMIT: usize = 64 << 20;
/// The tag of a game's page that gets the app's origin.
const APP_ORIGIN: &str = r#"<meta name="playon-origin" content="">"#;
const WASM: HeaderValue = HeaderValue::from_static("application/wasm");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");

/// Most rules modules of other versions that are kept; each is 1 MiB at most.
const RULES_KEPT: usize = 32;
/// Longest that svc-games may take to send a rules module.
const RULES_LIMIT: Duration = Duration::from_secs(5);

struct GamesSite {
    gateway: Gateway,
    files: StaticFiles,
    policy: HeaderValue,
    /// The policy for browsers that do not know `'wasm-unsafe-eval'`.
    older_policy: HeaderValue,
    /// Rules modules of other versions, by their hash.
    rules: Cache<String, Bytes>,
}

/// Binds the port of the games' origin, if this process serves it.
pub(crate) fn listen(args: &GamesArgs) -> anyhow::Result<Option<TcpListener>> {
    let Some(addr) = args.listen else { return Ok(None) };
    mesh::listen(addr)
        .map(Some)
        .with_context(|| format!("the games' origin cannot listen on {addr}: is the port in use?"))
}

/// Reads the games, and serves them.
pub(crate) fn router(gateway: &Gateway) -> anyhow::Result<Router> {
    let args = gateway.args();
    let app = origin(&args.public_url);
    let caching = |path: &str| if path.contains("/assets/") { FOR_EVER } else { REVALIDATE };
    let mut files = StaticFiles::load(&args.games.root, LIMIT, caching)?;
    let meta = format!(r#"<meta name="playon-origin" content="{app}">"#);
    for (_, page) in files.iter_mut().filter(|(path, _)| path.ends_with("/index.html")) {
        let html = String::from_utf8_lossy(page.bytes()).replacen(APP_ORIGIN, &meta, 1);
        page.replace(html.into_bytes().into());
    }
    info!(files = files.len(), "the games were read into memory");
    let site = GamesSite {
        gateway: gateway.clone(),
        files,
        policy: policy(&app, "'wasm-unsafe-eval'")?,
        older_policy: policy(&app, "'unsafe-eval'")?,
        rules: Cache::new(RULES_KEPT),
    };
    Ok(Router::new().fallback(respond).layer(EdgeLayer::new(gateway)).with_state(Arc::new(site)))
}

/// The content security policy of a game's page: the page may run its rules, which are WebAssembly,
/// draw, and send its scores to the app.
fn policy(app: &str, webassembly: &str) -> anyhow::Result<HeaderValue> {
    let policy = format!(
        "default-src 'none'; script-src 'self' {webassembly}; style-src 'self'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self' {app}; worker-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {app}"
    );
    Ok(HeaderValue::try_from(policy)?)
}

/// Scheme, host and port of a URL.
fn origin(url: &Uri) -> String {
    let scheme = url.scheme_str().unwrap_or("https");
    format!("{scheme}://{}", url.authority().map_or("", |authority| authority.as_str()))
}

async fn respond(State(site): State<Arc<GamesSite>>, request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    if !matches!(*method, Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET,HEAD")]).into_response();
    }
    let Some(game) = path.strip_prefix("/play") else { return missing() };
    if let Some(own) = site.own_origin(game, &request) {
        let path = request.uri().path_and_query().map_or(path, PathAndQuery::as_str);
        return Redirect::temporary(&format!("{own}{path}")).into_response();
    }
    let page = format!("{game}index.html");
    let file = site.files.find(if game.ends_with('/') { &page } else { game });
    let Some(file) = file.filter(|_| !is_manifest(game)) else {
        // `/play/ajua` is the folder of a page whose links are relative.
        return match site.files.find(&format!("{game}/index.html")) {
            Some(_) => Redirect::permanent(&format!("{path}/")).into_response(),
            None => missing(),
        };
    };
    // Tickets and runs name their rules by the hash, so the bytes under a hash never change.
    let named = request.uri().query().filter(|_| game.ends_with("/rules.wasm"));
    let mut response = match named.filter(|hash| is_sha256(hash)) {
        Some(hash) if hash == hex::encode(file.sha256()) => {
            let mut response = file.respond(method, request.headers());
            response.headers_mut().insert(CACHE_CONTROL, FOR_EVER);
            response
        }
        Some(hash) => match site.other_rules(hash).await {
            Some(module) => {
                ([(CACHE_CONTROL, FOR_EVER), (CONTENT_TYPE, WASM)], module).into_response()
            }
            None => return missing(),
        },
        None => file.respond(method, request.headers()),
    };
    let policy = if needs_eval(request.headers()) { &site.older_policy } else { &site.policy };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
    headers.append(VARY, HeaderValue::from_name(USER_AGENT));
    headers.insert(REFERRER_POLICY, NO_REFERRER);
    response
}

impl GamesSite {
    /// The origin of the game whose file was asked for at another host: a page or a script of one
    /// game must not run in the origin of another one.
    fn own_origin(&self, game: &str, request: &Request) -> Option<String> {
        let decoded = percent_decode_str(game).decode_utf8().ok()?;
        let slug = decoded.strip_prefix('/')?.split('/').next()?;
        let games = &self.gateway.args().games.origin;
        // HTTP/2 has the host in the URI.
        let named = request.headers().get(HOST).and_then(|host| host.to_str().ok());
        let host = request.uri().authority().map(Authority::as_str).or(named);
        let is_own = host == Some(&games.authority(slug));
        let is_game = self.files.find(&format!("/{slug}/index.html")).is_some();
        (is_game && !is_own).then(|| games.of(slug))
    }

    /// The module of another version than the built one, which svc-games keeps for the
    /// sessions and runs that were begun with it.
    async fn other_rules(&self, hash: &str) -> Option<Bytes> {
        if let Some(module) = self.rules.get(hash) {
            return Some(module);
        }
        let request = GetRulesRequest { sha256: hash.to_owned() };
        let mut games = self.gateway.upstreams().games();
        let reply = Call::new(RULES_LIMIT, None).run(games.get_rules(request)).await;
        let module = Bytes::from(reply.ok()?.into_inner().module);
        self.rules.insert(hash.to_owned(), module.clone());
        Some(module)
    }
}

/// Whether a browser compiles WebAssembly only where `'unsafe-eval'` is allowed: Chrome did before its
/// version 97, and Safari before 16. Other browsers get the stricter policy.
fn needs_eval(headers: &HeaderMap) -> bool {
    let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
    let user_agent = user_agent.unwrap_or_default();
    let version = |name: &str| -> Option<u32> {
        let (_, rest) = user_agent.split_once(name)?;
        rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
    };
    match version("Chrome/") {
        Some(chrome) => chrome < 97,
        // Other browsers of an iPhone name its system alone.
        None => version("Version/").or_else(|| version("OS ")).is_some_and(|safari| safari < 16),
    }
}

/// Whether a text is 64 lower-case hexadecimal digits.
fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a path is an operator's document, which lies beside the built files.
fn is_manifest(path: &str) -> bool {
    path.rsplit('.').next() == Some("yaml")
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, [(CACHE_CONTROL, NO_STORE)]).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_before_chrome_97_and_safari_16_need_eval() {
        let android = "Mozilla/5.0 (Linux; Android 7.0) AppleWebKit/537.36 (KHTML, like Gecko)";
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15";
        for (user_agent, expected) in [
            (format!("{android} Chrome/92.0.4515.159 Mobile Safari/537.36"), true),
            (format!("{android} Version/4.0 Chrome/96.0.4664.45 Mobile Safari/537.36"), true),
            (format!("{android} Version/4.0 Chrome/97.0.4692.70 Mobile Safari/537.36"), false),
            (format!("{iphone} Version/15.6 Mobile/15E148 Safari/604.1"), true),
            (format!("{iphone} Version/16.0 Mobile/15E148 Safari/604.1"), false),
            (format!("{iphone} CriOS/103.0.5060.63 Mobile/15E148 Safari/604.1"), true),
            ("Mozilla/5.0 (Android 13; Mobile; rv:115.0) Gecko/115.0 Firefox/115.0".into(), false),
            (String::new(), false),
        ] {
            let value = HeaderValue::from_str(&user_agent).unwrap();
            let headers = HeaderMap::from_iter([(USER_AGENT, value)]);
            assert_eq!(needs_eval(&headers), expected, "{user_agent}");
        }
    }
}

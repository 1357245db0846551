//! The cookie that binds an attempt to the browser it began in. Without it, a link with
//! somebody else's code would sign its reader in to somebody else's account.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, Uri, header::COOKIE};
use sha2::{Digest as _, Sha256};

use super::destination::Destination;

/// Seen by no other call, and no script.
const PATH: &str = "/api/auth/oauth";
/// As long as svc-auth lets an attempt live.
const MAX_AGE: Duration = Duration::minutes(10);

/// A sign-in that went to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attempt {
    /// What svc-auth wants to see again.
    pub(super) browser_secret: String,
    /// Where it shall end.
    pub(super) destination: Destination,
}

impl Attempt {
    /// What the browser keeps: one cookie for each attempt, because two tabs may try at
    /// the same time.
    pub(super) fn cookie(&self, state: &str, origin: &Uri) -> Cookie<'static> {
        let mut value = BASE64.encode(&self.browser_secret);
        if let Destination::Page(path) = &self.destination {
            value = format!("{value}.{}", BASE64.encode(path));
        }
        cookie(state, value, origin, MAX_AGE)
    }

    /// The attempt of a state, if this browser made it.
    pub(super) fn find(headers: &HeaderMap, state: &str) -> Option<Self> {
        let name = name(state);
        let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
        let found = cookies.find(|cookie| cookie.name() == name)?;
        let (secret, path) = match found.value().split_once('.') {
            Some((secret, path)) => (secret, Some(path)),
            None => (found.value(), None),
        };
        let destination = match path {
            None => Destination::Opener,
            // A cookie is anybody's word who could set one for this host.
            Some(path) => Destination::page(&decode(path)?)?,
        };
        Some(Self { browser_secret: decode(secret)?, destination })
    }
}

/// Takes the cookie away again.
pub(super) fn over(state: &str, origin: &Uri) -> Cookie<'static> {
    cookie(state, String::new(), origin, Duration::ZERO)
}

fn cookie(state: &str, value: String, origin: &Uri, max_age: Duration) -> Cookie<'static> {
    Cookie::build((name(state), value))
        .path(PATH)
        .http_only(true)
        // Lax: it must come along when the provider sends the browser back.
        .same_site(SameSite::Lax)
        .secure(origin.scheme_str() == Some("https"))
        .max_age(max_age)
        .build()
}

/// The state is svc-auth's, and of any form; a cookie's name is not.
fn name(state: &str) -> String {
    let hash = Sha256::digest(state);
    format!("playon-oauth-{}", BASE64.encode(&hash[..12]))
}

fn decode(text: &str) -> Option<String> {
    String::from_utf8(BASE64.decode(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &'static str) -> Uri {
        Uri::from_static(text)
    }

    fn sent(cookies: &[&Cookie<'_>]) -> HeaderMap {
        let line: Vec<_> = cookies.iter().map(|cookie| cookie.stripped().to_string()).collect();
        HeaderMap::from_iter([(COOKIE, line.join("; ").parse().unwrap())])
    }

    fn attempt(secret: &str, destination: Destination) -> Attempt {
        Attempt { browser_secret: secret.to_owned(), destination }
    }

    #[test]
    fn each_state_finds_its_own_attempt() {
        let popup = attempt("odd; secret=\u{1f511}", Destination::Opener);
        let redirect = attempt("b", Destination::page("/games?x=1;y").unwrap());
        let http = origin("http://127.0.0.1:8080");
        let cookies = (popup.cookie("one", &http), redirect.cookie("two", &http));
        let headers = sent(&[&cookies.0, &cookies.1]);
        assert_eq!(Attempt::find(&headers, "one"), Some(popup));
        assert_eq!(Attempt::find(&headers, "two"), Some(redirect));
        assert_eq!(Attempt::find(&headers, "three"), None);
        assert_eq!(Attempt::find(&headers, ""), None);
    }

    #[test]
    fn the_cookie_is_kept_from_everybody_else() {
        let made = attempt("s", Destination::Opener);
        let cookie = made.cookie("one", &origin("https://playon.example")).to_string();
        for part in
            ["; HttpOnly", "; SameSite=Lax", "; Secure", "; Path=/api/auth/oauth", "; Max-Age=600"]
        {
            assert!(cookie.contains(part), "{part}");
        }
        let cookie = made.cookie("one", &origin("http://127.0.0.1:8080")).to_string();
        assert!(!cookie.contains("Secure"));
        assert!(over("one", &origin("http://127.0.0.1:8080")).to_string().contains("Max-Age=0"));
    }

    #[test]
    fn a_cookie_that_somebody_else_set_leads_nowhere_else() {
        for path in ["//evil.example", "https://evil.example", "/\\evil.example", ""] {
            let forged =
                Cookie::new(name("one"), format!("{}.{}", BASE64.encode("s"), BASE64.encode(path)));
            assert_eq!(Attempt::find(&sent(&[&forged]), "one"), None, "{path}");
        }
        let nonsense = Cookie::new(name("one"), "%%%");
        assert_eq!(Attempt::find(&sent(&[&nonsense]), "one"), None);
    }
}

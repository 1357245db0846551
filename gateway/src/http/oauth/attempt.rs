//! The cookie that binds an attempt to the browser in which it began. Without it, a link
//! with an attacker's code would sign its reader in to the attacker's account.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, Uri};
use mesh::Language;
use sha2::{Digest as _, Sha256};

use super::destination::Destination;
use crate::http::cookies::{self, is_secure};

/// The cookie's path without https, so that the cookie is sent with no other call.
const PATH: &str = "/api/auth/oauth";
/// How long an attempt is valid, as in svc-auth.
const MAX_AGE: Duration = Duration::minutes(10);

/// A sign-in that went to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attempt {
    /// The secret that svc-auth compares with its own.
    pub(super) browser_secret: String,
    /// The page where the browser goes at the end.
    pub(super) destination: Destination,
    /// The language of the sign-in's last page. The provider sends the browser back with the
    /// browser's language, not with the language that was chosen in the app.
    pub(super) language: Language,
}

impl Attempt {
    /// The attempt's cookie. Each attempt has its own, because two tabs may sign in at the same
    /// time.
    pub(super) fn cookie(&self, state: &str, origin: &Uri) -> Cookie<'static> {
        let mut value = BASE64.encode(&self.browser_secret);
        if let Destination::Page(path) = &self.destination {
            value = format!("{value}.{}", BASE64.encode(path));
        }
        let value = format!("{value}~{}", self.language.tag());
        cookie(state, value, origin, MAX_AGE)
    }

    /// The attempt of a state, if it began in this browser.
    pub(super) fn find(headers: &HeaderMap, state: &str, origin: &Uri) -> Option<Self> {
        let found = cookies::find(headers, &name(state, origin))?;
        let (value, language) = match found.split_once('~') {
            Some((value, tag)) => (value, Language::named(tag)?),
            // A gateway of the previous release set the cookie.
            None => (found.as_str(), Language::default()),
        };
        let (secret, path) = match value.split_once('.') {
            Some((secret, path)) => (secret, Some(path)),
            None => (value, None),
        };
        let destination = match path {
            None => Destination::Opener,
            // The path is validated again, because another site of the same domain may have set the
            // cookie.
            Some(path) => Destination::page(&decode(path)?)?,
        };
        Some(Self { browser_secret: decode(secret)?, destination, language })
    }
}

/// Removes the cookie of an attempt.
pub(super) fn removal(state: &str, origin: &Uri) -> Cookie<'static> {
    cookie(state, String::new(), origin, Duration::ZERO)
}

fn cookie(state: &str, value: String, origin: &Uri, max_age: Duration) -> Cookie<'static> {
    Cookie::build((name(state, origin), value))
        // The prefix of the name requires this path.
        .path(if is_secure(origin) { "/" } else { PATH })
        .http_only(true)
        // Lax: it must be sent when the provider redirects the browser back.
        .same_site(SameSite::Lax)
        .secure(is_secure(origin))
        .max_age(max_age)
        .build()
}

/// The cookie's name: a hash of the state, because a cookie's name cannot contain every text. With
/// the prefix the browser accepts the cookie over https alone and from this very host, so that
/// another subdomain cannot plant an attempt.
fn name(state: &str, origin: &Uri) -> String {
    let prefix = if is_secure(origin) { "__Host-" } else { "" };
    let hash = Sha256::digest(state);
    format!("{prefix}playon-oauth-{}", BASE64.encode(&hash[..12]))
}

fn decode(text: &str) -> Option<String> {
    String::from_utf8(BASE64.decode(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;

    use super::*;

    fn origin(text: &'static str) -> Uri {
        Uri::from_static(text)
    }

    fn http() -> Uri {
        origin("http://127.0.0.1:8080")
    }

    fn sent(cookies: &[&Cookie<'_>]) -> HeaderMap {
        let line: Vec<_> = cookies.iter().map(|cookie| cookie.stripped().to_string()).collect();
        HeaderMap::from_iter([(COOKIE, line.join("; ").parse().unwrap())])
    }

    fn attempt(secret: &str, destination: Destination) -> Attempt {
        let language = Language::Swahili;
        Attempt { browser_secret: secret.to_owned(), destination, language }
    }

    #[test]
    fn each_state_finds_its_own_attempt() {
        let popup = attempt("odd; secret=\u{1f511}", Destination::Opener);
        let redirect = attempt("b", Destination::page("/games?x=1;y").unwrap());
        let cookies = (popup.cookie("one", &http()), redirect.cookie("two", &http()));
        let headers = sent(&[&cookies.0, &cookies.1]);
        assert_eq!(Attempt::find(&headers, "one", &http()), Some(popup));
        assert_eq!(Attempt::find(&headers, "two", &http()), Some(redirect));
        assert_eq!(Attempt::find(&headers, "three", &http()), None);
        assert_eq!(Attempt::find(&headers, "", &http()), None);
    }

    #[test]
    fn the_cookie_is_sent_to_this_host_alone() {
        let made = attempt("s", Destination::Opener);
        let cookie = made.cookie("one", &origin("https://playon.example")).to_string();
        assert!(cookie.starts_with("__Host-playon-oauth-"), "{cookie}");
        assert!(!cookie.contains("Domain"));
        for part in ["; HttpOnly", "; SameSite=Lax", "; Secure", "; Path=/;", "; Max-Age=600"] {
            assert!(cookie.contains(part), "{part}");
        }
        let gone = removal("one", &origin("https://playon.example")).to_string();
        assert!(gone.starts_with("__Host-") && gone.contains("; Secure"), "{gone}");
        let cookie = made.cookie("one", &http()).to_string();
        assert!(!cookie.contains("Secure") && cookie.contains("; Path=/api/auth/oauth"));
        assert!(removal("one", &http()).to_string().contains("Max-Age=0"));
    }

    #[test]
    fn the_language_is_one_of_ours_or_english() {
        for (ending, language) in [
            ("", Some(Language::English)),
            ("~sw", Some(Language::Swahili)),
            ("~", None),
            ("~fr", None),
            ("~<script>", None),
        ] {
            let value = format!("{}{ending}", BASE64.encode("s"));
            let found =
                Attempt::find(&sent(&[&Cookie::new(name("one", &http()), value)]), "one", &http());
            assert_eq!(found.map(|attempt| attempt.language), language, "{ending}");
        }
    }

    #[test]
    fn a_forged_cookie_leads_to_no_other_host() {
        for path in ["//evil.example", "https://evil.example", "/\\evil.example", ""] {
            let forged = Cookie::new(
                name("one", &http()),
                format!("{}.{}", BASE64.encode("s"), BASE64.encode(path)),
            );
            assert_eq!(Attempt::find(&sent(&[&forged]), "one", &http()), None, "{path}");
        }
        let nonsense = Cookie::new(name("one", &http()), "%%%");
        assert_eq!(Attempt::find(&sent(&[&nonsense]), "one", &http()), None);
    }
}

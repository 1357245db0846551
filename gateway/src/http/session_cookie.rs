//! The cookie that signs a new window in: one that a push opened, or that of an app that the
//! phone had put away. It holds the refresh token of the session that was used last, is sent
//! with `/api/auth/refresh` alone, and cannot be read by any page.

use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, Uri};

use super::cookies::{self, is_secure};

const PATH: &str = "/api/auth/refresh";
/// How long svc-auth keeps a session that is not used.
const MAX_AGE: Duration = Duration::days(30);

/// The cookie of a session's refresh token. It ends with the browser, unless the player stays
/// signed in.
pub(super) fn of(token: &str, stays: bool, origin: &Uri) -> Cookie<'static> {
    let mut cookie = cookie(token.to_owned(), origin);
    if stays {
        cookie.set_max_age(MAX_AGE);
    }
    cookie
}

/// Removes the cookie.
pub(super) fn removal(origin: &Uri) -> Cookie<'static> {
    let mut cookie = cookie(String::new(), origin);
    cookie.set_max_age(Duration::ZERO);
    cookie
}

/// The refresh token of a request's cookie.
pub(super) fn find(headers: &HeaderMap, origin: &Uri) -> Option<String> {
    cookies::find(headers, name(origin))
}

fn cookie(token: String, origin: &Uri) -> Cookie<'static> {
    Cookie::build((name(origin), token))
        .path(PATH)
        .http_only(true)
        // Strict: a page of another site can neither sign a window in nor use up a token.
        .same_site(SameSite::Strict)
        .secure(is_secure(origin))
        .build()
}

/// The cookie's name. With the prefix the browser accepts the cookie over https alone.
fn name(origin: &Uri) -> &'static str {
    if is_secure(origin) { "__Secure-playon-session" } else { "playon-session" }
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header::COOKIE};

    use super::*;

    #[test]
    fn it_ends_with_the_browser_unless_the_player_stays_signed_in() {
        let origin = Uri::from_static("https://playon.example");
        let cookie = of("refresh", false, &origin).to_string();
        assert_eq!(
            cookie,
            "__Secure-playon-session=refresh; HttpOnly; SameSite=Strict; Secure; \
             Path=/api/auth/refresh"
        );
        let cookie = of("refresh", true, &origin).to_string();
        assert!(cookie.ends_with("; Max-Age=2592000"), "{cookie}");
        assert!(removal(&origin).to_string().ends_with("; Max-Age=0"));
    }

    #[test]
    fn it_is_found_again() {
        for origin in ["https://playon.example", "http://127.0.0.1:8080"].map(Uri::from_static) {
            let sent = of("refresh", true, &origin).stripped().to_string();
            let line = HeaderValue::try_from(format!("other=1; {sent}")).unwrap();
            let headers = HeaderMap::from_iter([(COOKIE, line)]);
            assert_eq!(find(&headers, &origin).as_deref(), Some("refresh"), "{origin}");
            assert_eq!(find(&HeaderMap::new(), &origin), None);
        }
    }
}

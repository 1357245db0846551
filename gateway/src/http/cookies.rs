//! Helpers that the cookies of this host share.

use cookie::Cookie;
use http::{HeaderMap, Uri, header::COOKIE};

/// Whether browsers reach this origin over https, so that its cookies are sent over nothing
/// else.
pub(super) fn is_secure(origin: &Uri) -> bool {
    origin.scheme_str() == Some("https")
}

/// The value of a request's first cookie with this name.
pub(super) fn find(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    let found = cookies.find(|cookie| cookie.name() == name)?;
    Some(found.value().to_owned())
}

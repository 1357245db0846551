//! The language that a caller asks for.

use http::{HeaderMap, header::ACCEPT_LANGUAGE};

pub use types::Language;

/// The language that the caller prefers, by `Accept-Language` (RFC 9110, 12.5.4).
pub fn language_of(headers: &HeaderMap) -> Language {
    let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    header.map_or(Language::default(), Language::preferred)
}

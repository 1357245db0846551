//! Credentials in the `Authorization` header.

use axum::http::{HeaderMap, header};

/// The credential of this scheme, whose name may have any case.
pub(crate) fn credential<'h>(headers: &'h HeaderMap, scheme: &str) -> Option<&'h str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (given, credential) = value.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then(|| credential.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn reads_the_credential_of_one_scheme_in_any_case() {
        let basic = |value| {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
            credential(&headers, "Basic").map(str::to_owned)
        };
        assert_eq!(basic(HeaderValue::from_static("basic eA==")).as_deref(), Some("eA=="));
        for bad in ["Basic", "Bearer x", ""] {
            assert_eq!(basic(HeaderValue::from_static(bad)), None, "{bad}");
        }
    }
}

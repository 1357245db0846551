//! The last page of the sign-in's pop-up: it posts the result to the app and closes. Its
//! texts are constants; the code is data, in an attribute.

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{error::SignInError, provider::Provider};
use crate::language;

/// Posts to the opener and to a channel, because a provider's opener policy may have cut
/// the link to the opener. The app uses the first of the two.
const SCRIPT: &str = r#"
const message = JSON.parse(document.body.dataset.message);
if (window.opener) window.opener.postMessage(message, location.origin);
const channel = new BroadcastChannel("playon-oauth");
channel.postMessage(message);
// Later, so that the messages are delivered first.
setTimeout(() => { channel.close(); window.close(); }, 100);
"#;

/// The app's colours, light and dark.
const STYLE: &str = "
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 16px; padding: 16px;
  text-align: center; font: 16px/1.5 system-ui, sans-serif; background: #fffaf2; color: #1b1426; }
a { color: #1766b5; }
@media (prefers-color-scheme: dark) { body { background: #120e1a; color: #f7f3fc; } a { color: #6cb8ff; } }
";

/// Allows this script and this style alone.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        hash(SCRIPT),
        hash(STYLE),
    );
    // Base64 is always valid in a header; the fallback would run nothing.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// The page, with the status of the result.
pub(super) fn page(provider: Provider, outcome: &Result<String, SignInError>) -> Response {
    let (status, text) = match outcome {
        Ok(_) => (StatusCode::OK, language::text("SIGNED_IN")),
        Err(error) => (error.status(), error.text(provider)),
    };
    let lang = language::current().tag();
    let back = language::text("BACK_TO_PLAYON");
    let message = escape(&message(provider, outcome).to_string());
    let text = escape(&text);
    let html = format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>PlayOn</title>\n\
         <style>{STYLE}</style>\n</head>\n<body data-message=\"{message}\">\n<p>{text}</p>\n\
         <a href=\"/\">{back}</a>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, POLICY.clone()),
    ];
    (status, headers, html).into_response()
}

/// The message to the app.
fn message(provider: Provider, outcome: &Result<String, SignInError>) -> Value {
    const SOURCE: &str = "playon-oauth";
    match outcome {
        Ok(code) => json!({"source": SOURCE, "code": code}),
        Err(error) => {
            let message = error.text(provider);
            json!({"source": SOURCE, "error": {"code": error.code(), "message": message}})
        }
    }
}

/// The CSP source of an inline script or style.
fn hash(inline: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(inline)))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_attribute() {
        assert_eq!(escape(r#"</body><script>"'&"#), "&lt;/body&gt;&lt;script&gt;&quot;&#39;&amp;");
    }

    #[test]
    fn script_and_style_contain_no_closing_tag() {
        for inline in [SCRIPT, STYLE] {
            assert!(!inline.contains("</"), "{inline}");
        }
    }
}

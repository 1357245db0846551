//! The page that a pop-up ends on: it tells the app what came of the sign-in, and
//! closes. Its words are constants; the code is data, in an attribute.

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Provider, Trouble};

/// Tells by both ways, because a provider's own opener policy may have cut the first;
/// what is heard twice is good once.
const SCRIPT: &str = r#"
const word = JSON.parse(document.body.dataset.word);
if (window.opener) window.opener.postMessage(word, location.origin);
const channel = new BroadcastChannel("playon-oauth");
channel.postMessage(word);
// Not at once: what was said must leave first.
setTimeout(() => { channel.close(); window.close(); }, 100);
"#;

/// The app's own colours, by day and by night.
const STYLE: &str = "
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 16px; padding: 16px;
  text-align: center; font: 16px/1.5 system-ui, sans-serif; background: #fffaf2; color: #1b1426; }
a { color: #1766b5; }
@media (prefers-color-scheme: dark) { body { background: #120e1a; color: #f7f3fc; } a { color: #6cb8ff; } }
";

/// This script, this style, and nothing else.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        hash(SCRIPT),
        hash(STYLE),
    );
    // Hashes in base64 are always good in a header; if they were not, nothing would run.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// The page, with the status of what it tells.
pub(super) fn page(provider: Provider, outcome: &Result<String, Trouble>) -> Response {
    let (status, text) = match outcome {
        Ok(_) => (StatusCode::OK, "You are signed in. This window can be closed."),
        Err(trouble) => (trouble.status(), trouble.message(provider)),
    };
    let word = escape(&word(provider, outcome).to_string());
    let text = escape(text);
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>PlayOn</title>\n\
         <style>{STYLE}</style>\n</head>\n<body data-word=\"{word}\">\n<p>{text}</p>\n\
         <a href=\"/\">Back to PlayOn</a>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, POLICY.clone()),
    ];
    (status, headers, html).into_response()
}

/// What the app is told.
fn word(provider: Provider, outcome: &Result<String, Trouble>) -> Value {
    const SOURCE: &str = "playon-oauth";
    match outcome {
        Ok(code) => json!({"source": SOURCE, "code": code}),
        Err(trouble) => {
            let message = trouble.message(provider);
            json!({"source": SOURCE, "error": {"code": trouble.code(), "message": message}})
        }
    }
}

/// As CSP names an inline script or style.
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
    fn nothing_breaks_out_of_an_attribute() {
        assert_eq!(escape(r#"</body><script>"'&"#), "&lt;/body&gt;&lt;script&gt;&quot;&#39;&amp;");
    }

    #[test]
    fn neither_script_nor_style_ends_before_its_end() {
        for inline in [SCRIPT, STYLE] {
            assert!(!inline.contains("</"), "{inline}");
        }
    }
}

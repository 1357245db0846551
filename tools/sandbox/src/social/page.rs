//! The page on which a person chooses an account; it has no script.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use reqwest::Url;

use crate::markup::escape;
use crate::world::account::{Account, IdentityProvider};

/// The page of this provider. `query` is the authorization request's, which the
/// form sends again; `error` is what was wrong with the last choice, or empty.
pub(super) fn choose(
    provider: IdentityProvider,
    client: &str,
    accounts: &[Account],
    query: &str,
    error: &str,
    redirect: &Url,
) -> Response {
    let name = provider.name();
    let action = escape(&format!("?{query}"));
    let body = format!(
        r#"<form class="choose" method="post" action="{action}">
<p class="provider">The sandbox’s {name}</p>
<h1>Choose an account</h1>
<p class="soft">to continue to <b>{client}</b></p>
{alert}<ul>{rows}</ul>
</form>
<details{open}>
<summary>Use another account</summary>
<form method="post" action="{action}">
<label>Name <input name="name" autocomplete="off" required maxlength="100"></label>
<label>Email{hint} <input name="email" type="email" autocomplete="off" maxlength="254"{required}></label>
<label class="check"><input type="checkbox" name="verified" value="yes" checked> {verified}</label>
<button class="primary">Create and continue</button>
</form>
</details>
<form class="leave" method="post" action="{action}"><button name="deny" value="yes">Cancel</button></form>"#,
        client = escape(client),
        alert = match error {
            "" => String::new(),
            text => format!("<p class=\"error\" role=\"alert\">{}</p>", escape(text)),
        },
        rows = accounts.iter().map(row).collect::<String>(),
        open = if accounts.is_empty() || !error.is_empty() { " open" } else { "" },
        hint = if provider == IdentityProvider::Facebook { " <small>optional</small>" } else { "" },
        required = if provider == IdentityProvider::Google { " required" } else { "" },
        verified = match provider {
            IdentityProvider::Google => "Google has verified this address",
            IdentityProvider::Facebook => "The owner has confirmed this address",
        },
    );
    let status = if error.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    // A browser applies form-action to the redirect too, so the policy allows it.
    let origin = redirect.origin().ascii_serialization();
    reply(status, &format!("Sign in with {name}"), &body, &format!("'self' {origin}"))
}

/// The page for a request whose redirect URI is not trusted.
pub(super) fn error(why: &str) -> Response {
    let body = format!(
        "<h1>This sign-in cannot continue</h1><p class=\"error\" role=\"alert\">{}</p>\
         <p class=\"soft\">Close this window and try again.</p>",
        escape(why),
    );
    reply(StatusCode::BAD_REQUEST, "This sign-in cannot continue", &body, "'none'")
}

impl IdentityProvider {
    fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Facebook => "Facebook",
        }
    }
}

fn row(account: &Account) -> String {
    let note = match (&account.email, account.email_verified) {
        (None, _) => "no email address".to_owned(),
        (Some(email), true) => escape(email),
        (Some(email), false) => format!("{} · not verified", escape(email)),
    };
    let initial = account.name.chars().next().map(String::from).unwrap_or_default();
    format!(
        "<li><button name=\"account\" value=\"{}\"><span class=\"face\" aria-hidden=\"true\">{}</span>\
         <span class=\"person\"><b>{}</b><small>{note}</small></span></button></li>",
        escape(&account.sub),
        escape(&initial),
        escape(&account.name),
    )
}

fn reply(status: StatusCode, title: &str, body: &str, form_action: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en-GB\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"dark light\"><title>{title}</title>\
         <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/tokens.css\"><link rel=\"stylesheet\" href=\"/sign-in.css\">\
         </head><body><main>{body}</main></body></html>"
    );
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action {form_action}; \
         frame-ancestors 'none'; base-uri 'none'"
    );
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    (status, headers, html).into_response()
}

//! The page on which a person chooses an account, without a line of script.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use reqwest::Url;

use crate::markup::escaped;
use crate::world::account::{Account, Network};

/// The page of this provider. `query` is the request as it stands in the
/// address: the form sends it back with the choice.
pub(super) fn choose(
    provider: Network,
    asker: &str,
    accounts: &[Account],
    query: &str,
    complaint: &str,
    back: &Url,
) -> Response {
    let name = provider.name();
    let action = escaped(&format!("?{query}"));
    let body = format!(
        r#"<form class="who" method="post" action="{action}">
<p class="provider">The sandbox’s {name}</p>
<h1>Choose an account</h1>
<p class="soft">to continue to <b>{asker}</b></p>
{complaint}<ul>{rows}</ul>
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
        asker = escaped(asker),
        complaint = match complaint {
            "" => String::new(),
            words => format!("<p class=\"error\" role=\"alert\">{}</p>", escaped(words)),
        },
        rows = accounts.iter().map(row).collect::<String>(),
        open = if accounts.is_empty() || !complaint.is_empty() { " open" } else { "" },
        hint = if provider == Network::Facebook { " <small>optional</small>" } else { "" },
        required = if provider == Network::Google { " required" } else { "" },
        verified = match provider {
            Network::Google => "Google has verified this address",
            Network::Facebook => "The owner has confirmed this address",
        },
    );
    let status = if complaint.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    // A browser holds the whole way back against the policy, so it is named.
    let origin = back.origin().ascii_serialization();
    reply(status, &format!("Sign in with {name}"), &body, &format!("'self' {origin}"))
}

/// What a person sees where nobody may be sent anywhere.
pub(super) fn trouble(why: &str) -> Response {
    let body = format!(
        "<h1>This sign-in cannot go on</h1><p class=\"error\" role=\"alert\">{}</p>\
         <p class=\"soft\">Close this window and try again.</p>",
        escaped(why),
    );
    reply(StatusCode::BAD_REQUEST, "This sign-in cannot go on", &body, "'none'")
}

impl Network {
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
        (Some(email), true) => escaped(email),
        (Some(email), false) => format!("{} · not verified", escaped(email)),
    };
    let initial = account.name.chars().next().map(String::from).unwrap_or_default();
    format!(
        "<li><button name=\"account\" value=\"{}\"><span class=\"face\" aria-hidden=\"true\">{}</span>\
         <span class=\"person\"><b>{}</b><small>{note}</small></span></button></li>",
        escaped(&account.sub),
        escaped(&initial),
        escaped(&account.name),
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

//! The hosted page, on which a person pays by card; it has no script.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use reqwest::Url;
use serde::Deserialize;

use super::actions::{self, CardAction, NoAction};
use crate::markup::escape;
use crate::world::Shared;
use crate::world::card::{CardPayment, CardStatus};

#[derive(Deserialize)]
pub(super) struct Choice {
    action: CardAction,
}

/// `GET /card/{access_code}`
pub(super) async fn show(State(world): State<Shared>, Path(code): Path<String>) -> Response {
    match world.read(|state| state.card(&code).cloned()) {
        Some(card) => page(&card, &world.merchant.name),
        None => gone(),
    }
}

/// `POST /card/{access_code}`: a button of the page.
pub(super) async fn act(
    State(world): State<Shared>,
    Path(code): Path<String>,
    choice: Result<Form<Choice>, FormRejection>,
) -> Response {
    let Ok(Form(Choice { action })) = choice else {
        return (StatusCode::BAD_REQUEST, "this page has no such button").into_response();
    };
    match actions::act(&world, &code, action) {
        Ok(card) => match (card.status, action) {
            (CardStatus::Success, _) | (_, CardAction::Abandon) => {
                leave(&card, &world.merchant.name)
            }
            _ => Redirect::to(&format!("/card/{}", card.access_code)).into_response(),
        },
        // The form was sent twice, or from an old copy of the page.
        Err(NoAction::Conflict) => {
            Redirect::to(&format!("/card/{}", escape(&code))).into_response()
        }
        Err(NoAction::Unknown) => gone(),
    }
}

/// The URL that the page returns to: the business's URL with the reference, twice.
pub(crate) fn return_url(card: &CardPayment) -> Option<Url> {
    let mut url = Url::parse(&card.callback_url).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let reference = &card.reference;
    url.query_pairs_mut().append_pair("trxref", reference).append_pair("reference", reference);
    Some(url)
}

fn leave(card: &CardPayment, merchant: &str) -> Response {
    match return_url(card) {
        Some(url) => Redirect::to(url.as_str()).into_response(),
        None => page(card, merchant),
    }
}

fn page(card: &CardPayment, merchant: &str) -> Response {
    let merchant = escape(merchant);
    let amount = kes(card.requested_cents);
    let back = return_url(card).map_or_else(String::new, |url| {
        format!(
            "<a class=\"button quiet\" href=\"{}\">Return to {merchant}</a>",
            escape(url.as_str())
        )
    });
    let body = match card.status {
        CardStatus::Ongoing => format!(
            "<section class=\"bank\"><p class=\"step\">Test Bank · 3-D Secure</p>\
             <h1>Confirm this payment</h1>\
             <p class=\"soft\"><b>{merchant}</b> asks for <b>{amount}</b> from the card that ends in 4081.</p>\
             <form method=\"post\"><button class=\"primary\" name=\"action\" value=\"confirm\">Confirm</button>\
             <button name=\"action\" value=\"reject\">Reject</button></form></section>"
        ),
        CardStatus::Success | CardStatus::Reversed => format!(
            "<section class=\"done\"><p class=\"tick\" aria-hidden=\"true\">✓</p><h1>{}</h1>\
             <p class=\"soft\">{} to {merchant}</p>{back}</section>",
            if card.status == CardStatus::Success { "Paid" } else { "Given back" },
            kes(card.amount_cents),
        ),
        CardStatus::Abandoned | CardStatus::Failed => {
            let failed = card.status == CardStatus::Failed;
            let error = if failed {
                format!(
                    "<p class=\"error\" role=\"alert\">{}. No money was taken; you can try again.</p>",
                    escape(&card.response)
                )
            } else {
                String::new()
            };
            let leave = if failed {
                back
            } else {
                "<button class=\"quiet\" name=\"action\" value=\"abandon\">Cancel payment</button>"
                    .to_owned()
            };
            format!(
                "<h1 class=\"sum\"><small>Pay {merchant}</small>{amount}</h1>\
                 <div class=\"plastic\" role=\"img\" aria-label=\"Test Bank Visa card that ends in 4081\">\
                 <span>Test Bank</span><i></i><b>4084 08•• •••• 4081</b><span class=\"low\">12/30<em>VISA</em></span></div>\
                 {error}<form method=\"post\">\
                 <button class=\"primary\" name=\"action\" value=\"pay\">Pay {amount}</button>\
                 <button name=\"action\" value=\"secure\">Pay with 3-D Secure</button>\
                 <button class=\"bad\" name=\"action\" value=\"decline\">Decline</button>\
                 {leave}</form>"
            )
        }
    };
    let body = format!(
        "<header><b>paystack</b><span>sandbox</span></header>{body}\
         <footer>{}<br>{}</footer>",
        escape(&card.email),
        escape(&card.reference),
    );
    // A browser applies form-action to the redirect too, so the policy allows it.
    let origin = return_url(card).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    reply(StatusCode::OK, &format!("Pay {merchant}"), &body, &origin)
}

fn gone() -> Response {
    let body = "<header><b>paystack</b><span>sandbox</span></header>\
                <h1>This page does not exist</h1><p class=\"soft\">Close this window and pay again.</p>";
    reply(StatusCode::NOT_FOUND, "No such page", body, "")
}

/// Formats an amount as `KES 1,250` or `KES 1,250.50`.
fn kes(cents: u64) -> String {
    let digits = (cents / 100).to_string();
    let mut whole = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            whole.push(',');
        }
        whole.push(digit);
    }
    match cents % 100 {
        0 => format!("KES {whole}"),
        rest => format!("KES {whole}.{rest:02}"),
    }
}

fn reply(status: StatusCode, title: &str, body: &str, origin: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en-GB\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"dark light\"><title>{title}</title>\
         <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/tokens.css\"><link rel=\"stylesheet\" href=\"/card.css\">\
         </head><body><main>{body}</main></body></html>"
    );
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' {origin}; \
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

#[cfg(test)]
mod tests {
    use super::kes;

    #[test]
    fn writes_cents_as_shillings() {
        for (cents, text) in [
            (5, "KES 0.05"),
            (10_000, "KES 100"),
            (125_050, "KES 1,250.50"),
            (100_000_000, "KES 1,000,000"),
        ] {
            assert_eq!(kes(cents), text);
        }
    }
}

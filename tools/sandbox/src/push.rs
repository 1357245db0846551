//! A push service of browsers (RFC 8030): takes messages that are signed by VAPID (RFC
//! 8292) and encrypted for a browser (RFC 8291), and reads them with the browser's keys,
//! which are made here too.

mod vapid;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;

use crate::clock;
use crate::push_message;
use crate::world::Shared;
use crate::world::push::{Browser, Pushed};
use crate::world::state::Fact;

/// Largest encrypted message, as push services document it.
const MAX_MESSAGE: usize = 4_096;
/// Longest `TTL`: four weeks.
const MAX_TTL: u64 = 28 * 24 * 3600;

/// The routes below `/push`.
pub(crate) fn routes() -> Router<Shared> {
    Router::new().route("/{browser}", post(send)).fallback(async || StatusCode::NOT_FOUND)
}

/// Why a message is not taken: the status, and a sentence as push services write it.
type Refusal = (StatusCode, String);

async fn send(
    State(world): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let answer = world.update(|state| {
        let Some(browser) = state.browsers.get(&id) else {
            return (
                Vec::new(),
                Err((StatusCode::NOT_FOUND, "no such subscription".to_owned()).into_response()),
            );
        };
        let (browser, ordered) = browser.attempted(clock::now());
        (vec![Fact::Browser(Box::new(browser.clone()))], ordered.map_or(Ok(browser), Err))
    });
    let browser = match answer {
        Ok(browser) => browser,
        Err(ordered) => return ordered,
    };
    match receive(&world, &browser, &headers, &body) {
        Ok(pushed) => {
            let location = world.link(&format!("/push/message/{}", pushed.id));
            world.record([Fact::Pushed(Box::new(pushed))]);
            (StatusCode::CREATED, [(header::LOCATION, location)]).into_response()
        }
        Err((status, error)) => {
            tracing::info!(
                browser = browser.id,
                status = status.as_u16(),
                error,
                "a push was refused"
            );
            (status, error).into_response()
        }
    }
}

fn receive(
    world: &Shared,
    browser: &Browser,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Pushed, Refusal> {
    let bad = |error: &str| (StatusCode::BAD_REQUEST, error.to_owned());
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let ttl = text("ttl").and_then(|ttl| ttl.parse().ok()).ok_or_else(|| bad("TTL is missing"))?;
    if ttl > MAX_TTL {
        return Err(bad("TTL is too long"));
    }
    if body.len() > MAX_MESSAGE {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, "at most 4096 bytes".to_owned()));
    }
    if text("content-encoding") != Some("aes128gcm") {
        return Err(bad("Content-Encoding should be aes128gcm"));
    }
    let topic = text("topic").map(str::to_owned);
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if topic.as_ref().is_some_and(|topic| topic.len() > 32 || !topic.bytes().all(is_base64url)) {
        return Err(bad("Topic has at most 32 characters of base64url"));
    }
    let urgency = text("urgency").unwrap_or("normal").to_owned();
    if !["very-low", "low", "normal", "high"].contains(&urgency.as_str()) {
        return Err(bad("Urgency is very-low, low, normal or high"));
    }
    let authorization = text("authorization")
        .ok_or((StatusCode::UNAUTHORIZED, "Authorization is missing".to_owned()))?;
    // A caller whose clock is set by a test has another time.
    let now = world.read(|state| state.settings.clock_skew_ms.map(|_| clock::now()));
    vapid::verify(authorization, &world.link(""), browser.server_key.as_deref(), now)
        .map_err(|error| (StatusCode::FORBIDDEN, error))?;
    let plain = push_message::decrypt(&browser.keys, body)
        .ok_or_else(|| bad("the browser cannot decrypt the message"))?;
    let text = String::from_utf8(plain).map_err(|_| bad("the message is no text"))?;
    Ok(Pushed {
        id: push_message::random_id(),
        browser: browser.id.clone(),
        message: serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text)),
        ttl,
        topic,
        urgency,
        at: clock::now(),
    })
}

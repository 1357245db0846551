//! The yardstick of fan-out: a server that broadcasts what it is sent, and nothing else.
//!
//! It has the transport of the mesh's live updates, grpc-web text over HTTP/1.1, and one tokio
//! broadcast channel. It checks no token, stores nothing and encodes a message once.

use std::convert::Infallible;

use anyhow::Result;
use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    routing::post,
};
use futures_util::{StreamExt as _, stream};
use http::{HeaderValue, Response, header};
use proto::{
    live::v1::{ChatMessage, LiveEvent, live_event::Event},
    types::v1::ChatType,
};
use serde::Deserialize;
use tokio::sync::broadcast::{self, Sender, error::RecvError};

use crate::{grpc_web::encode, hello::serve_router, live_stream::SUBSCRIBE};

/// Messages that a reader may be behind.
const BACKLOG: usize = 1_024;

/// The part of a message that the yardstick reads.
#[derive(Deserialize)]
struct Sent {
    message: String,
}

/// `bench broadcast`: prints its URL, and serves until its standard input is closed.
pub(crate) async fn serve() -> Result<()> {
    let router = Router::new()
        .route("/api/chats/send", post(send))
        .route(SUBSCRIBE, post(subscribe))
        .with_state(broadcast::channel(BACKLOG).0);
    serve_router(router).await
}

async fn send(State(messages): State<Sender<Bytes>>, body: Bytes) -> &'static str {
    let text = serde_json::from_slice::<Sent>(&body).map(|sent| sent.message);
    let message = ChatMessage {
        id: "01980000-0000-7000-8000-000000000000".to_owned(),
        user_id: "01980000-0000-7000-8000-000000000001".to_owned(),
        chat_room_id: "01980000-0000-7000-8000-000000000002".to_owned(),
        chat_room_uid: "bench-0".to_owned(),
        message: text.unwrap_or_default(),
        chat_type: ChatType::Text.into(),
        ..ChatMessage::default()
    };
    let event = LiveEvent { event: Some(Event::Message(message)) };
    if let Ok(frame) = encode(&event) {
        // Sending fails without a reader.
        let _ = messages.send(frame.into());
    }
    "{}"
}

async fn subscribe(State(messages): State<Sender<Bytes>>) -> Response<Body> {
    let frames = stream::unfold(messages.subscribe(), async |mut reader| {
        loop {
            match reader.recv().await {
                Ok(frame) => return Some((frame, reader)),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    });
    let mut response = Response::new(Body::from_stream(frames.map(Ok::<_, Infallible>)));
    let text = HeaderValue::from_static("application/grpc-web-text");
    response.headers_mut().insert(header::CONTENT_TYPE, text);
    response
}

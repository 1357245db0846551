//! The gateway on a free port, called over real HTTP, with upstreams that the tests
//! implement.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a failed step fails the test")]

mod bodies;
mod chat_media;
mod chats;
mod client;
mod connections;
mod envelope;
mod field_names;
mod forms;
mod games_site;
mod grpc_web;
mod headers;
mod health;
mod hooks;
mod identity;
mod language;
mod limits;
mod live;
mod live_rooms;
mod live_topics;
mod media;
mod metrics;
mod money;
mod notifications;
mod oauth;
mod openapi;
mod play;
mod players;
mod routes;
mod stub;
mod tokens;
mod trace;
mod uploads;
mod web_app;
mod world;

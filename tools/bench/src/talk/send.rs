//! Sending messages, and the yardstick: a single insert of such a row.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use http::Method;
use serde::Serialize;
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use types::Clock;
use uuid::Uuid;

use super::rooms::{ROOMS, room_id, room_uid};
use crate::{
    client::{self, HttpRequest},
    load::{Caller, Iteration, Outcome, Workload},
    players::{Player, Players},
};

/// The smallest table that holds messages.
const SCHEMA: &str = include_str!("message.sql");
/// The insert, as one statement and one transaction.
const INSERT: &str = "INSERT INTO yardstick.message (room_id, seq, player_id, content, created_at)
     VALUES ($1, $2, $3, $4, $5)";
const TEXT: &str = "Leo tunacheza saa ngapi? Niko tayari.";

/// The body of a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    chat_room_id: &'a str,
    message: &'a str,
    chat_type: &'static str,
    client_message_id: &'a str,
}

/// A player's message to a room.
pub(crate) fn message(player: &Player, room: &str, text: &str, name: &str) -> Result<HttpRequest> {
    let body =
        Body { chat_room_id: room, message: text, chat_type: "TEXT", client_message_id: name };
    Ok(player.authorize(client::json(Method::POST, "/api/chats/send", &body)?))
}

/// Each connection has a player of its own, who writes to one of the rooms.
pub(crate) struct SendMessages {
    pub(crate) players: Arc<Players>,
}

impl Workload for SendMessages {
    fn request(&self, Iteration { worker, round, .. }: Iteration) -> Result<HttpRequest> {
        let name = format!("{}-{worker}-{round}", self.players.run());
        message(self.players.get(worker)?, &room_uid(worker % ROOMS), TEXT, &name)
    }
}

/// Inserts messages over a connection of its own.
pub(crate) struct InsertMessages {
    pub(crate) options: PgConnectOptions,
    conn: Option<PgConnection>,
}

impl InsertMessages {
    pub(crate) const fn new(options: PgConnectOptions) -> Self {
        Self { options, conn: None }
    }

    /// Makes the yardstick's table.
    pub(crate) async fn prepare(options: &PgConnectOptions) -> Result<()> {
        let conn = PgConnection::connect_with(options).await;
        let mut conn = conn.context("cannot connect to the yardstick's database")?;
        sqlx::raw_sql(SCHEMA).execute(&mut conn).await?;
        Ok(())
    }
}

impl Caller for InsertMessages {
    async fn call(&mut self, Iteration { worker, number, .. }: Iteration) -> Result<Outcome> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => PgConnection::connect_with(&self.options).await?,
        };
        let insert = sqlx::query(INSERT)
            .bind(room_id(worker % ROOMS))
            .bind(i64::try_from(number)?)
            .bind(Uuid::from_u128(u128::try_from(worker)?))
            .bind(TEXT)
            .bind(Clock::system().now());
        let done = insert.execute(self.conn.insert(conn)).await;
        Ok(done.map(drop).map_err(|error| error.to_string()))
    }
}

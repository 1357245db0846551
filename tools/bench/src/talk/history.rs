//! Reading pages of messages and of notifications, in tables of two sizes.

use std::sync::Arc;

use anyhow::{Result, ensure};
use http::Method;
use serde::Serialize;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use types::Clock;
use uuid::Uuid;

use super::rooms::{room_id, room_uid};
use crate::{
    client::{self, HttpRequest, Reply},
    dataset::copy::CopyIn,
    load::{Iteration, Workload},
    players::Players,
    workloads::random,
};

/// Messages of a page, as many as the web app reads at once.
const PAGE: u32 = 50;
/// The room whose history is read.
const ROOM: usize = 0;
const TABLES: &str = "message, notification";

/// How many rows the tables have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Large,
}

impl Size {
    pub(crate) const fn rows(self) -> u32 {
        match self {
            Self::Small => 10_000,
            Self::Large => 10_000_000,
        }
    }
}

/// Fills the room's history, and the inboxes of the players and of others, up to the size.
pub(crate) async fn fill(conn: &mut PgConnection, players: &Players, size: Size) -> Result<()> {
    let ids = players.ids()?;
    let messages: i64 = sqlx::query_scalar("SELECT messages FROM room_sequence WHERE room_id = $1")
        .bind(room_id(ROOM))
        .fetch_one(&mut *conn)
        .await?;
    // The room may have messages of other scenarios; the inboxes have their own number.
    let notifications: i64 =
        sqlx::query_scalar("SELECT count(*) FROM notification WHERE caller = 'bench'")
            .fetch_one(&mut *conn)
            .await?;
    let (messages, notifications) = (u32::try_from(messages)?, u32::try_from(notifications)?);
    let mut tx = conn.begin().await?;
    // Triggers are skipped, because the rows are right by construction.
    sqlx::query("SET LOCAL session_replication_role = replica").execute(&mut *tx).await?;
    copy_messages(&mut tx, &ids, messages, size.rows()).await?;
    copy_notifications(&mut tx, &ids, notifications, size.rows()).await?;
    sqlx::query("UPDATE room_sequence SET messages = greatest(messages, $2) WHERE room_id = $1")
        .bind(room_id(ROOM))
        .bind(i64::from(size.rows()))
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    let vacuum = format!("VACUUM (ANALYZE) {TABLES}");
    sqlx::query(AssertSqlSafe(vacuum)).execute(&mut *conn).await?;
    sqlx::query("CHECKPOINT").execute(conn).await?;
    Ok(())
}

fn now_millis() -> Result<u64> {
    Ok(u64::try_from(Clock::system().now().unix_timestamp())? * 1_000)
}

async fn copy_messages(conn: &mut PgConnection, ids: &[Uuid], from: u32, to: u32) -> Result<()> {
    const COLUMNS: &str = "room_id, seq, id, player_id, chat_type, content, created_at";
    let begun = now_millis()? - u64::from(to);
    let mut copy = CopyIn::begin(conn, "message", COLUMNS).await?;
    for number in from..to {
        let author = ids.iter().cycle().nth(number as usize % ids.len().max(1));
        copy.rows()
            .row(7)
            .uuid(room_id(ROOM))
            .bigint(i64::from(number) + 1)
            .uuid(Uuid::from_u128(0x4D << 64 | u128::from(number)))
            .uuid(author.copied().unwrap_or_default())
            .text("TEXT")
            .text("Leo tunacheza saa ngapi? Niko tayari.")
            .timestamptz(begun + u64::from(number));
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

/// Copies a hundred notifications for each player: first for the readers, then for players who do
/// not exist.
async fn copy_notifications(
    conn: &mut PgConnection,
    ids: &[Uuid],
    from: u32,
    to: u32,
) -> Result<()> {
    const COLUMNS: &str =
        "player_id, id, kind, params, caller, source, occurred_at, created_at, read_at";
    let begun = now_millis()? - u64::from(to);
    let mut copy = CopyIn::begin(conn, "notification", COLUMNS).await?;
    for number in from..to {
        let place = (number / 100) as usize;
        let stranger = Uuid::from_u128(0x5E << 64 | u128::from(number / 100));
        let at = begun + u64::from(number);
        copy.rows()
            .row(9)
            .uuid(ids.get(place).copied().unwrap_or(stranger))
            .uuid(Uuid::from_u128(0x4E << 64 | u128::from(number)))
            .text("BOOST_RECEIVED")
            .text(r#"{"amount":"KES 20.00","from":"wanjiku"}"#)
            .text("bench")
            .text(&number.to_string())
            .timestamptz(at)
            .timestamptz(at)
            .timestamptz(at);
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

/// The body of a read of messages.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListMessages {
    chat_room_id: String,
}

/// Reads a random page of the room's history.
pub(crate) struct ReadMessages {
    pub(crate) players: Arc<Players>,
    pub(crate) rows: u32,
}

impl Workload for ReadMessages {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let page = random(iteration).below(u64::from(self.rows / PAGE));
        let path = format!("/api/chats/list?page={page}&pageSize={PAGE}");
        let body = ListMessages { chat_room_id: room_uid(ROOM) };
        let player = self.players.get(iteration.worker)?;
        Ok(player.authorize(client::json(Method::POST, &path, &body)?))
    }

    fn is_success(&self, reply: &Reply) -> bool {
        is_page(reply)
    }
}

/// Reads the newest notifications of a player.
pub(crate) struct ReadInbox {
    pub(crate) players: Arc<Players>,
}

impl Workload for ReadInbox {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let path = format!("/api/profile/notifications?pageSize={PAGE}");
        Ok(self.players.get(iteration.worker)?.authorize(client::get(&path)?))
    }

    fn is_success(&self, reply: &Reply) -> bool {
        is_page(reply)
    }
}

/// Whether a reply is a whole page: its rows have more than a hundred bytes each. The load
/// generator shares the cores, so it does not parse them.
fn is_page(reply: &Reply) -> bool {
    reply.status.is_success() && reply.body.len() > 100 * usize::try_from(PAGE).unwrap_or_default()
}

/// Fails when the data set does not fit the number of players.
pub(crate) fn check(players: &Players) -> Result<()> {
    let readers = players.ids()?.len();
    ensure!(readers <= 100, "the small data set has inboxes for 100 players, not {readers}");
    Ok(())
}

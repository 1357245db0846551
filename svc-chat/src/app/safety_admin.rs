//! Operators' moderation of rooms. Each change and its audit are one transaction.

use std::time::Duration;

use mesh::{auth::Operator, instrument, jobs::Round};
use serde_json::{Value, json};
use sqlx::PgConnection;
use types::PlayerId;

use super::{
    Cx,
    delete_message::remove_message,
    find_room::find_room,
    mention::{MENTION_PERIOD, publish_withdrawn},
    room_change::RoomChange,
    room_changed::publish_room_changed,
};
use crate::{
    domain::{MessageId, Report, ReportId, SLOW_MODE_MAX, parse_words},
    error::{Error, Refused},
    store::{self, safety_admin::Audited},
};

/// Rows of each table that one round removes at most.
const BATCH: u32 = 500;

/// The operator who acts, and the reason.
pub(crate) struct By {
    pub(crate) operator: Operator,
    pub(crate) reason: String,
}

/// A page of reports, the oldest first.
#[instrument(name = "chat.list_reports", skip_all)]
pub(crate) async fn list_reports(
    cx: &Cx,
    after: Option<ReportId>,
    include_resolved: bool,
    limit: u32,
) -> Result<Vec<Report>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::safety_admin::reports(&mut conn, after, include_resolved, limit).await?)
}

/// Marks a report as done; false if it was done before.
#[instrument(name = "chat.resolve_report", skip_all, fields(report.id = %id))]
pub(crate) async fn resolve_report(cx: &Cx, by: &By, id: ReportId) -> Result<bool, Error> {
    let (now, operator) = (cx.clock.now(), by.operator.name());
    let mut tx = cx.db.begin().await?;
    let resolved = store::safety_admin::resolve(&mut tx, id, operator, &by.reason, now).await?;
    if !resolved.ok_or(Refused::ReportNotFound)? {
        return Ok(false);
    }
    audit(cx, &mut tx, by, "ResolveReport", &id.to_string(), json!({})).await?;
    tx.commit().await?;
    Ok(true)
}

/// Erases a message for all players and keeps it as evidence; false for a removed message.
#[instrument(name = "chat.hide_message", skip_all, fields(message.id = %id))]
pub(crate) async fn hide_message(cx: &Cx, by: &By, id: MessageId) -> Result<bool, Error> {
    let mut tx = cx.db.begin().await?;
    let message = store::message::find(&mut tx, id).await?.ok_or(Refused::MessageNotFound)?;
    // The message's sender may remove it meanwhile.
    if !store::message::lock(&mut tx, id).await?
        || !store::safety_admin::keep_hidden(&mut tx, id, cx.clock.now()).await?
    {
        return Ok(false);
    }
    let details = json!({"room": message.room.to_string(), "sender": message.player.to_string()});
    audit(cx, &mut tx, by, "HideMessage", &id.to_string(), details).await?;
    let mentioned = remove_message(&mut tx, &message).await?;
    tx.commit().await?;
    publish_room_changed(cx, message.room, RoomChange::Removal);
    publish_withdrawn(cx, mentioned);
    Ok(true)
}

/// Mutes a player in a room, or in all, for a time; no time ends the mute. False if nothing
/// changes.
#[instrument(name = "chat.mute_player", skip_all, fields(player.id = %player))]
pub(crate) async fn mute_player(
    cx: &Cx,
    by: &By,
    player: PlayerId,
    room: Option<&str>,
    time: Option<Duration>,
) -> Result<bool, Error> {
    let room = match room {
        Some(name) => Some(find_room(cx, name).await?),
        None => None,
    };
    let until = time.map(|time| cx.clock.now() + time);
    let mut tx = cx.db.begin().await?;
    let changed = match until {
        Some(until) => store::safety_admin::mute(&mut tx, player, room, until).await?,
        None => store::safety_admin::unmute(&mut tx, player, room).await?,
    };
    if changed {
        let action = if until.is_some() { "MutePlayer" } else { "UnmutePlayer" };
        let details = json!({
            "room": room.map(|room| room.to_string()),
            "until": until.map(time::OffsetDateTime::unix_timestamp),
        });
        audit(cx, &mut tx, by, action, &player.to_string(), details).await?;
        tx.commit().await?;
    }
    Ok(changed)
}

/// Closes or opens a room; false if that changes nothing.
#[instrument(name = "chat.set_room_closed", skip_all)]
pub(crate) async fn set_room_closed(
    cx: &Cx,
    by: &By,
    room: &str,
    closed: bool,
) -> Result<bool, Error> {
    let room = find_room(cx, room).await?;
    let mut tx = cx.db.begin().await?;
    let changed = store::safety_admin::set_closed(&mut tx, room, closed).await?;
    if changed {
        let action = if closed { "CloseRoom" } else { "OpenRoom" };
        audit(cx, &mut tx, by, action, &room.to_string(), json!({})).await?;
        tx.commit().await?;
    }
    Ok(changed)
}

/// Sets the pause between two messages of a player in a room; false if that changes nothing.
#[instrument(name = "chat.set_slow_mode", skip_all)]
pub(crate) async fn set_slow_mode(
    cx: &Cx,
    by: &By,
    room: &str,
    seconds: u32,
) -> Result<bool, Error> {
    let room = find_room(cx, room).await?;
    let mut tx = cx.db.begin().await?;
    let changed = store::safety_admin::set_slow_mode(&mut tx, room, seconds).await?;
    if changed {
        let details = json!({"seconds": seconds});
        audit(cx, &mut tx, by, "SetSlowMode", &room.to_string(), details).await?;
        tx.commit().await?;
    }
    Ok(changed)
}

/// Replaces the words of the filter; false if they are the same.
#[instrument(name = "chat.set_words", skip_all)]
pub(crate) async fn set_words(cx: &Cx, by: &By, words: &[String]) -> Result<bool, Error> {
    let words = parse_words(words).map_err(Refused::from)?;
    let mut tx = cx.db.begin().await?;
    mesh::content::lock(&mut tx).await?;
    let known = store::safety_admin::words(&mut tx).await?;
    if known == words {
        return Ok(false);
    }
    store::safety_admin::replace_words(&mut tx, &words).await?;
    let added: Vec<&String> = words.iter().filter(|word| !known.contains(word)).collect();
    let removed: Vec<&String> = known.iter().filter(|word| !words.contains(word)).collect();
    let details = json!({"added": added, "removed": removed});
    audit(cx, &mut tx, by, "SetWords", "", details).await?;
    tx.commit().await?;
    cx.words.forget();
    Ok(true)
}

/// The words of the filter, sorted.
#[instrument(name = "chat.list_words", skip_all)]
pub(crate) async fn list_words(cx: &Cx) -> Result<Vec<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::safety_admin::words(&mut conn).await?)
}

/// Removes a batch of old evidence, ended mutes and slow-mode turns.
#[instrument(name = "chat.sweep_safety", skip_all)]
pub(crate) async fn sweep_safety(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let turns_before = now - Duration::from_secs(SLOW_MODE_MAX.into());
    let mut conn = cx.db.acquire().await?;
    let evidence_before = now - cx.message_retention;
    let removed =
        store::safety_admin::delete_old(&mut conn, now, evidence_before, turns_before, BATCH)
            .await?;
    let notices = store::mention::delete_old(&mut conn, now - MENTION_PERIOD, BATCH).await?;
    Ok(Round::of_batch(removed.max(notices), BATCH.into()))
}

async fn audit(
    cx: &Cx,
    conn: &mut PgConnection,
    by: &By,
    action: &'static str,
    subject: &str,
    details: Value,
) -> Result<(), Error> {
    let at = cx.clock.now();
    let (id, operator, reason) = (cx.rng.uuid_v7(at), by.operator.name(), &*by.reason);
    let action = Audited { id, operator, action, subject, details, reason, at };
    Ok(store::safety_admin::audit(conn, action).await?)
}

//! Notifies the players whom a message mentions. The outbox row is written by the statement
//! that stores the message, and waits while svc-auth is out of reach.
//!
//! If the process dies before the row is removed, the row is delivered again, which changes
//! nothing: the players whom a message has notified are recorded in the transaction that notifies
//! them.

use std::{collections::BTreeMap, time::Duration};

use mesh::{instrument, outbox::Delivery, telemetry};
use metrics::counter;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use types::{PlayerId, uuid::Uuid};

use super::{Cx, notifications_changed::publish_notifications_changed, notify::store_new};
use crate::{
    domain::{
        ChatType, MentionSource, MessageId, NewMessage, NewNotification, NotificationKind, Params,
        Source, excerpt, mentions, sources,
    },
    error::{Error, Refused},
    store::{self, message::OutboxRow},
};

/// The outbox topic of messages that mention players.
pub(crate) const MENTION_TOPIC: &str = "mention";

/// The caller that the notifications of mentions have.
const CALLER: &str = "svc-chat";
/// How often a sender notifies the same player in [`MENTION_PERIOD`].
const MENTIONS_OF_ONE: usize = 10;
/// The period of the limits on a sender's mentions.
pub(super) const MENTION_PERIOD: Duration = Duration::from_hours(1);

/// The payload of an outbox row of [`MENTION_TOPIC`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mention {
    message: Uuid,
}

/// Notifies the mentioned players who are members of the room now and have not blocked the sender,
/// up to the sender's limit. Players beyond the limit are not notified later.
#[instrument(name = "chat.notify_mentioned", skip_all, fields(message.id = %mention.message))]
pub(crate) async fn notify_mentioned(cx: &Cx, mention: &Mention) -> Result<Delivery, Error> {
    let id = MessageId::from(mention.message);
    let message = {
        let mut conn = cx.db.acquire().await?;
        store::mention::find_source(&mut conn, id).await?
    };
    // The message was removed, hidden or swept, or its room is closed.
    let Some(message) = message else { return Ok(Delivery::Done) };
    // No connection is held while svc-auth answers.
    let usernames = mentions(&message.text);
    let mentioned = cx.players.mentioned(message.sender, &usernames).await?;
    let Some(sender) = mentioned.sender else { return Ok(Delivery::Done) };

    let mut tx = cx.db.begin().await?;
    // The deliveries of one sender count one after the other.
    store::safety::lock_player(&mut tx, message.sender).await?;
    if store::mention::is_notified(&mut tx, id).await? {
        return Ok(Delivery::Done);
    }
    // Players who are not notified count too: otherwise the remaining limit would show the sender
    // who is a member, and who has blocked the sender.
    let mut others = others(&mentioned.players, message.sender);
    let named = others.len();
    let since = cx.clock.now() - MENTION_PERIOD;
    let lately = store::mention::mentioned_since(&mut tx, message.sender, since).await?;
    keep_within_limits(&mut others, &lately, cx.mentions_per_hour);
    let limited = named - others.len();
    let players: Vec<PlayerId> = others.iter().map(|(_, player)| *player).collect();
    let recipients = store::mention::recipients(&mut tx, id, &players).await?;
    others.retain(|(_, player)| recipients.contains(player));
    let notifications =
        others.iter().map(|(place, player)| notification(&message, id, *place, *player, &sender));
    let notifications = notifications.collect::<Result<Vec<_>, _>>()?;
    let stored = store_new(&mut tx, cx, notifications).await?;
    store::mention::record(&mut tx, id, message.sender, &players, cx.clock.now()).await?;
    tx.commit().await?;
    stored.publish(cx);
    let skipped = usernames.len() - limited - others.len();
    for (outcome, mentions) in
        [("stored", others.len()), ("skipped", skipped), ("limited", limited)]
    {
        let mentions = u64::try_from(mentions).unwrap_or(u64::MAX);
        counter!("mentions_total", "outcome" => outcome).increment(mentions);
    }
    Ok(Delivery::Done)
}

/// The mentioned players without the sender, each with the place of the mention among those of the
/// text, which is part of the notification's source.
fn others(players: &[Option<PlayerId>], sender: PlayerId) -> Vec<(usize, PlayerId)> {
    let places = players.iter().enumerate();
    let places = places.filter_map(|(place, player)| player.map(|player| (place, player)));
    places.filter(|(_, player)| *player != sender).collect()
}

/// Drops players whom the sender has mentioned too often lately, and players beyond the sender's
/// total limit.
fn keep_within_limits(others: &mut Vec<(usize, PlayerId)>, lately: &[PlayerId], most: u32) {
    others.retain(|(_, player)| {
        lately.iter().filter(|earlier| *earlier == player).count() < MENTIONS_OF_ONE
    });
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    others.truncate(most.saturating_sub(lately.len()));
}

fn notification(
    message: &MentionSource,
    id: MessageId,
    place: usize,
    player: PlayerId,
    sender: &str,
) -> Result<NewNotification, Error> {
    let params = BTreeMap::from([
        ("chat_room_uid".to_owned(), message.room_uid.clone()),
        ("excerpt".to_owned(), excerpt(&message.text)),
        ("from".to_owned(), sender.to_owned()),
        ("room".to_owned(), message.room_name.clone()),
    ]);
    let source = sources(id).into_iter().nth(place).unwrap_or_default();
    Ok(NewNotification {
        caller: CALLER,
        source: Source::parse(&source).map_err(Refused::from)?,
        player,
        kind: NotificationKind::Mention,
        params: Params::parse(NotificationKind::Mention, params).map_err(Refused::from)?,
        occurred_at: message.sent_at,
    })
}

/// Removes the notifications of a message that is removed in this transaction, because they quote
/// its beginning; returns the players who had them.
pub(super) async fn withdraw_mentions(
    conn: &mut PgConnection,
    message: MessageId,
) -> Result<Vec<PlayerId>, Error> {
    Ok(store::notification::delete_of_sources(conn, CALLER, &sources(message)).await?)
}

/// Publishes to players that their notifications changed. Call it after the commit.
pub(super) fn publish_withdrawn(cx: &Cx, players: Vec<PlayerId>) {
    for player in players {
        publish_notifications_changed(cx, player);
    }
}

/// The outbox row of a message that mentions players; `None` for all others.
pub(super) fn mention_row(cx: &Cx, new: &NewMessage) -> Result<Option<OutboxRow>, Error> {
    if new.content.chat_type() != ChatType::Text || mentions(new.content.text()).is_empty() {
        return Ok(None);
    }
    let mention = Mention { message: new.id.uuid() };
    Ok(Some(OutboxRow {
        topic: MENTION_TOPIC,
        id: cx.rng.uuid_v7(cx.clock.now()),
        payload: serde_json::to_value(mention).map_err(anyhow::Error::from)?,
        traceparent: telemetry::traceparent(),
    }))
}

//! Notifies the players of a game that a tournament of that game has begun.
//!
//! A job reads the list of players from svc-games page by page. The cursor moves in the transaction
//! that writes the outbox rows, so each player gets one row however often the job is interrupted.
//! Players on a break get none.

use std::collections::HashSet;

use mesh::{instrument, jobs::Round};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{Cx, notify::source};
use crate::{
    clients::{
        games::PlayersOf,
        notifications::{Notification, NotificationKind},
    },
    error::Error,
    store::{self, start_notice::Beginning},
};

/// The outbox topic of these notifications.
pub(crate) const START_TOPIC: &str = "chat.notify_start";

/// Only players who played the game within this time before the start are notified.
const PLAYED_WITHIN: Duration = Duration::days(30);
/// Players of one transaction.
const PAGE: u32 = 200;

/// The payload of an outbox row of [`START_TOPIC`]: a tournament has begun.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// The idempotency key of the notification at svc-chat.
    source: String,
    player: PlayerId,
    /// The tournament's name.
    tournament: String,
    /// The name of the tournament's game.
    game: String,
    #[serde(with = "time::serde::rfc3339")]
    starts: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends: OffsetDateTime,
}

/// Writes the outbox rows of a page of players of the tournament that waits longest. Players who
/// played since the start have seen the tournament.
pub(crate) async fn notify_starts(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let waiting = store::start_notice::find(&mut *cx.db.acquire().await?, now).await?;
    let Some(tournament) = waiting else { return Ok(Round::Done) };
    notify_page(cx, &tournament, now).await?;
    Ok(Round::More)
}

#[instrument(name = "tournament.notify_start", skip_all, fields(tournament.id = %tournament.id))]
async fn notify_page(cx: &Cx, tournament: &Beginning, now: OffsetDateTime) -> Result<(), Error> {
    // A tournament that is over, as after a long outage, is not worth a notification.
    let (game, players) = if tournament.ends > now {
        let page = PlayersOf {
            game: tournament.game,
            since: tournament.starts - PLAYED_WITHIN,
            before: tournament.starts,
            after: tournament.notified_player.map(Into::into),
            page_size: PAGE,
        };
        cx.games.players(page).await?
    } else {
        (String::new(), Vec::new())
    };
    let is_last = players.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
    let last = players.last().map(|player| player.uuid()).or(tournament.notified_player);
    let on_break =
        if players.is_empty() { HashSet::new() } else { cx.persons.on_break(&players).await? };
    let mut tx = cx.db.begin().await?;
    if !store::start_notice::advance(&mut tx, tournament, last, is_last).await? {
        // Another replica has written this page.
        return Ok(());
    }
    for player in players.into_iter().filter(|player| !on_break.contains(player)) {
        let begun = Begun {
            source: format!("{}/start", source(tournament.id, tournament.created_xid, player)),
            player,
            tournament: tournament.name.clone(),
            game: game.clone(),
            starts: tournament.starts,
            ends: tournament.ends,
        };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, START_TOPIC, &begun).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(START_TOPIC);
    Ok(())
}

/// Sends a notification, unless the tournament is over. A repeat changes nothing at svc-chat.
#[instrument(name = "tournament.notify_begun", skip_all, fields(source = begun.source))]
pub(crate) async fn notify_begun(cx: &Cx, begun: &Begun) -> Result<(), Error> {
    if begun.ends <= cx.clock.now() {
        return Ok(());
    }
    let notification = Notification {
        source: &begun.source,
        player: begun.player,
        kind: NotificationKind::Started { game: &begun.game },
        tournament: &begun.tournament,
        occurred_at: begun.starts,
    };
    Ok(cx.notifications.notify(notification).await?)
}

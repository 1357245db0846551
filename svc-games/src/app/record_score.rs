//! Delivers the scores of tournaments to svc-tournament.
//!
//! The outbox row is written in the transaction in which the score counts. The call that submits
//! the score then records it with svc-tournament itself, for the rank in its reply, and removes the
//! row; if that fails, the relay delivers the row.

use std::time::Duration;

use mesh::{instrument, outbox};
use metrics::counter;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, warn};
use types::PlayerId;

use crate::{
    app::Cx,
    clients::tournaments::Recorded,
    domain::{BoardPlace, PlaySessionId, ScoredRun, TournamentId, TournamentScore, Trust},
    error::Error,
    store,
};

/// The outbox topic of scores for svc-tournament. The id of a row is the session's.
pub(crate) const SCORE_TOPIC: &str = "tournament.score";
/// Longest time that a player waits for the rank.
const RANK_LIMIT: Duration = Duration::from_secs(2);
/// Longest time that a delivery takes; its relay allows 35 s.
const DELIVERY_LIMIT: Duration = Duration::from_secs(15);
/// How long the relay leaves an outbox row to the call that submitted the score.
const OWN_CALL: Duration = Duration::from_secs(5);

/// The payload of an outbox row of [`SCORE_TOPIC`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ScoreRow {
    session: PlaySessionId,
    tournament: TournamentId,
    player: PlayerId,
    points: i32,
    trust: String,
    #[serde(with = "time::serde::rfc3339")]
    reached_at: OffsetDateTime,
    /// When the run began. A row of an earlier version has none.
    #[serde(default, with = "time::serde::rfc3339::option")]
    began_at: Option<OffsetDateTime>,
    /// When an operator released the run.
    #[serde(default, with = "time::serde::rfc3339::option")]
    released_at: Option<OffsetDateTime>,
}

/// The person who makes a run count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountedBy {
    /// Its player, by the call that submitted the score. The call sends the score to svc-tournament
    /// itself, by [`record`].
    Player,
    /// The operator who released it at this time. The relay sends the score, after [`Cx::outbox`] is
    /// notified.
    Operator(OffsetDateTime),
}

/// Makes a run count: as the player's best in the game, and in its tournament.
pub(super) async fn count(
    conn: &mut PgConnection,
    run: &ScoredRun,
    trust: Trust,
    by: CountedBy,
) -> Result<(), Error> {
    store::best_run::keep_better(conn, run, trust).await?;
    let Some(round) = &run.tournament else { return Ok(()) };
    let is_better = store::tournament_run::keep_better(conn, run, round).await?;
    let released_at = match by {
        CountedBy::Player => None,
        CountedBy::Operator(at) => Some(at),
    };
    // A run that is not better changes no board: the better run has, or had, its own outbox row. But
    // svc-tournament may have refused that one, and give an award for a released run.
    if is_better || released_at.is_some() {
        let row = ScoreRow {
            session: run.session,
            tournament: round.tournament,
            player: run.player,
            points: run.points,
            trust: trust.to_string(),
            reached_at: run.reached_at,
            began_at: Some(run.began_at),
            released_at,
        };
        let delay = if released_at.is_none() { OWN_CALL } else { Duration::ZERO };
        outbox::put_delayed(conn, SCORE_TOPIC, run.session.uuid(), &row, delay).await?;
    }
    Ok(())
}

/// Records a score with svc-tournament and returns the player's place on the board. `None` when
/// svc-tournament refuses the score, or when it is unreachable and the relay will record the score.
pub(super) async fn record(
    cx: &Cx,
    session: PlaySessionId,
    score: &TournamentScore,
) -> Option<BoardPlace> {
    let recorded = cx.tournaments.record(score, RANK_LIMIT).await;
    let recorded = recorded
        .inspect_err(|error| warn!(error = format!("{error:#}"), "the score is recorded later"))
        .ok()?;
    match recorded {
        Recorded::Yes(place) => {
            remove_row(cx, session).await;
            Some(place)
        }
        // The relay reports the refusal. The row may be that of an operator's release meanwhile,
        // which svc-tournament does not refuse.
        Recorded::Refused(_) => None,
    }
}

/// Removes the outbox row of a recorded score. A row that stays is delivered again, which changes
/// nothing.
async fn remove_row(cx: &Cx, session: PlaySessionId) {
    let removed = async {
        let mut conn = cx.db.acquire().await?;
        outbox::remove(&mut conn, SCORE_TOPIC, session.uuid()).await
    };
    if let Err(error) = removed.await {
        warn!(%error, "the outbox row stays");
    }
}

/// Delivers an outbox row. A refused score counts as delivered: no refusal is worth a retry.
#[instrument(name = "games.deliver_score", skip_all,
    fields(session.id = %row.session, tournament.id = %row.tournament))]
pub(crate) async fn deliver_score(cx: &Cx, row: &ScoreRow) -> Result<(), Error> {
    let score = TournamentScore {
        tournament: row.tournament,
        player: row.player,
        points: row.points,
        trust: row.trust.parse().map_err(anyhow::Error::from)?,
        reached_at: row.reached_at,
        began_at: row.began_at.unwrap_or(row.reached_at),
        released_at: row.released_at,
    };
    if let Recorded::Refused(reason) = cx.tournaments.record(&score, DELIVERY_LIMIT).await? {
        report(row.session, &reason);
    }
    Ok(())
}

fn report(session: PlaySessionId, reason: &str) {
    counter!("tournament_scores_refused_total", "reason" => reason.to_owned()).increment(1);
    error!(%session, reason, "svc-tournament refused a score");
}

//! The runs that may still change a board.

use mesh::instrument;
use time::Duration;

use super::record_score::SCORE_TOPIC;
use crate::{app::Cx, domain::TournamentId, error::Error, store};

/// How long after its submission a session without an outcome counts as open. Its process died or
/// was overloaded, and only a repeat of the same submission continues it; games' pages repeat for
/// two minutes.
const CONTINUED: Duration = Duration::minutes(5);

/// How long after its expiry a session without a submission counts as open: its claim may be in
/// flight for as long as a statement may take, and the clocks of replicas differ.
const IN_FLIGHT: Duration = Duration::seconds(7);

/// How many runs of a tournament may still change its board: submitted ones whose score
/// svc-tournament may not have yet, and sessions that may still submit one.
#[instrument(name = "games.get_open_runs", skip_all, fields(tournament.id = %tournament))]
pub(crate) async fn get_open_runs(cx: &Cx, tournament: TournamentId) -> Result<u32, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let since = (now - CONTINUED, now - IN_FLIGHT);
    let unfinished =
        store::session::count_unfinished(&mut conn, tournament, since, SCORE_TOPIC).await?;
    Ok(u32::try_from(unfinished).unwrap_or(u32::MAX))
}

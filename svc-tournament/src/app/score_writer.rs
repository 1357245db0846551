//! Writes the scores that wait at the same time together. Each call has its reply after the
//! commit of its own score.

use std::collections::HashSet;

use mesh::{
    batch::{Batcher, Work},
    db::Pool,
};
use types::PlayerId;

use crate::{
    domain::{GRACE, NewScore, TournamentId},
    error::Error,
    store::standing,
};

/// Scores that wait to be written. Cheap to clone.
pub(crate) type ScoreWriter = Batcher<Scores>;

/// Writes scores if they are the best of their players; see [`standing::record`].
pub(crate) struct Scores(pub(crate) Pool);

impl Work for Scores {
    type Item = NewScore;
    type Joined = HashSet<(TournamentId, PlayerId)>;
    /// The `created_xid` of the tournament of a score that was written; `None` if it was not.
    type Reply = Option<i64>;
    type Error = Error;

    const NAME: &'static str = "write scores";
    const AT_ONCE: usize = 2;
    const MOST: usize = 64;

    fn join(score: &NewScore, joined: &mut Self::Joined) -> bool {
        joined.insert((score.tournament, score.player))
    }

    async fn run(&self, scores: &[NewScore]) -> Result<Vec<Option<i64>>, Error> {
        let mut conn = self.0.acquire().await?;
        let written = standing::record(&mut conn, scores, GRACE.as_seconds_f64()).await?;
        Ok(scores
            .iter()
            .map(|score| written.get(&(score.tournament, score.player)).copied())
            .collect())
    }

    /// One of the tournaments was closed meanwhile.
    fn is_of_one_item(error: &Error) -> bool {
        matches!(error, Error::Refused(_))
    }
}

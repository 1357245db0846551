//! Writes waiting scores in batches. Each call gets its reply after its own score is committed.

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
    /// The `created_xid` of the score's tournament; `None` if the score was not written.
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

    /// Whether the error concerns one item of the batch: its tournament was closed meanwhile.
    fn is_of_one_item(error: &Error) -> bool {
        matches!(error, Error::Refused(_))
    }
}

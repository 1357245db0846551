//! Counts the players of ongoing tournaments, for the list.

use mesh::{instrument, jobs::Round};

use super::{Cx, read_board::read_board};
use crate::{error::Error, store};

/// Writes the number of players of each ongoing tournament, if it changed. A board in memory has
/// the number; for other tournaments the rows are counted, so that no board is loaded.
#[instrument(name = "tournament.count_players", skip_all)]
pub(crate) async fn count_players(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let ongoing = store::tournament::ongoing(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for id in ongoing {
        let is_loaded = cx.boards.existing(id).is_some_and(|slot| slot.read().is_some());
        let players = if is_loaded {
            match read_board(cx, id, |board| i64::try_from(board.players()).unwrap_or(i64::MAX))
                .await
            {
                Ok(Some(players)) => players,
                // The tournament was settled or removed meanwhile.
                Ok(None) | Err(Error::Refused(_)) => continue,
                Err(error) => return Err(error),
            }
        } else {
            store::standing::count(&mut *cx.db.acquire().await?, id).await?
        };
        store::tournament::set_players(&mut *cx.db.acquire().await?, id, players).await?;
    }
    Ok(Round::Done)
}

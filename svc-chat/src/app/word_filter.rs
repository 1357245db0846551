//! Reads the words that no message may contain.

use std::sync::Arc;

use time::Duration;
use tracing::warn;

use super::{Cx, words::Read};
use crate::{domain::WordFilter, error::Error, store};

/// How long the words are used before they are read again.
const MAX_AGE: Duration = Duration::seconds(10);

/// The filter, at most 10 s old. While the words cannot be read, the last filter.
pub(super) async fn word_filter(cx: &Cx) -> Result<Arc<WordFilter>, Error> {
    let now = cx.clock.now();
    let known = {
        let mut words = cx.words.lock();
        match words.as_mut() {
            Some(read) if (now - read.at).abs() < MAX_AGE => return Ok(Arc::clone(&read.filter)),
            Some(read) => {
                // Other calls use the last filter while this call reads.
                read.at = now;
                Some(Arc::clone(&read.filter))
            }
            None => None,
        }
    };
    match (read(cx).await, known) {
        (Ok(filter), _) => {
            let filter = Arc::new(filter);
            *cx.words.lock() = Some(Read { at: now, filter: Arc::clone(&filter) });
            Ok(filter)
        }
        (Err(error), Some(known)) => {
            warn!(%error, "cannot read the words of the filter");
            Ok(known)
        }
        (Err(error), None) => Err(error),
    }
}

async fn read(cx: &Cx) -> Result<WordFilter, Error> {
    let mut conn = cx.db.acquire().await?;
    let words = store::safety_admin::words(&mut conn).await?;
    Ok(WordFilter::new(words.iter().map(String::as_str)))
}

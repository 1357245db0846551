//! A player's copy as a file.

use mesh::{auth::Player, instrument};
use strum::IntoEnumIterator as _;
use tokio::sync::mpsc;
use types::PlayerId;

use super::Cx;
use crate::{
    document::Document,
    domain::{CopyFormat, DataCopy, Source},
    error::{Error, Refused},
    store,
};

/// Records that are read at once: a part of the file has at most these.
const PAGE: i64 = 50;

/// The sender of a file's parts.
type Parts = mpsc::Sender<Result<String, Error>>;

/// Returns the parts of the caller's complete copy as a file. A part is read when the one before it
/// was taken, so that a long copy takes little memory.
#[instrument(name = "auth.download_data_copy", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn download_data_copy(
    cx: &Cx,
    caller: Player,
    format: CopyFormat,
) -> Result<mpsc::Receiver<Result<String, Error>>, Error> {
    let now = cx.clock.now();
    caller.check_device(now)?;
    let mut conn = cx.db.acquire().await?;
    let found = store::data_copy::find(&mut conn, caller.id, now).await?;
    drop(conn);
    let copy = found.filter(|copy| copy.completed_at.is_some()).ok_or(Refused::DataCopyNotFound)?;
    let document = Document::new(format, caller.id, copy);
    let (parts, receiver) = mpsc::channel(1);
    let (cx, player) = (cx.clone(), caller.id);
    cx.shutdown.clone().spawn_contained("data copy", async move {
        if let Err(error) = write(&cx, player, copy, document, &parts).await {
            // A failure to send means that the caller left, and needs no error.
            let _ = parts.send(Err(error)).await;
        }
    });
    Ok(receiver)
}

/// Sends all parts, or those until the caller leaves.
async fn write(
    cx: &Cx,
    player: PlayerId,
    copy: DataCopy,
    mut document: Document,
    parts: &Parts,
) -> Result<(), Error> {
    if parts.send(Ok(document.begin()?)).await.is_err() {
        return Ok(());
    }
    for source in Source::iter() {
        let mut place = 0;
        loop {
            let mut conn = cx.db.acquire().await?;
            let records =
                store::data_copy::list_records(&mut conn, player, source, place, PAGE).await?;
            drop(conn);
            if records.is_empty() {
                break;
            }
            place += i32::try_from(records.len()).map_err(anyhow::Error::from)?;
            if parts.send(Ok(document.records(source, records)?)).await.is_err() {
                return Ok(());
            }
        }
    }
    // A copy that was deleted meanwhile has lost the rest of its records.
    let mut conn = cx.db.acquire().await?;
    let found = store::data_copy::find(&mut conn, player, copy.requested_at).await?;
    drop(conn);
    if found != Some(copy) {
        return Err(Refused::DataCopyNotFound.into());
    }
    // A failure to send means that the caller left.
    let _ = parts.send(Ok(document.end())).await;
    Ok(())
}

//! Queries without side effects.

use std::collections::HashMap;

use mesh::{auth::Player, call::Call, instrument, texts};
use tracing::warn;
use types::{Money, Page, PlayerId};

use crate::{
    app::Cx,
    domain::{HistoryLine, ListedMethod, TransactionId, stored_detail},
    error::{Error, Refused},
    store,
};

/// The balance of the caller's wallet, and how much of it can be spent.
#[instrument(name = "wallet.balance", skip_all, fields(player.id = %player.id))]
pub(crate) async fn balance(cx: &Cx, player: Player) -> Result<(Money, Money), Error> {
    let mut conn = cx.db.acquire().await?;
    let (posted, held) = store::wallet::balance(&mut conn, player.id).await?;
    // `wallet_covers` keeps posted >= held.
    Ok((posted, posted.checked_sub(held).unwrap_or_default()))
}

/// A page of the caller's history, newest first: the lines before a cursor, or else by number.
#[instrument(name = "wallet.history", skip_all, fields(player.id = %player.id))]
pub(crate) async fn history(
    cx: &Cx,
    player: Player,
    before: Option<i64>,
    page: Page,
) -> Result<Vec<HistoryLine>, Error> {
    let mut conn = cx.db.acquire().await?;
    let mut lines = store::journal::history(&mut conn, player.id, before, page).await?;
    drop(conn);
    describe(cx, &mut lines).await;
    Ok(lines)
}

/// One line of the caller's history.
#[instrument(name = "wallet.transaction", skip_all, fields(player.id = %player.id))]
pub(crate) async fn transaction(
    cx: &Cx,
    player: Player,
    id: TransactionId,
) -> Result<HistoryLine, Error> {
    let mut conn = cx.db.acquire().await?;
    let line = store::journal::find_line(&mut conn, player.id, id).await?;
    drop(conn);
    let mut line = [line.ok_or(Refused::UnknownTransaction)?];
    describe(cx, &mut line).await;
    let [line] = line;
    Ok(line)
}

/// Sets the detail of each line in the language of the call: what PlayOn stored with it, or else who
/// or what is on the other side. Words that are in no catalogue stay as they are.
pub(crate) async fn describe(cx: &Cx, lines: &mut [HistoryLine]) {
    let others: Vec<PlayerId> = lines.iter().filter_map(HistoryLine::other_player).collect();
    // Without svc-auth the history is shown without names.
    let names = cx.players.names(&others).await.unwrap_or_else(|error| {
        warn!(%error, "cannot read the names of a history");
        HashMap::new()
    });
    let language = Call::current().language;
    for line in lines {
        let name = line.other_player().and_then(|other| names.get(&other));
        let text = match &line.detail {
            Some(detail) => stored_detail::text_of(detail),
            None => line.other_side(name.map(|name| &**name)),
        };
        if let Some(words) = text.and_then(|text| texts::render(&text, language)) {
            line.detail = Some(words.into_owned());
        }
    }
}

/// Returns the payment methods, in the order to show them.
#[instrument(name = "wallet.methods", skip_all)]
pub(crate) async fn methods(cx: &Cx) -> Result<Vec<ListedMethod>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::payment_method::list(&mut conn).await?)
}

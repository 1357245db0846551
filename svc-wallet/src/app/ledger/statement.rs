//! Statements of a wallet.

use mesh::{auth::Player, call::Call, instrument};
use types::Page;

use crate::{
    app::{Cx, ledger::read::describe},
    domain::{Days, HistoryLine, Statement, StatementLine},
    error::{Error, Refused},
    store,
};

/// The contract's limit of transactions on a statement.
const LINES_MAX: u32 = 5_000;

/// Returns the caller's statement of some days.
#[instrument(name = "wallet.statement", skip_all, fields(player.id = %player.id))]
pub(crate) async fn statement(cx: &Cx, player: Player, days: Days) -> Result<Statement, Error> {
    let id = player.id;
    let mut conn = cx.db.acquire().await?;
    let range = store::journal::range(&mut conn, id, days.begins_at(), days.ends_at()).await?;
    let opening = store::journal::balance_before(&mut conn, id, range.start).await?;
    let closing = store::journal::balance_before(&mut conn, id, range.end).await?;
    // Read one line more than the limit: it shows that there are too many.
    let limit = LINES_MAX + 1;
    let page = Page::parse(0, limit, limit).map_err(anyhow::Error::from)?;
    let mut lines = store::journal::history(&mut conn, id, Some(range.end), page).await?;
    drop(conn);
    lines.retain(|line| range.contains(&line.cursor));
    if lines.len() > usize::try_from(LINES_MAX).unwrap_or(usize::MAX) {
        return Err(Refused::StatementTooLong.into());
    }
    lines.reverse();
    describe(cx, &mut lines).await;
    let names = cx.players.names(&[id]).await.unwrap_or_default();
    let language = Call::current().language;
    // Without svc-auth the statement has no name.
    let holder = names.get(&id).map(|name| (**name).to_owned());
    Ok(Statement {
        language,
        holder,
        days,
        opening,
        closing,
        lines: lines.into_iter().map(line).collect(),
    })
}

fn line(line: HistoryLine) -> StatementLine {
    StatementLine {
        id: line.id.to_string(),
        at: line.at,
        title: line.title(),
        detail: line.detail,
        amount: line.amount,
        balance: line.balance_after,
        receipt: line.receipt,
    }
}

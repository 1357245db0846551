//! What players spend and win, and the limits that they set themselves.

use mesh::{auth::Player, instrument};
use time::OffsetDateTime;
use types::Money;

use crate::{
    app::Cx,
    domain::{ByPeriod, LEAST_LIMIT, MOST_LIMIT, Period, SpendingKind, SpendingLimit, Spent},
    error::{Error, Refused},
    store,
};

/// What a player has spent and won in the periods that a time is in, with the player's limits.
pub(crate) struct Spending {
    pub(crate) now: OffsetDateTime,
    pub(crate) spent: Spent,
    pub(crate) won: ByPeriod<Money>,
    pub(crate) limits: Vec<SpendingLimit>,
}

/// Returns what the caller has spent and won.
#[instrument(name = "wallet.spending", skip_all, fields(player.id = %player.id))]
pub(crate) async fn spending(cx: &Cx, player: Player) -> Result<Spending, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let spent = store::payment::spent(&mut conn, player.id, now, None).await?;
    let won = store::journal::won(&mut conn, player.id, now).await?;
    let limits = store::spending_limit::list(&mut conn, player.id).await?;
    Ok(Spending { now, spent, won, limits })
}

/// Sets or removes one of the caller's limits.
#[instrument(name = "wallet.set_spending_limit", skip_all, fields(player.id = %player.id))]
pub(crate) async fn set_spending_limit(
    cx: &Cx,
    player: Player,
    (kind, period): (SpendingKind, Period),
    wanted: Option<Money>,
) -> Result<Spending, Error> {
    if wanted.is_some_and(|limit| !(LEAST_LIMIT..=MOST_LIMIT).contains(&limit)) {
        return Err(Refused::SpendingLimitRange.into());
    }
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // A payment of the same moment is checked before or after the change.
    store::payment::lock_payer(&mut tx, player.id).await?;
    let limits = store::spending_limit::list(&mut tx, player.id).await?;
    let before = limits.into_iter().find(|limit| (limit.kind, limit.period) == (kind, period));
    let before = before.unwrap_or(SpendingLimit::none(kind, period));
    let after = before.set(wanted, now);
    store::spending_limit::put(&mut tx, player.id, &after, now).await?;
    tx.commit().await?;
    spending(cx, player).await
}

//! The packages that players can buy, and those that they hold.

use std::collections::HashMap;

use mesh::{auth::Player, instrument};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{Package, PackageManifest, Payment, PaymentId, Subscription, Term},
    error::Error,
    store,
};

/// The contract's limit of listed subscriptions.
const LISTED: i64 = 100;

/// Gives the beneficiary of a payment its package for 24 hours, in the transaction that moves the
/// money: from `now`, or from the end of the same package if it still runs. A payment buys one day
/// only.
pub(crate) async fn grant(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let Some(package) = payment.package else {
        return Err(anyhow::anyhow!("a subscription without a package").into());
    };
    let player = payment.beneficiary;
    // Two payments of a player that settle at the same time would both extend the same end.
    store::subscription::lock(conn, player).await?;
    if store::subscription::has_day(conn, payment.id).await? {
        return Ok(());
    }
    let latest = store::subscription::latest(conn, player, package).await?;
    let extended = latest.and_then(|held| Some((held.id, held.term.extended(now)?)));
    let subscription = if let Some((id, term)) = extended {
        store::subscription::set_expiry(conn, id, term.expires_at).await?;
        id
    } else {
        let id = cx.rng.uuid_v7(now).into();
        let subscription = Subscription { id, package, term: Term::day_from(now) };
        store::subscription::insert(conn, player, &subscription).await?;
        id
    };
    Ok(store::subscription::insert_day(conn, payment.id, subscription, now).await?)
}

/// Removes the unused part of the day that a payment bought, in the transaction that gives its
/// money back. A repeat removes nothing more.
pub(crate) async fn revoke(
    conn: &mut PgConnection,
    player: PlayerId,
    payment: PaymentId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::subscription::lock(conn, player).await?;
    if let Some(held) = store::subscription::revoke_day(conn, payment, now).await? {
        let term = held.term.shortened(now);
        store::subscription::set_expiry(conn, held.id, term.expires_at).await?;
    }
    Ok(())
}

/// The packages that can be bought, cheapest first.
#[instrument(name = "wallet.packages", skip_all)]
pub(crate) async fn packages(cx: &Cx) -> Result<Vec<PackageManifest>, Error> {
    let mut packages = store::content::packages(&mut *cx.db.acquire().await?).await?;
    packages.sort_unstable_by_key(|offered| (offered.amount, offered.package));
    Ok(packages)
}

/// The caller's subscriptions, those that end last first, and the time of the list.
#[instrument(name = "wallet.subscriptions", skip_all, fields(player.id = %player.id))]
pub(crate) async fn subscriptions(
    cx: &Cx,
    player: Player,
) -> Result<(Vec<Subscription>, OffsetDateTime), Error> {
    let mut conn = cx.db.acquire().await?;
    let held = store::subscription::list(&mut conn, player.id, LISTED).await?;
    Ok((held, cx.clock.now()))
}

/// The best package that each of these players held at a time of their own, without those who held
/// none.
#[instrument(name = "wallet.held_packages", skip_all, fields(players = players.len()))]
pub(crate) async fn held_packages(
    cx: &Cx,
    players: &[(PlayerId, OffsetDateTime)],
) -> Result<HashMap<PlayerId, Package>, Error> {
    let mut conn = cx.db.acquire().await?;
    let mut best: HashMap<PlayerId, Package> = HashMap::new();
    for (player, package) in store::subscription::held(&mut conn, players).await? {
        best.entry(player).and_modify(|held| *held = package.max(*held)).or_insert(package);
    }
    Ok(best)
}

//! Pays an award from the promotions account: an idempotent write of a service.

use mesh::{db, instrument};
use sqlx::PgConnection;

use super::Cx;
use crate::{
    domain::{Award, Entry, HouseAccount, JournalKind, Side},
    error::{Error, Refused},
    store,
};

/// Pays an award, once for its id. A repeat moves nothing.
///
/// The player need not exist: one who deleted the account keeps a wallet, as with a boost
/// that is settled after the deletion. The caller notifies the player.
#[instrument(name = "wallet.pay_award", skip_all,
    fields(award.id = %award.id, player.id = %award.player))]
pub(crate) async fn pay_award(cx: &Cx, award: &Award) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    // Without the wallet's lock, which a repeat does not need.
    if is_repeat(&mut tx, award).await? {
        return Ok(());
    }
    let wallets = store::wallet::lock(&mut tx, cx.clock.now(), &[award.player]).await?;
    // A repeat at the same time waited for the lock. One for another player did not: it meets
    // `journal_once`, and is refused when it is repeated.
    if is_repeat(&mut tx, award).await? {
        return Ok(());
    }
    let entry = Entry {
        kind: JournalKind::Award,
        reference: award.id.uuid(),
        from: Side::House(HouseAccount::Promotions),
        to: Side::Wallet { player: award.player, detail: Some(award.detail.clone()) },
        amount: award.amount,
    };
    let id = cx.rng.uuid_v7(cx.clock.now());
    let posted = store::journal::post(&mut tx, id, award.awarded_at, &entry, &wallets).await;
    posted.map_err(|error| match db::violated(&error) {
        Some("journal_once") => Error::Conflict,
        _ => error.into(),
    })?;
    tx.commit().await?;
    Ok(())
}

/// Whether the award is paid. Refused when its id was used with other content.
async fn is_repeat(conn: &mut PgConnection, award: &Award) -> Result<bool, Error> {
    match store::journal::find_award(conn, award.id).await? {
        None => Ok(false),
        Some(paid) if award.is(&paid) => Ok(true),
        Some(_) => Err(Refused::AwardReused.into()),
    }
}

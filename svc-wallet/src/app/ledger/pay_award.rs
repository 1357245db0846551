//! Paying an award from the promotions account: an idempotent write, called by a service.

use mesh::instrument;
use metrics::counter;
use sqlx::PgConnection;

use super::{promotions::check_promotions, tax::take_tax};
use crate::{
    app::Cx,
    domain::{Award, Entry, HouseAccount, JournalKind, Posted, Side, Tax},
    error::{Error, Refused},
    store,
};

/// Pays an award, once for its id, and withholds the tax on it. A repeat moves nothing. An award is
/// refused when its hour has paid [`Cx::awards_an_hour`], or when the promotions account cannot pay
/// it; the caller repeats it later.
///
/// The player need not exist: a player who deleted the account keeps a wallet, as with a boost that
/// is settled after the deletion. The caller notifies the player.
#[instrument(name = "wallet.pay_award", skip_all,
    fields(award.id = %award.id, player.id = %award.player))]
pub(crate) async fn pay_award(cx: &Cx, award: &Award) -> Result<(), Error> {
    let entry = Entry::new(
        JournalKind::Award,
        award.id.uuid(),
        Side::House(HouseAccount::Promotions),
        Side::Wallet { player: award.player, detail: Some(award.detail.clone()) },
        award.amount,
    );
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    match store::ledger::post(&mut tx, cx.rng.uuid_v7(now), award.awarded_at, &entry).await? {
        Posted::Done => {
            let won = (award.player, award.amount);
            take_tax(&mut tx, cx, Tax::Withholding, won, award.id.uuid(), now).await?;
            if store::award_hour::add(&mut tx, award.amount, now).await? > cx.awards_an_hour {
                counter!("awards_over_limit_total").increment(1);
                // Returning here rolls the transaction back.
                return Err(Refused::AwardsOverLimit.into());
            }
            store::promotion::lock(&mut tx).await?;
            let from_reservation = match award.reservation {
                Some(id) => store::promotion::pay(&mut tx, id, award.amount, now).await?,
                None => false,
            };
            check_promotions(&mut tx, cx, from_reservation).await.inspect_err(|error| {
                if matches!(error, Error::Refused(_)) {
                    counter!("promotions_spent_total").increment(1);
                }
            })?;
            Ok(tx.commit().await?)
        }
        Posted::Repeated => check_repeat(&mut tx, award).await,
        Posted::InsufficientFunds => {
            Err(anyhow::anyhow!("a house account without a balance was refused").into())
        }
    }
}

/// Refuses an id that was used with other content.
async fn check_repeat(conn: &mut PgConnection, award: &Award) -> Result<(), Error> {
    match store::journal::find_award(conn, award.id).await? {
        // A concurrent call for another player used the id first, and its journal is not visible
        // yet.
        None => Err(Error::Conflict),
        Some(paid) if award.is(&paid) => Ok(()),
        Some(_) => Err(Refused::AwardReused.into()),
    }
}

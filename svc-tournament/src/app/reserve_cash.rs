//! Reserves the cash of tournaments at svc-wallet.
//!
//! ```text
//! apply  ─ before its transaction: outbox(wallet.reservation, due in a minute), then svc-wallet reserves, or refuses
//!        ─ in its transaction: outbox(wallet.reservation) in place of that row
//! settle, delete ─ in their transactions: outbox(wallet.reservation)
//! outbox ─ match_reservation: svc-wallet reserves what the tournament in the database needs
//! ```
//!
//! So whatever dies or is refused in between, the reservation is that of the tournament in the end.

use std::time::Duration;

use mesh::{content::Application, instrument, outbox};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use types::{Key, Money, uuid::Uuid};

use super::Cx;
use crate::{
    clients::wallets::CashReservation,
    domain::{LATE_SCORES, TournamentManifest},
    error::Error,
    store::{self, tournament::CashNeeded},
};

/// The outbox topic of reservations that may differ from what their tournaments need.
pub(crate) const RESERVATION_TOPIC: &str = "wallet.reservation";
/// How long an application may take before its reservation is compared with the database.
const APPLIED_WITHIN: Duration = Duration::from_mins(1);

/// The payload of an outbox row of [`RESERVATION_TOPIC`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Reserved {
    pub(super) reservation: Uuid,
    /// The tournament's key.
    pub(super) tournament: String,
}

/// A reservation that was made for a manifest before its transaction.
pub(super) struct Ahead {
    pub(super) reserved: Reserved,
    /// The id of the outbox row that is due if the manifest is not applied.
    row: Uuid,
}

/// Reserves the cash of a manifest that is about to be applied; `None` where the application
/// changes no cash. The reservation is never below what the tournament has already.
pub(super) async fn reserve_ahead(
    cx: &Cx,
    by: &Application,
    manifest: &TournamentManifest,
) -> Result<Option<Ahead>, Error> {
    if by.dry_run {
        return Ok(None);
    }
    let (id, now) = (store::content::tournament_id(&manifest.key), cx.clock.now());
    let mut tx = cx.db.begin().await?;
    let known = store::content::manifests(&mut tx, Some(id), "", 1).await?.pop();
    let stored = store::content::lock_tournament(&mut tx, id).await?;
    let cash = known.as_ref().map_or(Money::ZERO, TournamentManifest::cash).max(manifest.cash());
    let is_closed = stored.as_ref().is_some_and(|stored| stored.closed);
    if cash == Money::ZERO || is_closed || known.as_ref() == Some(manifest) {
        return Ok(None);
    }
    let reservation = stored.and_then(|stored| stored.reservation);
    let reserved = Reserved {
        reservation: reservation.unwrap_or_else(|| cx.rng.uuid_v7(now)),
        tournament: manifest.key.as_str().to_owned(),
    };
    let row = cx.rng.uuid_v7(now);
    outbox::put_delayed(&mut tx, RESERVATION_TOPIC, row, &reserved, APPLIED_WITHIN).await?;
    tx.commit().await?;
    let ends = known.map_or(manifest.ends, |known| known.ends.max(manifest.ends));
    let reservation = CashReservation {
        id: reserved.reservation,
        amount: cash,
        purpose: &reserved.tournament,
        until: ends + LATE_SCORES,
    };
    cx.wallets.reserve(reservation).await?;
    Ok(Some(Ahead { reserved, row }))
}

impl Ahead {
    /// Has the reservation compared with the tournament as soon as the transaction has committed,
    /// whether it has applied the manifest or stored a proposal.
    pub(super) async fn ended(&self, cx: &Cx, conn: &mut PgConnection) -> Result<(), Error> {
        outbox::remove(conn, RESERVATION_TOPIC, self.row).await?;
        put_reserved(cx, conn, &self.reserved).await
    }
}

/// Has a reservation compared with its tournament once the transaction has committed.
pub(super) async fn put_reserved(
    cx: &Cx,
    conn: &mut PgConnection,
    reserved: &Reserved,
) -> Result<(), Error> {
    Ok(outbox::put(conn, &cx.clock, &cx.rng, RESERVATION_TOPIC, reserved).await?)
}

/// Reserves what the tournament needs: the most that its awards cost, or what was won once it is
/// settled. A reservation that is not, or no more, the tournament's keeps what its awards need.
#[instrument(name = "tournament.match_reservation", skip_all,
    fields(reservation.id = %reserved.reservation))]
pub(crate) async fn match_reservation(cx: &Cx, reserved: &Reserved) -> Result<(), Error> {
    let key = Key::parse(&reserved.tournament).map_err(anyhow::Error::from)?;
    let id = store::content::tournament_id(&key);
    let needed = store::tournament::cash_needed(&mut *cx.db.acquire().await?, id).await?;
    let (purpose, now) = (key.as_str(), cx.clock.now());
    if needed.is_none_or(|needed| needed.reservation != reserved.reservation) {
        // The awards of a settled tournament that was removed may not be paid yet.
        let (of, conn) = (reserved.reservation, &mut *cx.db.acquire().await?);
        let amount = store::given_award::sum_of_reservation(conn, id, of).await?;
        let until = if amount == Money::ZERO { now } else { now + LATE_SCORES };
        cx.wallets.reserve(CashReservation { id: of, amount, purpose, until }).await?;
    }
    if let Some(CashNeeded { reservation: id, cash: amount, ends }) = needed {
        let until = ends.max(now) + LATE_SCORES;
        cx.wallets.reserve(CashReservation { id, amount, purpose, until }).await?;
    }
    // The reply to another comparison, which read the tournament later, may have come first.
    let after = store::tournament::cash_needed(&mut *cx.db.acquire().await?, id).await?;
    if after == needed { Ok(()) } else { Err(Error::Conflict) }
}

//! The rows of svc-wallet's tables: what its migrations define and its use cases write.

use anyhow::{Result, ensure};
use sqlx::PgConnection;
use uuid::{Uuid, uuid};

use crate::{
    dataset::{
        copy::CopyIn,
        movements::{Kind, Movement, Movements},
        players::{Dataset, player_id, signed_up_at, uuid_v7},
    },
    random::{SplitMix64, Zipf},
};

/// The account that top-ups by M-Pesa come from; its id is fixed by the migrations.
const MPESA_UTILITY: Uuid = uuid!("00000000-0000-7000-8000-000000000001");

/// Copies the whole data set into svc-wallet's tables.
pub(crate) async fn copy(conn: &mut PgConnection, dataset: Dataset) -> Result<()> {
    let zipf = Zipf::new(dataset.wallets);
    let movements = || Movements::new(dataset, &zipf);
    payments(conn, movements()?).await?;
    payment_events(conn, movements()?).await?;
    stk_pushes(conn, movements()?).await?;
    journals(conn, movements()?).await?;
    let mut all = movements()?;
    postings(conn, dataset, all.by_ref()).await?;
    wallets(conn, all).await
}

async fn payments(conn: &mut PgConnection, movements: Movements<'_>) -> Result<()> {
    const COLUMNS: &str = "id, kind, method, payer_id, beneficiary_id, amount_cents, state, \
                           request_digest, fingerprint, created_at, updated_at";
    let mut copy = CopyIn::begin(conn, "payment", COLUMNS).await?;
    for movement in movements {
        let (kind, method) = match movement.kind {
            Kind::TopUp => ("TOPUP", "MPESA"),
            Kind::Boost { .. } => ("BOOST", "WALLET"),
        };
        let mut random = SplitMix64::new(movement.number);
        let row = copy.rows().row(11).uuid(payment_id(&movement)).text(kind).text(method);
        let row = row.uuid(player_id(movement.payer)).uuid(player_id(movement.beneficiary));
        let row = row.bigint(movement.cents).text("SUCCEEDED");
        // A digest is as random as a UUID of version 4.
        row.uuid(Uuid::from_u64_pair(random.bits(), random.bits()))
            .bytea(&fingerprint(&mut random))
            .timestamptz(movement.at)
            .timestamptz(movement.at);
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

async fn payment_events(conn: &mut PgConnection, movements: Movements<'_>) -> Result<()> {
    let mut copy = CopyIn::begin(conn, "payment_event", "payment_id, state, cause, at").await?;
    for movement in movements {
        let row = copy.rows().row(4).uuid(payment_id(&movement));
        row.text("SUCCEEDED").text("asked").timestamptz(movement.at);
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

async fn stk_pushes(conn: &mut PgConnection, movements: Movements<'_>) -> Result<()> {
    const COLUMNS: &str = "payment_id, msisdn, merchant_request_id, checkout_request_id, \
                           result_code, receipt, paid_at, created_at";
    let mut copy = CopyIn::begin(conn, "stk_push", COLUMNS).await?;
    for movement in movements.filter(|movement| movement.kind == Kind::TopUp) {
        let number = movement.number;
        copy.rows()
            .row(8)
            .uuid(payment_id(&movement))
            .text(&format!("2547{:08}", movement.payer))
            .text(&format!("bench-{number}"))
            .text(&format!("ws_CO_bench_{number:010}"))
            .text("0")
            .text(&format!("BENCH{number:010}"))
            .timestamptz(movement.at)
            .timestamptz(movement.at);
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

async fn journals(conn: &mut PgConnection, movements: Movements<'_>) -> Result<()> {
    let mut copy = CopyIn::begin(conn, "journal", "id, kind, ref, created_at").await?;
    for movement in movements {
        let kind = match movement.kind {
            Kind::TopUp => "TOPUP",
            Kind::Boost { .. } => "BOOST",
        };
        let row = copy.rows().row(4).uuid(journal_id(&movement)).text(kind);
        row.uuid(payment_id(&movement)).timestamptz(movement.at);
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

async fn postings(
    conn: &mut PgConnection,
    dataset: Dataset,
    movements: impl Iterator<Item = Movement>,
) -> Result<()> {
    const COLUMNS: &str = "journal_id, account_id, amount_cents, balance_after_cents, kind, ref, \
                           created_at, counterparty_id";
    let mut copy = CopyIn::begin(conn, "posting", COLUMNS).await?;
    for movement in movements {
        let (journal, payment) = (journal_id(&movement), payment_id(&movement));
        let payee = player_id(movement.beneficiary);
        let row = copy.rows().row(8).uuid(journal);
        let (kind, payer, row) = match movement.kind {
            Kind::TopUp => {
                let row = row.uuid(MPESA_UTILITY).bigint(-movement.cents).null();
                ("TOPUP", MPESA_UTILITY, row)
            }
            Kind::Boost { payer_after } => {
                let payer = player_id(movement.payer);
                let row = row.uuid(payer).bigint(-movement.cents).bigint(payer_after);
                ("BOOST", payer, row)
            }
        };
        row.text(kind).uuid(payment).timestamptz(movement.at).uuid(payee);
        let row = copy.rows().row(8).uuid(journal).uuid(payee);
        let row = row.bigint(movement.cents).bigint(movement.beneficiary_after);
        row.text(kind).uuid(payment).timestamptz(movement.at).uuid(payer);
        copy.flush().await?;
    }
    let copied = copy.finish().await?;
    ensure!(copied == dataset.postings, "{copied} postings were copied");
    Ok(())
}

async fn wallets(conn: &mut PgConnection, movements: Movements<'_>) -> Result<()> {
    const COLUMNS: &str = "player_id, posted_cents, version, created_at";
    let mut copy = CopyIn::begin(conn, "wallet", COLUMNS).await?;
    for (index, wallet) in (0..).zip(movements.into_wallets()?) {
        let id = player_id(index);
        let row = copy.rows().row(4).uuid(id).bigint(wallet.cents).bigint(wallet.version);
        row.timestamptz(signed_up_at(index));
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

/// The username of a player, as receipts show it.
pub(crate) fn username(index: u32) -> String {
    format!("bench_{index:07}")
}

fn payment_id(movement: &Movement) -> Uuid {
    uuid_v7(movement.at, &mut SplitMix64::new(2 * movement.number))
}

fn journal_id(movement: &Movement) -> Uuid {
    uuid_v7(movement.at, &mut SplitMix64::new(2 * movement.number + 1))
}

/// Random bytes, as many as the digest that svc-wallet stores.
fn fingerprint(random: &mut SplitMix64) -> Vec<u8> {
    (0..4).flat_map(|_| random.bits().to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_payments_and_journals_differ() {
        let zipf = Zipf::new(10);
        let dataset = Dataset { wallets: 10, postings: 200 };
        let all: Vec<Movement> = Movements::new(dataset, &zipf).unwrap().collect();
        let mut ids: Vec<Uuid> =
            all.iter().flat_map(|one| [payment_id(one), journal_id(one)]).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 200);
    }

    #[test]
    fn a_fingerprint_has_the_form_of_a_sha_256() {
        assert_eq!(fingerprint(&mut SplitMix64::new(1)).len(), 32);
    }
}

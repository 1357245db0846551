//! Loads the large data set into the databases of svc-wallet and svc-auth, once.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, postgres::PgConnectOptions};

use crate::dataset::{
    copy::CopyIn,
    ledger,
    players::{Dataset, email, player_id, signed_up_at},
};

const WALLET_TABLES: &str = "wallet, payment, payment_event, stk_push, journal, posting";
const AUTH_TABLES: &str = "player, email_identity";
/// The digits of Crockford's base 32, which referral codes consist of.
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Loads svc-wallet's part, unless the database has it; returns how long that took. The
/// role must be a superuser: it skips the triggers.
pub(crate) async fn load_wallet(
    options: &PgConnectOptions,
    dataset: Dataset,
) -> Result<Option<Duration>> {
    let mut conn = connect(options).await?;
    if is_loaded(&mut conn, "wallet", "player_id", dataset).await? {
        return Ok(None);
    }
    let begun = Instant::now();
    let mut tx = conn.begin().await?;
    disable_triggers(&mut tx).await?;
    ledger::copy(&mut tx, dataset).await?;
    skip_proof(&mut tx).await?;
    tx.commit().await?;
    settle(&mut conn, WALLET_TABLES).await?;
    Ok(Some(begun.elapsed()))
}

/// Loads svc-auth's part, unless the database has it; returns how long that took. Some
/// players get an email with `password_hash`, so that they can sign in.
pub(crate) async fn load_auth(
    options: &PgConnectOptions,
    dataset: Dataset,
    password_hash: &str,
) -> Result<Option<Duration>> {
    let mut conn = connect(options).await?;
    if is_loaded(&mut conn, "player", "id", dataset).await? {
        return Ok(None);
    }
    let begun = Instant::now();
    let mut tx = conn.begin().await?;
    disable_triggers(&mut tx).await?;
    copy_players(&mut tx, dataset).await?;
    copy_identities(&mut tx, dataset, password_hash).await?;
    tx.commit().await?;
    settle(&mut conn, AUTH_TABLES).await?;
    Ok(Some(begun.elapsed()))
}

async fn connect(options: &PgConnectOptions) -> Result<PgConnection> {
    let conn = PgConnection::connect_with(options).await;
    conn.context("cannot connect as superuser to load the large data set")
}

/// Whether the data set is there; fails when a data set of another size is.
async fn is_loaded(
    conn: &mut PgConnection,
    table: &'static str,
    id: &'static str,
    dataset: Dataset,
) -> Result<bool> {
    let [low, high] = Dataset::player_bounds();
    let sql = format!("SELECT count(*) FROM {table} WHERE {id} >= $1 AND {id} < $2");
    let query = sqlx::query_scalar(AssertSqlSafe(sql)).bind(low).bind(high);
    let count: i64 = query.fetch_one(conn).await?;
    let expected = i64::from(dataset.wallets);
    ensure!(
        count == 0 || count == expected,
        "{table} holds a data set of {count} players: use --wallets {count}, or an empty mesh"
    );
    Ok(count == expected)
}

/// Disables row triggers. They check foreign keys and journals one row at a time, which takes
/// longer than the load itself; the rows are right by construction, and the proof at the end of the
/// run checks them all. Constraints and indexes stay.
async fn disable_triggers(conn: &mut PgConnection) -> Result<()> {
    sqlx::query("SET LOCAL session_replication_role = replica").execute(conn).await?;
    Ok(())
}

/// Sets the watermark of svc-wallet's proof behind the data set, which it would otherwise prove
/// while the scenarios run. The proof at the end of the run proves all of it.
async fn skip_proof(conn: &mut PgConnection) -> Result<()> {
    let skip = "UPDATE ledger_proof SET proven_seq = last, next_seq = last
         FROM (SELECT max(seq) AS last FROM posting) loaded";
    sqlx::query(skip).execute(conn).await?;
    Ok(())
}

/// Does now what autovacuum and the checkpointer would otherwise do while a scenario runs.
async fn settle(conn: &mut PgConnection, tables: &str) -> Result<()> {
    let vacuum = format!("VACUUM (ANALYZE) {tables}");
    sqlx::query(AssertSqlSafe(vacuum)).execute(&mut *conn).await?;
    sqlx::query("CHECKPOINT").execute(conn).await?;
    Ok(())
}

async fn copy_players(conn: &mut PgConnection, dataset: Dataset) -> Result<()> {
    const COLUMNS: &str = "id, username, referral_code, created_at, updated_at";
    let mut copy = CopyIn::begin(conn, "player", COLUMNS).await?;
    for index in 0..dataset.wallets {
        let at = signed_up_at(index);
        copy.rows()
            .row(5)
            .uuid(player_id(index))
            .text(&ledger::username(index))
            .text(&referral_code(index))
            .timestamptz(at)
            .timestamptz(at);
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

async fn copy_identities(
    conn: &mut PgConnection,
    dataset: Dataset,
    password_hash: &str,
) -> Result<()> {
    const COLUMNS: &str = "player_id, email, password_hash, created_at";
    let mut copy = CopyIn::begin(conn, "email_identity", COLUMNS).await?;
    for index in dataset.readers() {
        let row = copy.rows().row(4).uuid(player_id(index)).text(&email(index));
        row.text(password_hash).timestamptz(signed_up_at(index));
        copy.flush().await?;
    }
    copy.finish().await?;
    Ok(())
}

/// The referral code of a player: eight digits of base 32. A new player's random code equals one of
/// a million of these with a probability of 1 in a million, and is then drawn again.
fn referral_code(index: u32) -> String {
    let digits = (0..8).rev().map(|place| {
        let digit = u64::from(index) >> (5 * place) & 31;
        usize::try_from(digit).ok().and_then(|digit| CROCKFORD.get(digit)).copied()
    });
    digits.map(|digit| char::from(digit.unwrap_or(b'0'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referral_codes_are_eight_digits_of_base_32() {
        assert_eq!(referral_code(0), "00000000");
        assert_eq!(referral_code(31), "0000000Z");
        assert_eq!(referral_code(1 << 20 | 5), "00010005");
    }
}

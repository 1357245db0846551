//! Posting an entry that cannot be refused.

use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::{
    app::Cx,
    domain::{Entry, Posted},
    error::Error,
    store,
};

/// Posts an entry that is paid with money from outside, or with what this transaction has brought,
/// so it cannot be refused, and that the state of its reference proves to be new.
pub(crate) async fn post_once(
    conn: &mut PgConnection,
    cx: &Cx,
    entry: &Entry,
    now: OffsetDateTime,
) -> Result<(), Error> {
    match store::ledger::post(conn, cx.rng.uuid_v7(now), now, entry).await? {
        Posted::Done => Ok(()),
        other => Err(anyhow::anyhow!("the ledger's answer is {other:?}").into()),
    }
}

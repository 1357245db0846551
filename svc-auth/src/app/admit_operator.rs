//! Admits the calls of operators, and keeps them in the audit.

use std::sync::LazyLock;

use anyhow::Context as _;
use mesh::{Fault, auth::Act, instrument, permits::KeyedPermits, telemetry::trace_id};
use sqlx::PgConnection;
use tracing::info;
use types::Role;

use super::Cx;
use crate::{
    domain::{OperatorName, Roles, Serial},
    error::{Error, Refused},
    store,
};

/// Most acts in one reply.
const PAGE: usize = 500;
/// Calls of operators that are admitted or wait for it, in all and of one operator: the rest of the
/// service's capacity is the players'.
const LINE: usize = 64;
const LINE_OF_ONE: usize = 32;
/// The outcome of a call that was admitted.
const ADMITTED: &str = "ADMITTED";

/// A call that an operator makes to a service.
pub(crate) struct AdmitOperator {
    /// The operator whom the certificate names, as it names them.
    pub(crate) operator: String,
    pub(crate) serial: Serial,
    /// The path of the RPC.
    pub(crate) rpc: String,
    /// The roles that let an operator make the call.
    pub(crate) roles: Vec<Role>,
}

/// Admits a call, or refuses it. The call is in the audit before the reply, so that no operator
/// does anything without a trace, and an attempt leaves one, too.
#[instrument(name = "auth.admit_operator", skip_all, fields(rpc = %call.rpc))]
pub(crate) async fn admit_operator(cx: &Cx, call: AdmitOperator) -> Result<(), Error> {
    static WAITING: LazyLock<KeyedPermits<String>> =
        LazyLock::new(|| KeyedPermits::new("operator_calls", LINE, LINE_OF_ONE));
    let permit = WAITING.acquire(Some(call.operator.clone()));
    let _waiting = permit.map_err(|_| Fault::overloaded())?;
    // Operators' calls wait for each other, and must not wait with all connections in hand.
    let _permit = cx.admissions.acquire().await.context("the semaphore is never closed")?;
    let mut tx = cx.db.begin().await?;
    let refused = decide(cx, &mut tx, &call).await?;
    let outcome = match &refused {
        None => ADMITTED.into(),
        Some(refused) => Fault::from(refused.clone()).reason,
    };
    let (last, hash) = store::act::lock_last(&mut tx).await?;
    let now = cx.clock.now();
    let act = Act {
        number: last + 1,
        // PostgreSQL keeps microseconds.
        at: now.replace_nanosecond(now.microsecond() * 1_000).unwrap_or(now),
        operator: call.operator,
        serial: call.serial.as_str().to_owned(),
        rpc: call.rpc,
        outcome: outcome.into_owned(),
        trace_id: trace_id().unwrap_or_default(),
    };
    let hash = act.hash(&hash);
    store::act::insert(&mut tx, &act, &hash).await?;
    tx.commit().await?;
    // The log is a copy of the audit that an administrator of the database cannot change.
    let Act { number, operator, serial, rpc, outcome, .. } = act;
    info!(number, operator, serial, rpc, outcome, hash = hex::encode(hash), "an operator called");
    refused.map_or(Ok(()), |refused| Err(refused.into()))
}

/// Why a call is refused.
async fn decide(
    cx: &Cx,
    conn: &mut PgConnection,
    call: &AdmitOperator,
) -> Result<Option<Refused>, Error> {
    if store::operator::is_revoked(conn, &call.serial).await? {
        return Ok(Some(Refused::CertificateRevoked));
    }
    let name = OperatorName::parse(&call.operator);
    let held = match &name {
        Some(name) if cx.first_operators.contains(name) => Roles::all(),
        Some(name) => store::operator::find_roles(conn, name).await?,
        None => Roles::default(),
    };
    if held.is_empty() {
        return Ok(Some(Refused::OperatorUnknown(call.operator.clone())));
    }
    let is_admitted = held.admit(&call.roles);
    Ok((!is_admitted).then(|| Refused::RoleMissing(Roles::new(call.roles.iter().copied()))))
}

/// A page of the audit.
pub(crate) struct ActPage {
    /// The acts, with the hash after each.
    pub(crate) acts: Vec<(Act, Vec<u8>)>,
    pub(crate) is_last: bool,
}

/// Returns a page of the audit after a number.
#[instrument(name = "auth.list_acts", skip_all)]
pub(crate) async fn list_acts(cx: &Cx, after_number: i64) -> Result<ActPage, Error> {
    let mut conn = cx.db.acquire().await?;
    let acts = store::act::list(&mut conn, after_number, PAGE).await?;
    Ok(ActPage { is_last: acts.len() < PAGE, acts })
}

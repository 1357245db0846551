//! Operators: their roles, and their certificates.

use mesh::{
    auth,
    content::{self, Application, Audited, PROPOSED_FOR},
    instrument,
};
use serde_json::json;
use tracing::info;
use types::{Change, Role};

use super::Cx;
use crate::{
    domain::{OPERATORS_MAX, Operator, ProposedRoles, RevokedCertificate, Roles, Serial},
    error::{Error, Refused},
    store,
};

/// The kind of an operator in the audit.
const KIND: &str = "Operator";
/// Most proposals and revoked certificates in one reply.
const LIST_MAX: i64 = 200;

/// All that svc-auth knows about operators.
pub(crate) struct OperatorsReport {
    pub(crate) operators: Vec<Operator>,
    pub(crate) revoked: Vec<RevokedCertificate>,
    pub(crate) proposals: Vec<ProposedRoles>,
}

/// Returns the operators, the certificates that were revoked last, and what waits for a second
/// operator.
#[instrument(name = "auth.list_operators", skip_all)]
pub(crate) async fn list_operators(cx: &Cx) -> Result<OperatorsReport, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let mut operators = store::operator::list(&mut conn).await?;
    for first in &cx.first_operators {
        operators.retain(|operator| operator.name != *first);
        operators.push(Operator { name: first.clone(), roles: Roles::all() });
    }
    operators.sort_by(|one, other| one.name.as_str().cmp(other.name.as_str()));
    Ok(OperatorsReport {
        operators,
        revoked: store::operator::list_revoked(&mut conn, LIST_MAX).await?,
        proposals: store::operator::list_proposals(&mut conn, now - PROPOSED_FOR, LIST_MAX).await?,
    })
}

/// Sets the roles of an operator; false when the operator has them and no others are proposed. A
/// change that gives a role takes effect when a second operator makes it, too; the call of the
/// first operator stores a proposal, and is refused with [`Refused::NeedsSecondOperator`].
#[instrument(name = "auth.set_roles", skip_all, fields(operator = operator.name.as_str()))]
pub(crate) async fn set_roles(
    cx: &Cx,
    by: auth::Operator,
    operator: Operator,
) -> Result<bool, Error> {
    let by = Application { operator: by, dry_run: false };
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let all = store::operator::list(&mut tx).await?;
    let known = all.iter().find(|known| known.name == operator.name);
    let before = known.map(|known| known.roles.clone()).unwrap_or_default();
    let since = cx.clock.now() - PROPOSED_FOR;
    let proposal = store::operator::find_proposal(&mut tx, &operator.name, since).await?;
    let takes_away = before.contains_all(&operator.roles);
    if takes_away && proposal.is_none() && cx.first_operators.contains(&operator.name) {
        return Err(Refused::FirstOperator(operator.name).into());
    }
    if before == operator.roles && proposal.is_none() {
        return Ok(false);
    }
    if known.is_none() && !operator.roles.is_empty() && all.len() >= OPERATORS_MAX {
        return Err(Refused::TooManyOperators.into());
    }
    let manifest = json!(operator.roles.names());
    let manifest = (!operator.roles.is_empty()).then_some(manifest);
    let audited = Audited { kind: KIND, key: operator.name.as_str(), manifest };
    // A thief's proposal must not outlive the role of the operator in whose name it was made.
    let keeps_the_list = |name: &str| {
        let is_first = cx.first_operators.iter().any(|first| first.as_str() == name);
        let mut keepers = all.iter().filter(|other| other.roles.admit(&[Role::Platform]));
        is_first || keepers.any(|keeper| keeper.name.as_str() == name)
    };
    let is_confirmed = proposal.as_ref().is_some_and(|proposal| {
        proposal.operator == operator
            && proposal.by != by.operator.name()
            && keeps_the_list(&proposal.by)
    });
    if !is_confirmed && !takes_away {
        content::propose(&mut tx, &cx.clock, &cx.rng, &by, &audited).await?;
        tx.commit().await?;
        return Err(Refused::NeedsSecondOperator.into());
    }
    let change = if operator.roles.is_empty() {
        store::operator::delete(&mut tx, &operator.name).await?;
        Change::Deleted
    } else {
        store::operator::put(&mut tx, &operator).await?;
        if known.is_some() { Change::Updated } else { Change::Created }
    };
    content::audit(&mut tx, &cx.clock, &cx.rng, &by, change, &audited).await?;
    tx.commit().await?;
    info!(by = by.operator.name(), operator = operator.name.as_str(), "roles were changed");
    Ok(true)
}

/// A certificate that was revoked.
pub(crate) struct Revoked {
    /// False when the certificate was revoked before.
    pub(crate) changed: bool,
    /// The operator whose calls had the certificate; `None` when no call had it.
    pub(crate) operator: Option<String>,
}

/// Revokes a certificate of an operator.
#[instrument(name = "auth.revoke_certificate", skip_all)]
pub(crate) async fn revoke_certificate(
    cx: &Cx,
    by: &auth::Operator,
    serial: &Serial,
    reason: &str,
) -> Result<Revoked, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let changed = store::operator::revoke(&mut conn, serial, by.name(), reason, now).await?;
    if changed {
        info!(by = by.name(), serial = serial.as_str(), "a certificate was revoked");
    }
    let operator = store::act::find_operator(&mut conn, serial).await?;
    Ok(Revoked { changed, operator })
}

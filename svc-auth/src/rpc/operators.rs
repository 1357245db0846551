//! `playon.auth.v1.OperatorAdminService` and `playon.auth.v1.AdmissionService`.

use mesh::{
    Fault,
    auth::{Act, Caller, OperatorCall, operator},
    edges,
};
use proto::{
    auth::v1::{
        Act as WireAct, AdmitOperatorRequest, AdmitOperatorResponse, ListActsRequest,
        ListActsResponse, ListOperatorsRequest, ListOperatorsResponse, Operator as WireOperator,
        ProposedRoles as WireProposal, RevokeCertificateRequest, RevokeCertificateResponse,
        RevokedCertificate as WireRevoked, SetRolesRequest, SetRolesResponse,
        admission_service_server::AdmissionService,
        operator_admin_service_server::OperatorAdminService,
    },
    timestamp,
    types::v1 as wire_types,
};
use tonic::{Request, Response, Status};
use types::{Role, Text};

use crate::{
    app::{self, AdmitOperator, Cx},
    domain::{Operator, OperatorName, ProposedRoles, RevokedCertificate, Roles, Serial},
    error::{Error, invalid},
};

/// Longest reason, in characters.
const REASON_MAX: usize = 500;
/// Longest common name of a certificate (RFC 5280), in characters.
const OPERATOR_MAX: usize = 64;
/// Longest path of an RPC, in characters.
const RPC_MAX: usize = 200;

/// RPCs about operators.
pub(super) struct OperatorAdmin(pub(super) Cx);

#[tonic::async_trait]
impl OperatorAdminService for OperatorAdmin {
    async fn list_operators(
        &self,
        request: Request<ListOperatorsRequest>,
    ) -> Result<Response<ListOperatorsResponse>, Status> {
        operator(&request)?;
        let report = app::list_operators(&self.0).await?;
        Ok(Response::new(ListOperatorsResponse {
            operators: report.operators.into_iter().map(Into::into).collect(),
            revoked: report.revoked.into_iter().map(Into::into).collect(),
            proposals: report.proposals.into_iter().map(Into::into).collect(),
        }))
    }

    async fn set_roles(
        &self,
        request: Request<SetRolesRequest>,
    ) -> Result<Response<SetRolesResponse>, Status> {
        let by = operator(&request)?;
        let wire = request.into_inner().operator.unwrap_or_default();
        let changed = app::set_roles(&self.0, by, wire.try_into()?).await?;
        Ok(Response::new(SetRolesResponse { changed }))
    }

    async fn revoke_certificate(
        &self,
        request: Request<RevokeCertificateRequest>,
    ) -> Result<Response<RevokeCertificateResponse>, Status> {
        let by = operator(&request)?;
        let wire = request.into_inner();
        let serial = serial(&wire.serial)?;
        let reason = reason(&wire.reason)?;
        let revoked = app::revoke_certificate(&self.0, &by, &serial, reason).await?;
        Ok(Response::new(RevokeCertificateResponse {
            changed: revoked.changed,
            operator: revoked.operator.unwrap_or_default(),
        }))
    }

    async fn list_acts(
        &self,
        request: Request<ListActsRequest>,
    ) -> Result<Response<ListActsResponse>, Status> {
        operator(&request)?;
        let page = app::list_acts(&self.0, request.into_inner().after_number).await?;
        let acts = page.acts.into_iter().map(wire_act).collect();
        Ok(Response::new(ListActsResponse { acts, is_last: page.is_last }))
    }
}

/// The admission of operators' calls to other services.
pub(super) struct Admissions(pub(super) Cx);

#[tonic::async_trait]
impl AdmissionService for Admissions {
    async fn admit_operator(
        &self,
        request: Request<AdmitOperatorRequest>,
    ) -> Result<Response<AdmitOperatorResponse>, Status> {
        let caller = Caller::of(&request);
        let wire = request.into_inner();
        if !is_of(caller, &wire.rpc) {
            return Err(Fault::forbidden().into());
        }
        app::admit_operator(&self.0, wire.try_into()?).await?;
        Ok(Response::new(AdmitOperatorResponse {}))
    }
}

/// Whether operators can make a call of the service that asks, so that no service can have an act
/// in the audit that was another's.
fn is_of(caller: Caller, rpc: &str) -> bool {
    let Caller::Service(name) = caller else { return false };
    let path = rpc.strip_prefix('/').and_then(|path| path.split_once('/'));
    let Some((service, method)) = path else { return false };
    let is_method = method.chars().all(|one| one.is_ascii_alphanumeric());
    let edge = edges::find(edges::OPERATORS, name);
    is_method && edge.is_some_and(|edge| edge.services.contains(&service))
}

impl TryFrom<AdmitOperatorRequest> for AdmitOperator {
    type Error = Error;

    fn try_from(wire: AdmitOperatorRequest) -> Result<Self, Error> {
        let roles = wire.roles().filter_map(|role| role.try_into().ok()).collect();
        for (field, text, max) in
            [("operator", &wire.operator, OPERATOR_MAX), ("rpc", &wire.rpc, RPC_MAX)]
        {
            if text.chars().count() > max {
                return Err(invalid(field, "FIELD_MALFORMED"));
            }
        }
        let serial = serial(&wire.serial)?;
        Ok(Self { operator: wire.operator, serial, rpc: wire.rpc, roles })
    }
}

impl TryFrom<OperatorCall> for AdmitOperator {
    type Error = Error;

    fn try_from(call: OperatorCall) -> Result<Self, Error> {
        Ok(Self {
            operator: call.operator.to_string(),
            serial: serial(&call.serial)?,
            rpc: call.rpc.path.to_owned(),
            roles: call.rpc.roles.to_vec(),
        })
    }
}

fn serial(text: &str) -> Result<Serial, Error> {
    Serial::parse(text).ok_or_else(|| invalid("serial", "SERIAL_MALFORMED"))
}

/// Reads the reason of an operator's act, which the audit keeps.
pub(super) fn reason(text: &str) -> Result<&str, Error> {
    let reason = text.trim();
    if reason.is_empty() || reason.chars().count() > REASON_MAX {
        let text = Text::new("REASON_LENGTH").with("max", REASON_MAX);
        return Err(Fault::invalid_field("reason", text).into());
    }
    Ok(reason)
}

impl TryFrom<WireOperator> for Operator {
    type Error = Error;

    fn try_from(wire: WireOperator) -> Result<Self, Error> {
        let name = OperatorName::parse(&wire.name)
            .ok_or_else(|| invalid("operator.name", "OPERATOR_NAME"))?;
        let role = |number| {
            let role =
                wire_types::Role::try_from(number).ok().and_then(|role| role.try_into().ok());
            role.ok_or_else(|| invalid("operator.roles", "ROLE_UNKNOWN"))
        };
        let roles: Result<Vec<Role>, Error> = wire.roles.into_iter().map(role).collect();
        Ok(Self { name, roles: Roles::new(roles?) })
    }
}

impl From<Operator> for WireOperator {
    fn from(operator: Operator) -> Self {
        let roles = operator
            .roles
            .as_slice()
            .iter()
            .map(|role| wire_types::Role::from(*role).into())
            .collect();
        Self { name: operator.name.as_str().to_owned(), roles }
    }
}

fn wire_act((act, hash): (Act, Vec<u8>)) -> WireAct {
    WireAct {
        number: act.number,
        at: Some(timestamp(act.at)),
        operator: act.operator,
        serial: act.serial,
        rpc: act.rpc,
        outcome: act.outcome,
        trace_id: act.trace_id,
        hash,
    }
}

impl From<RevokedCertificate> for WireRevoked {
    fn from(revoked: RevokedCertificate) -> Self {
        Self {
            serial: revoked.serial,
            reason: revoked.reason,
            revoked_by: revoked.operator,
            revoked_at: Some(timestamp(revoked.revoked_at)),
        }
    }
}

impl From<ProposedRoles> for WireProposal {
    fn from(proposed: ProposedRoles) -> Self {
        Self {
            operator: Some(proposed.operator.into()),
            proposed_by: proposed.by,
            proposed_at: Some(timestamp(proposed.at)),
        }
    }
}

//! Which calls of operators are admitted. svc-auth decides, and keeps each call in its audit.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use proto::{
    Rpc,
    auth::v1::{AdmitOperatorRequest, admission_service_client::AdmissionServiceClient},
    types::v1 as wire,
};
use tokio::time::Instant;
use tonic::Code;

use super::Operator;
use crate::{Fault, grpc::client::Upstream, tls::OperatorCertificate};

/// A call that an operator makes.
#[derive(Debug, Clone)]
pub struct OperatorCall {
    /// The operator whom the certificate names, in small letters.
    pub operator: Arc<str>,
    /// The serial number of the certificate in hexadecimal digits, without leading zeros.
    pub serial: String,
    /// The RPC.
    pub rpc: &'static Rpc,
}

/// The decision about a call.
type Decided = BoxFuture<'static, Result<(), Fault>>;
/// Decides about a call.
type Decide = dyn Fn(OperatorCall) -> Decided + Send + Sync;

/// Admits calls of operators. Each call is decided anew, so that a role that was taken away, or a
/// certificate that was revoked, ends at once.
pub struct Admission(Box<Decide>);

impl Admission {
    /// An admission by a function: for svc-auth itself and for tests.
    pub fn new(decide: impl Fn(OperatorCall) -> Decided + Send + Sync + 'static) -> Self {
        Self(Box::new(decide))
    }

    /// An admission by svc-auth.
    pub(super) fn remote(upstream: Upstream) -> Self {
        let client = AdmissionServiceClient::new(upstream);
        Self::new(move |call| {
            let mut client = client.clone();
            let request = AdmitOperatorRequest {
                operator: call.operator.to_string(),
                serial: call.serial,
                rpc: call.rpc.path.to_owned(),
                roles: call.rpc.roles.iter().map(|role| wire::Role::from(*role).into()).collect(),
            };
            Box::pin(async move {
                match client.admit_operator(request).await {
                    Ok(_) => Ok(()),
                    Err(status) => Err(Fault::from_status(&status)),
                }
            })
        })
    }

    /// The operator of a certificate, if the operator may call an RPC.
    ///
    /// # Errors
    ///
    /// `CERTIFICATE_EXPIRED`, `CERTIFICATE_REVOKED`, `OPERATOR_UNKNOWN` and `ROLE_MISSING`;
    /// `OPERATORS_UNAVAILABLE` while svc-auth is out of reach.
    pub(super) async fn admit(
        &self,
        certificate: &OperatorCertificate,
        rpc: &'static Rpc,
    ) -> Result<Operator, Fault> {
        if certificate.expires_at <= Instant::now() {
            return Err(Fault::new(Code::PermissionDenied, "CERTIFICATE_EXPIRED"));
        }
        let operator = Arc::clone(&certificate.operator);
        let call = OperatorCall {
            operator: Arc::clone(&operator),
            serial: certificate.serial.clone(),
            rpc,
        };
        (self.0)(call).await.map_err(refusal)?;
        Ok(Operator(operator))
    }
}

/// The refusals of svc-auth are passed on. Any other error is an outage of svc-auth, and not of the
/// service that was called.
fn refusal(fault: Fault) -> Fault {
    if fault.code == Code::PermissionDenied {
        return fault;
    }
    Fault::new(Code::Unavailable, "OPERATORS_UNAVAILABLE")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn admit(left: Duration, decided: Result<(), Fault>) -> Result<Operator, Fault> {
        let admission = Admission::new(move |_| {
            let decided = decided.clone();
            Box::pin(async move { decided })
        });
        let certificate = OperatorCertificate {
            operator: "wanjiru".into(),
            serial: "a3f".to_owned(),
            expires_at: Instant::now() + left,
        };
        let rpc = Rpc::of("/playon.auth.v1.OperatorAdminService/SetRoles").unwrap();
        admission.admit(&certificate, rpc).await
    }

    #[tokio::test]
    async fn a_call_is_not_admitted_once_the_certificate_has_expired() {
        let day = Duration::from_hours(12);
        assert_eq!(admit(day, Ok(())).await.unwrap().name(), "wanjiru");
        let expired = admit(Duration::ZERO, Ok(())).await.unwrap_err();
        assert_eq!(expired.reason, "CERTIFICATE_EXPIRED");
    }

    #[tokio::test]
    async fn only_refusals_are_passed_on() {
        let day = Duration::from_hours(12);
        let refused = Fault::new(Code::PermissionDenied, "ROLE_MISSING");
        assert_eq!(admit(day, Err(refused)).await.unwrap_err().reason, "ROLE_MISSING");
        for other in [Fault::unavailable(), Fault::overloaded(), Fault::unimplemented()] {
            let fault = admit(day, Err(other)).await.unwrap_err();
            assert_eq!((fault.code, &*fault.reason), (Code::Unavailable, "OPERATORS_UNAVAILABLE"));
        }
    }
}

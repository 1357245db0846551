//! Which authority may certify which caller.

use std::{fmt::Debug, sync::Arc, time::Duration};

use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError, RootCertStore,
    SignatureScheme,
    client::danger::HandshakeSignatureValid,
    crypto::CryptoProvider,
    pki_types::{CertificateDer, UnixTime},
    server::{
        WebPkiClientVerifier,
        danger::{ClientCertVerified, ClientCertVerifier},
    },
};
use thiserror::Error;

use super::name::identity;
use crate::edges::OPERATORS;

/// The longest validity of an operator's certificate: twelve hours, and one for clocks that differ.
/// A thief of key and certificate can use them for no longer, even if the theft is not noticed.
const OPERATOR_VALIDITY: Duration = Duration::from_hours(13);

/// Verifies callers: processes by the authority of the mesh, operators by an authority of their
/// own. Neither can certify what the other does, so a reader of the mesh's Secrets is no operator.
#[derive(Debug)]
pub(super) struct CallerVerifier {
    processes: Arc<dyn ClientCertVerifier>,
    /// `None` where operators have no authority.
    operators: Option<Arc<dyn ClientCertVerifier>>,
}

/// The authority that may certify a caller.
enum Authority<'a> {
    Processes,
    Operators(&'a Arc<dyn ClientCertVerifier>),
}

/// Why a certificate is refused before its signature is verified.
#[derive(Debug, Error)]
enum CertificateRefusal {
    #[error("it is no certificate of the mesh: {0}")]
    Unreadable(String),
    #[error("it names no operator")]
    NoOperator,
    #[error("this process has no authority of operators (operators.crt)")]
    NoOperators,
    #[error("an operator's certificate is valid for 13 hours at most")]
    ValidTooLong,
}

impl CallerVerifier {
    pub(super) fn new(
        processes: &Arc<RootCertStore>,
        operators: &Arc<RootCertStore>,
        provider: &Arc<CryptoProvider>,
    ) -> anyhow::Result<Self> {
        let verifier = |roots: &Arc<RootCertStore>| {
            let roots = Arc::clone(roots);
            WebPkiClientVerifier::builder_with_provider(roots, Arc::clone(provider)).build()
        };
        let operators = if operators.is_empty() { None } else { Some(verifier(operators)?) };
        Ok(Self { processes: verifier(processes)?, operators })
    }

    /// The authority for a certificate, by the name that the certificate claims.
    fn of(&self, end_entity: &CertificateDer<'_>) -> Result<Authority<'_>, CertificateRefusal> {
        let identity = identity(end_entity)
            .map_err(|error| CertificateRefusal::Unreadable(format!("{error:#}")))?;
        if identity.name != OPERATORS {
            return Ok(Authority::Processes);
        }
        if identity.common_name.is_empty() {
            return Err(CertificateRefusal::NoOperator);
        }
        if identity.validity > OPERATOR_VALIDITY {
            return Err(CertificateRefusal::ValidTooLong);
        }
        self.operators.as_ref().map(Authority::Operators).ok_or(CertificateRefusal::NoOperators)
    }
}

impl ClientCertVerifier for CallerVerifier {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        let (verifier, intermediates) = match self.of(end_entity) {
            Ok(Authority::Processes) => (&self.processes, intermediates),
            // The operators' authority signs certificates itself: a sub-authority that it was made
            // to sign could name any operator.
            Ok(Authority::Operators(verifier)) => (verifier, [].as_slice()),
            Err(refused) => {
                let cause = OtherError(Arc::new(refused));
                return Err(Error::InvalidCertificate(CertificateError::Other(cause)));
            }
        };
        verifier.verify_client_cert(end_entity, intermediates, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.processes.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.processes.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.processes.supported_verify_schemes()
    }
}

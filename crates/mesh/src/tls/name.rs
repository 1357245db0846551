//! The identity that a certificate proves.

use anyhow::{Context as _, bail, ensure};
use x509_parser::{extensions::GeneralName, prelude::FromDer as _, prelude::X509Certificate};

/// The name and the end of a certificate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The certificate's only DNS name.
    pub(super) name: String,
    /// The common name of the certificate's subject in small letters; empty without one. In an
    /// operator's certificate it is the operator: `Wanjiru` and `wanjiru` are one person.
    pub(super) common_name: String,
    /// When the certificate expires, in seconds since the epoch.
    pub(super) expires_at: i64,
}

/// Reads the identity of a certificate in DER. It does not verify the certificate.
pub(super) fn identity(der: &[u8]) -> anyhow::Result<Identity> {
    let (rest, certificate) = X509Certificate::from_der(der).context("not a certificate")?;
    ensure!(rest.is_empty(), "bytes after the certificate");
    let names = certificate.subject_alternative_name().context("unreadable names")?;
    let names = names.map_or_else(Vec::new, |names| names.value.general_names.clone());
    let [GeneralName::DNSName(name)] = names.as_slice() else {
        bail!("a certificate of the mesh has one DNS name, and no other name");
    };
    let expires_at = certificate.validity().not_after.timestamp();
    let common_name = certificate.subject().iter_common_name().next();
    let common_name = common_name.and_then(|name| name.as_str().ok()).unwrap_or_default();
    let common_name = common_name.to_lowercase();
    Ok(Identity { name: (*name).to_owned(), common_name, expires_at })
}

//! The identity that a certificate proves.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use x509_parser::{extensions::GeneralName, prelude::FromDer as _, prelude::X509Certificate};

/// Longest common name (RFC 5280), in characters.
const COMMON_NAME_MAX: usize = 64;
/// Longest serial number (RFC 5280), in hexadecimal digits.
const SERIAL_MAX: usize = 40;

/// The name and the end of a certificate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The certificate's only DNS name.
    pub(super) name: String,
    /// The common name of the certificate's subject in small letters; empty without one. In an
    /// operator's certificate it is the operator: `Wanjiru` and `wanjiru` are one person.
    pub(super) common_name: String,
    /// The serial number in hexadecimal digits, without leading zeros.
    pub(super) serial: String,
    /// How long the certificate is valid in all.
    pub(super) validity: Duration,
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
    let validity = expires_at - certificate.validity().not_before.timestamp();
    let validity = Duration::from_secs(validity.try_into().context("it ends before it begins")?);
    let serial = certificate.tbs_certificate.serial.to_str_radix(16);
    ensure!((1..=SERIAL_MAX).contains(&serial.len()), "the serial number is too long");
    let common_name = common_name(&certificate)?.to_ascii_lowercase();
    Ok(Identity { name: (*name).to_owned(), common_name, serial, validity, expires_at })
}

/// Reads the common name; empty without one. Two of them are refused, because programs differ in
/// which one they read.
fn common_name<'a>(certificate: &'a X509Certificate<'_>) -> anyhow::Result<&'a str> {
    let mut names = certificate.subject().iter_common_name();
    let Some(name) = names.next() else { return Ok("") };
    ensure!(names.next().is_none(), "it has two common names");
    let name = name.as_str().context("unreadable common name")?;
    let is_name = name.chars().count() <= COMMON_NAME_MAX && !name.contains(char::is_control);
    ensure!(is_name, "the common name is too long, or has control characters");
    Ok(name)
}

//! Certificates of a mesh: one authority of its processes, one of its operators, and a certificate
//! for each of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use rcgen::{
    BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

use crate::files;

/// The operators' program. Its certificate names the operator, too.
pub(crate) const OPERATORS: &str = "playonctl";
/// The operator of a mesh in development, and in kind.
const DEVELOPER: &str = "developer";
/// The second operator there, who confirms what the developer proposes: a certificate for the
/// operators' program in a folder of this name.
pub(crate) const COLLEAGUE: &str = "colleague";
/// The files of the operators' authority, without their ends.
pub(crate) const OPERATORS_AUTHORITY: &str = "operators";
/// How long certificates are valid.
const VALIDITY: Duration = Duration::from_hours(24 * 365);
/// Certificates older than this are issued again: 30 days before they expire.
const RENEW_AFTER: Duration = Duration::from_hours(24 * 335);
/// How long operators' certificates are valid: services accept no more than twelve hours.
const OPERATOR_VALIDITY: Duration = Duration::from_hours(12);
/// Operators' certificates older than this are issued again.
const OPERATOR_RENEW_AFTER: Duration = Duration::from_hours(1);

/// An authority, whose certificate and key are files of the folder.
struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Reads `<folder>/<name>.{crt,key}`, which are made at the first call.
    fn open(folder: &Path, name: &str) -> Result<Self> {
        let [file, key_file] = ["crt", "key"].map(|end| folder.join(format!("{name}.{end}")));
        if !is_younger(&file, RENEW_AFTER) || !key_file.exists() {
            let key = KeyPair::generate()?;
            files::replace(&key_file, 0o600, &key.serialize_pem())?;
            files::replace(&file, 0o644, &authority_params()?.self_signed(&key)?.pem())?;
        }
        let issuer = Issuer::new(authority_params()?, KeyPair::from_pem(&read(&key_file)?)?);
        Ok(Self { certificate: read(&file)?, issuer })
    }
}

/// Writes `<folder>/<name>/{ca.crt,operators.crt,tls.crt,tls.key}` for each name, from the
/// authorities of processes and of operators in `<folder>/{ca,operators}.{crt,key}`. Recent
/// certificates stay as they are.
pub(crate) fn issue(folder: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let processes = Authority::open(folder, "ca")?;
    let operators = Authority::open(folder, OPERATORS_AUTHORITY)?;
    for name in names {
        let of_name = folder.join(name);
        fs::create_dir_all(&of_name)?;
        let [known, known_operators, chain, key_file] =
            ["ca.crt", "operators.crt", "tls.crt", "tls.key"].map(|file| of_name.join(file));
        let is = |file: &Path, authority: &Authority| {
            fs::read_to_string(file).is_ok_and(|known| known == authority.certificate)
        };
        let (authority, renew_after) = match *name {
            OPERATORS | COLLEAGUE => (&operators, OPERATOR_RENEW_AFTER),
            _ => (&processes, RENEW_AFTER),
        };
        let is_known = is(&known, &processes) && is(&known_operators, &operators);
        if is_known && is_younger(&chain, renew_after) && key_file.exists() {
            continue;
        }
        let key = KeyPair::generate()?;
        let signed = process_params(name)?.signed_by(&key, &authority.issuer)?;
        files::replace(&key_file, 0o600, &key.serialize_pem())?;
        files::replace(&chain, 0o644, &signed.pem())?;
        files::replace(&known, 0o644, &processes.certificate)?;
        files::replace(&known_operators, 0o644, &operators.certificate)?;
    }
    Ok(())
}

/// The operators of a mesh in development, and in kind.
pub(crate) fn operators() -> String {
    format!("{DEVELOPER},{COLLEAGUE}")
}

/// The folder of one process's certificate.
pub(crate) fn of(folder: &Path, name: &str) -> PathBuf {
    folder.join(name)
}

fn authority_params() -> Result<CertificateParams> {
    let mut params = valid(CertificateParams::new([])?, VALIDITY);
    params.distinguished_name.push(rcgen::DnType::CommonName, "PlayOn development");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    Ok(params)
}

fn process_params(name: &str) -> Result<CertificateParams> {
    let (program, subject, validity) = match name {
        OPERATORS => (OPERATORS, DEVELOPER, OPERATOR_VALIDITY),
        COLLEAGUE => (OPERATORS, COLLEAGUE, OPERATOR_VALIDITY),
        _ => (name, name, VALIDITY),
    };
    let mut params = valid(CertificateParams::new([program.to_owned()])?, validity);
    params.distinguished_name.push(rcgen::DnType::CommonName, subject);
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    Ok(params)
}

#[expect(clippy::disallowed_methods, reason = "certificates expire by the machine's clock")]
fn valid(mut params: CertificateParams, validity: Duration) -> CertificateParams {
    let now = SystemTime::now();
    // The certificate is valid from an hour ago, for clocks that differ.
    params.not_before = (now - Duration::from_hours(1)).into();
    params.not_after = (now + validity).into();
    params
}

/// Whether a file is younger than this: it is written when its certificate is issued.
fn is_younger(file: &Path, limit: Duration) -> bool {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < limit))
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn recent_certificates_stay_as_they_are() {
        let folder = std::env::temp_dir().join(format!("playon-ca-{}", std::process::id()));
        issue(&folder, &["gateway"]).unwrap();
        let chain = folder.join("gateway/tls.crt");
        let first = read(&chain).unwrap();
        issue(&folder, &["gateway", "svc-auth"]).unwrap();
        assert_eq!(read(&chain).unwrap(), first);
        assert!(folder.join("svc-auth/tls.crt").exists());
        let mode = folder.join("svc-auth/tls.key").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        // With another authority, all certificates are issued again.
        fs::remove_file(folder.join("ca.key")).unwrap();
        issue(&folder, &["gateway"]).unwrap();
        assert_ne!(read(&chain).unwrap(), first);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_certificates_of_playonctl_name_their_operator_too() {
        use base64::Engine as _;
        use base64::prelude::BASE64_STANDARD;

        let folder = std::env::temp_dir().join(format!("playon-operator-{}", std::process::id()));
        issue(&folder, &[OPERATORS, COLLEAGUE]).unwrap();
        for (certificate, operator) in [(OPERATORS, DEVELOPER), (COLLEAGUE, COLLEAGUE)] {
            let pem = read(&of(&folder, certificate).join("tls.crt")).unwrap();
            let body: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
            let der = BASE64_STANDARD.decode(body).unwrap();
            for name in [OPERATORS, operator] {
                assert!(der.windows(name.len()).any(|bytes| bytes == name.as_bytes()), "{name}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}

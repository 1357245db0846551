//! Certificates of a mesh: one authority, and one certificate for each process.

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
/// How long certificates are valid.
const VALIDITY: Duration = Duration::from_hours(24 * 365);
/// Certificates older than this are issued again: 30 days before they expire.
const RENEW_AFTER: Duration = Duration::from_hours(24 * 335);

/// Writes `<folder>/<name>/{ca.crt,tls.crt,tls.key}` for each name, from the authority in
/// `<folder>/ca.{crt,key}`, which is made at the first call. Recent certificates stay as they are.
pub(crate) fn issue(folder: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let [authority, authority_key] = ["ca.crt", "ca.key"].map(|file| folder.join(file));
    if !is_recent(&authority) || !authority_key.exists() {
        let key = KeyPair::generate()?;
        files::replace(&authority_key, 0o600, &key.serialize_pem())?;
        files::replace(&authority, 0o644, &authority_params()?.self_signed(&key)?.pem())?;
    }
    let certificate = read(&authority)?;
    let issuer = Issuer::new(authority_params()?, KeyPair::from_pem(&read(&authority_key)?)?);
    for name in names {
        let of_name = folder.join(name);
        fs::create_dir_all(&of_name)?;
        let [known, chain, key_file] =
            ["ca.crt", "tls.crt", "tls.key"].map(|file| of_name.join(file));
        let is_known = fs::read_to_string(&known).is_ok_and(|known| known == certificate);
        if is_known && is_recent(&chain) && key_file.exists() {
            continue;
        }
        let key = KeyPair::generate()?;
        let signed = process_params(name)?.signed_by(&key, &issuer)?;
        files::replace(&key_file, 0o600, &key.serialize_pem())?;
        files::replace(&chain, 0o644, &signed.pem())?;
        files::replace(&known, 0o644, &certificate)?;
    }
    Ok(())
}

/// The folder of one process's certificate.
pub(crate) fn of(folder: &Path, name: &str) -> PathBuf {
    folder.join(name)
}

fn authority_params() -> Result<CertificateParams> {
    let mut params = valid(CertificateParams::new([])?);
    params.distinguished_name.push(rcgen::DnType::CommonName, "PlayOn development");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    Ok(params)
}

fn process_params(name: &str) -> Result<CertificateParams> {
    let (program, subject) = match name {
        OPERATORS => (OPERATORS, DEVELOPER),
        COLLEAGUE => (OPERATORS, COLLEAGUE),
        _ => (name, name),
    };
    let mut params = valid(CertificateParams::new([program.to_owned()])?);
    params.distinguished_name.push(rcgen::DnType::CommonName, subject);
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    Ok(params)
}

#[expect(clippy::disallowed_methods, reason = "certificates expire by the machine's clock")]
fn valid(mut params: CertificateParams) -> CertificateParams {
    let now = SystemTime::now();
    // The certificate is valid from an hour ago, for clocks that differ.
    params.not_before = (now - Duration::from_hours(1)).into();
    params.not_after = (now + VALIDITY).into();
    params
}

/// Whether a file is recent, by its age: it is written when its certificate is issued.
fn is_recent(file: &Path) -> bool {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < RENEW_AFTER))
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

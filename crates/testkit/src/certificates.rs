//! Certificates of a test's processes, from an authority of the test process.

use std::{fs, path::PathBuf, sync::OnceLock};

use mesh::{edges::OPERATORS, tls::Certificates};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};
use types::{Clock, Rng};

/// An authority that issues certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: String,
    folder: PathBuf,
}

impl Authority {
    /// The authority of this process's tests.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Authority> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// Another authority, whose certificates the others do not accept.
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new([]).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let certificate = params.self_signed(&key).expect("a certificate").pem();
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let folder = std::env::temp_dir().join(format!("playon-tls-{id}"));
        Self { issuer: Issuer::new(params, key), certificate, folder }
    }

    /// The certificate of a process, valid for a day, in a folder as
    /// [`Certificates::load`] reads it.
    pub fn issue(&self, name: &str) -> PathBuf {
        self.issue_until(name, Clock::system().now() + Duration::days(1))
    }

    /// The certificate of a process, which expires at a given time.
    pub fn issue_until(&self, name: &str, expires_at: OffsetDateTime) -> PathBuf {
        self.issue_named(name, name, expires_at)
    }

    /// The certificate of an operator, for `playonctl`.
    pub fn issue_operator(&self, operator: &str) -> PathBuf {
        self.issue_named(OPERATORS, operator, Clock::system().now() + Duration::days(1))
    }

    /// Issues a certificate. In one of `playonctl` the common name is the operator.
    fn issue_named(&self, name: &str, common_name: &str, expires_at: OffsetDateTime) -> PathBuf {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new([name.to_owned()]).expect("a DNS name");
        params.distinguished_name.push(DnType::CommonName, common_name);
        params.not_before = expires_at - Duration::days(2);
        params.not_after = expires_at;
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate").pem();
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let folder = self.folder.join(format!("{name}-{id}"));
        fs::create_dir_all(&folder).expect("a folder for the certificate");
        let files = [
            ("ca.crt", &self.certificate),
            ("tls.crt", &certificate),
            ("tls.key", &key.serialize_pem()),
        ];
        for (file, text) in files {
            fs::write(folder.join(file), text).expect("a file of the certificate");
        }
        folder
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// The certificate of a process, from the authority of this process's tests.
pub fn certificates(name: &'static str) -> Certificates {
    Certificates::load(&Authority::shared().issue(name), name).expect("a certificate")
}

//! Certificates of a test's processes and operators, from two authorities of the test process.

use std::{fs, path::PathBuf, sync::OnceLock};

use mesh::{edges::OPERATORS, tls::Certificates};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};
use types::{Clock, Rng};

/// The authority of a mesh, and that of its operators.
pub struct Authority {
    processes: Signer,
    operators: Signer,
    folder: PathBuf,
}

/// A key that signs certificates.
struct Signer {
    issuer: Issuer<'static, KeyPair>,
    certificate: String,
}

impl Signer {
    fn new() -> Self {
        let (params, key) = (authority_params(), KeyPair::generate().expect("a key"));
        let certificate = params.self_signed(&key).expect("a certificate").pem();
        Self { issuer: Issuer::new(params, key), certificate }
    }

    /// An authority that another one signed.
    fn below(root: &Self) -> Self {
        let (params, key) = (authority_params(), KeyPair::generate().expect("a key"));
        let certificate = params.signed_by(&key, &root.issuer).expect("a certificate").pem();
        Self { issuer: Issuer::new(params, key), certificate }
    }
}

fn authority_params() -> CertificateParams {
    let mut params = CertificateParams::new([]).expect("no names");
    let id = Rng::system().uuid_v7(Clock::system().now()).to_string();
    params.distinguished_name.push(DnType::CommonName, id);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params
}

impl Authority {
    /// The authority of this process's tests.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Authority> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// Another authority, whose certificates the others do not accept.
    pub fn new() -> Self {
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let folder = std::env::temp_dir().join(format!("playon-tls-{id}"));
        Self { processes: Signer::new(), operators: Signer::new(), folder }
    }

    /// The certificate of a process, valid for a day, or of `playonctl` for the operator
    /// `playonctl`, in a folder as [`Certificates::load`] reads it.
    pub fn issue(&self, name: &str) -> PathBuf {
        if name == OPERATORS {
            return self.issue_operator(name);
        }
        self.issue_until(name, Clock::system().now() + Duration::days(1))
    }

    /// The certificate of a process, which expires at a given time.
    pub fn issue_until(&self, name: &str, expires_at: OffsetDateTime) -> PathBuf {
        let valid = (expires_at - Duration::days(2), expires_at);
        self.write(&self.processes, name, [name], valid)
    }

    /// The certificate of an operator, for `playonctl`, from the operators' authority.
    pub fn issue_operator(&self, operator: &str) -> PathBuf {
        self.issue_operator_for(operator, Duration::hours(12))
    }

    /// The certificate of an operator that expires after a given time.
    pub fn issue_operator_for(&self, operator: &str, left: Duration) -> PathBuf {
        let now = Clock::system().now();
        self.write(
            &self.operators,
            OPERATORS,
            [operator],
            (now - Duration::minutes(30), now + left),
        )
    }

    /// A certificate of `playonctl` that the authority of the processes signed, as a reader of the
    /// mesh's Secrets might have it.
    pub fn forge_operator(&self, operator: &str) -> PathBuf {
        let now = Clock::system().now();
        let valid = (now - Duration::minutes(30), now + Duration::hours(12));
        self.write(&self.processes, OPERATORS, [operator], valid)
    }

    /// A certificate of a process that the operators' authority signed.
    pub fn forge_process(&self, name: &str) -> PathBuf {
        let now = Clock::system().now();
        self.write(&self.operators, name, [name], (now, now + Duration::hours(12)))
    }

    /// A certificate of an operator from an authority below that of operators.
    pub fn issue_operator_below(&self, operator: &str) -> PathBuf {
        let (below, now) = (Signer::below(&self.operators), Clock::system().now());
        let folder = self.write(&below, OPERATORS, [operator], (now, now + Duration::hours(12)));
        let chain = folder.join("tls.crt");
        let leaf = fs::read_to_string(&chain).expect("the certificate");
        fs::write(chain, leaf + &below.certificate).expect("the chain");
        folder
    }

    /// A certificate of two operators.
    pub fn issue_operators(&self, both: [&str; 2]) -> PathBuf {
        let now = Clock::system().now();
        self.write(&self.operators, OPERATORS, both, (now, now + Duration::hours(12)))
    }

    /// Issues a certificate, and writes it into a folder of its own.
    fn write<const N: usize>(
        &self,
        signer: &Signer,
        name: &str,
        common_names: [&str; N],
        (not_before, not_after): (OffsetDateTime, OffsetDateTime),
    ) -> PathBuf {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new([name.to_owned()]).expect("a DNS name");
        params.distinguished_name = DistinguishedName::new();
        // rcgen has one common name; others are written by their number.
        let kinds = [DnType::CommonName, DnType::CustomDnType(vec![2, 5, 4, 3])];
        for (kind, common_name) in kinds.into_iter().zip(common_names) {
            params.distinguished_name.push(kind, common_name);
        }
        params.not_before = not_before;
        params.not_after = not_after;
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params.signed_by(&key, &signer.issuer).expect("a certificate").pem();
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let folder = self.folder.join(format!("{name}-{id}"));
        fs::create_dir_all(&folder).expect("a folder for the certificate");
        let files = [
            ("ca.crt", &self.processes.certificate),
            ("operators.crt", &self.operators.certificate),
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

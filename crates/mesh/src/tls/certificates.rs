//! The certificate of this process, and the authority that the others' come from.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use arc_swap::ArcSwap;
use metrics::gauge;
use rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    client::Resumption,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::NoServerSessionStorage,
    version::TLS13,
};
use tracing::{error, info, warn};

use super::{callers::CallerVerifier, name::identity};
use crate::Shutdown;

/// How often the files are read. Renewals are days ahead of the expiry.
const RELOAD_INTERVAL: Duration = Duration::from_secs(5);
/// The files of the folder, named as cert-manager names them.
const FILES: [&str; 3] = ["ca.crt", "tls.crt", "tls.key"];
/// The authority of operators' certificates. Without this file no operator can connect.
const OPERATORS_FILE: &str = "operators.crt";

/// The current certificate. Cheap to clone; clones are renewed together.
#[derive(Clone)]
pub struct Certificates(Arc<Inner>);

struct Inner {
    name: &'static str,
    folder: PathBuf,
    current: ArcSwap<Loaded>,
}

struct Loaded {
    server: Arc<ServerConfig>,
    client: Arc<ClientConfig>,
    /// When the certificate expires, in seconds since the epoch.
    expires_at: i64,
    /// The files' contents, to notice a renewal.
    files: Files,
}

/// The contents of the folder.
#[derive(PartialEq, Eq)]
struct Files {
    /// The contents of [`FILES`].
    own: [Vec<u8>; FILES.len()],
    /// The contents of [`OPERATORS_FILE`]; empty where there is none.
    operators: Vec<u8>,
}

impl Certificates {
    /// Reads `ca.crt`, `tls.crt` and `tls.key` of a folder, and the operators' authority,
    /// `operators.crt`, if there is one. The certificate must be that of `name`.
    pub fn load(folder: &Path, name: &'static str) -> anyhow::Result<Self> {
        let loaded = Loaded::new(read(folder)?, name)
            .with_context(|| format!("the certificate in {} cannot be used", folder.display()))?;
        let current = ArcSwap::from_pointee(loaded);
        Ok(Self(Arc::new(Inner { name, folder: folder.to_owned(), current })))
    }

    /// Reads the files again if they changed; true when they did. After an error the
    /// certificate stays as it was: the files may be half written.
    pub fn reload(&self) -> anyhow::Result<bool> {
        let files = read(&self.0.folder)?;
        let current = self.0.current.load();
        if files == current.files {
            return Ok(false);
        }
        if files.operators != current.files.operators {
            warn!("the authority of operators was changed");
        }
        self.0.current.store(Arc::new(Loaded::new(files, self.0.name)?));
        Ok(true)
    }

    /// Reloads until the stop.
    pub(crate) fn follow(&self, shutdown: &Shutdown) {
        let (certificates, stop) = (self.clone(), shutdown.clone());
        shutdown.spawn("certificates", async move {
            let mut failing = false;
            loop {
                tokio::select! {
                    () = tokio::time::sleep(RELOAD_INTERVAL) => {}
                    () = stop.stopping() => return,
                }
                let reloaded = certificates.reload();
                match &reloaded {
                    Ok(true) => info!("the certificate was renewed"),
                    Ok(false) => {}
                    // Logged once for each series of failures.
                    Err(error) if !failing => {
                        error!(error = format!("{error:#}"), "cannot reload the certificate");
                    }
                    Err(_) => {}
                }
                failing = reloaded.is_err();
            }
        });
    }

    /// The TLS configuration of the next connection that is accepted.
    pub fn server(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.0.current.load().server)
    }

    /// When the certificate expires, in seconds since the epoch.
    pub fn expires_at(&self) -> i64 {
        self.0.current.load().expires_at
    }

    /// The TLS configuration of the next connection that is opened.
    pub(crate) fn client(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.0.current.load().client)
    }
}

impl Loaded {
    fn new(files: Files, name: &str) -> anyhow::Result<Self> {
        let [authority, chain, key] = &files.own;
        let processes = roots(authority).context("ca.crt")?;
        // A file that cannot be read stops operators, and not the process.
        let operators = roots(&files.operators).unwrap_or_else(|error| {
            error!(error = format!("{error:#}"), "cannot read {OPERATORS_FILE}");
            Arc::new(RootCertStore::empty())
        });
        let chain = certificates(chain).context("tls.crt")?;
        let own = identity(chain.first().context("tls.crt is empty")?)?;
        ensure!(own.name == name, "it is the certificate of {}, not of {name}", own.name);
        let key = PrivateKeyDer::from_pem_slice(key).context("tls.key")?;

        let provider = provider();
        let verifier = CallerVerifier::new(&processes, &operators, &provider)?;
        let mut server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13])?
            .with_client_cert_verifier(Arc::new(verifier))
            .with_single_cert(chain.clone(), key.clone_key())?;
        server.alpn_protocols = vec![b"h2".to_vec()];
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .with_root_certificates(processes)
            .with_client_auth_cert(chain, key)?;
        client.alpn_protocols = vec![b"h2".to_vec()];
        // A resumed session would not verify the other's certificate again.
        server.session_storage = Arc::new(NoServerSessionStorage {});
        server.send_tls13_tickets = 0;
        client.resumption = Resumption::disabled();

        #[expect(clippy::cast_precision_loss, reason = "seconds since the epoch fit")]
        gauge!("tls_certificate_expires_seconds").set(own.expires_at as f64);
        let (server, client) = (Arc::new(server), Arc::new(client));
        Ok(Self { server, client, expires_at: own.expires_at, files })
    }
}

/// The cryptography provider. AES-128 comes first, because it costs less than AES-256 and is as
/// safe here.
fn provider() -> Arc<CryptoProvider> {
    let mut provider = ring::default_provider();
    provider.cipher_suites = vec![
        ring::cipher_suite::TLS13_AES_128_GCM_SHA256,
        ring::cipher_suite::TLS13_AES_256_GCM_SHA384,
        ring::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256,
    ];
    Arc::new(provider)
}

fn roots(pem: &[u8]) -> anyhow::Result<Arc<RootCertStore>> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(pem)? {
        roots.add(certificate)?;
    }
    Ok(Arc::new(roots))
}

fn certificates(pem: &[u8]) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    Ok(CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>()?)
}

fn read(folder: &Path) -> anyhow::Result<Files> {
    let mut own = [const { Vec::new() }; FILES.len()];
    for (bytes, name) in own.iter_mut().zip(FILES) {
        let path = folder.join(name);
        *bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let operators = match fs::read(folder.join(OPERATORS_FILE)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error).context(OPERATORS_FILE),
    };
    Ok(Files { own, operators })
}

/// Not derived: it would print keys.
impl std::fmt::Debug for Certificates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certificates").field("name", &self.0.name).finish_non_exhaustive()
    }
}

//! Certificates that are missing, expired, for another process, and renewed.

use std::{fs, sync::Arc, time::Duration};

use mesh::{grpc::client, tls::Certificates};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use testkit::{Authority, eventually};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_rustls::TlsConnector;
use tonic::Code;
use types::Clock;

use crate::harness::{Process, call};

const KEYS: &str = "/playon.auth.v1.KeyService/GetKeySet";

/// What a process without a certificate reads after its handshake: an alert or the end.
async fn read_without_certificate(process: &Process) -> std::io::Result<usize> {
    let authority = Authority::shared().issue("gateway").join("ca.crt");
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tcp = TcpStream::connect(process.addr).await.unwrap();
    let name = ServerName::try_from("svc-auth").unwrap();
    let mut tls = TlsConnector::from(Arc::new(config)).connect(name, tcp).await?;
    tls.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await?;
    tls.read(&mut [0; 64]).await
}

#[tokio::test]
async fn a_caller_without_a_certificate_is_refused() {
    let process = Process::start("svc-auth").await;
    assert!(read_without_certificate(&process).await.is_err());
}

#[tokio::test]
async fn a_caller_that_does_not_speak_tls_is_refused() {
    let process = Process::start("svc-auth").await;
    let mut tcp = TcpStream::connect(process.addr).await.unwrap();
    tcp.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    let _ = tcp.read_to_end(&mut answer).await;
    // At most a TLS alert: record type 21.
    assert!(answer.is_empty() || answer[0] == 21, "{answer:?}");
}

#[tokio::test]
async fn a_caller_with_an_expired_certificate_is_refused() {
    let process = Process::start("svc-auth").await;
    let an_hour_ago = Clock::system().now() - Duration::from_hours(1);
    let folder = Authority::shared().issue_until("gateway", an_hour_ago);
    let certificates = Certificates::load(&folder, "gateway").unwrap();
    let url = format!("https://{}", process.addr);
    let client = client::connect(&url, "svc-auth", certificates, process.base.rng.clone());
    assert_eq!(call(&client.unwrap(), KEYS, None).await, Code::Unavailable);
    assert_eq!(process.calls.count(), 0);
}

#[tokio::test]
async fn a_process_does_not_start_with_the_certificate_of_another() {
    let folder = Authority::shared().issue("svc-chat");
    let error = Certificates::load(&folder, "svc-auth").unwrap_err();
    assert!(format!("{error:#}").contains("svc-chat, not of svc-auth"), "{error:#}");
}

#[tokio::test]
async fn a_process_does_not_start_with_a_key_of_another_certificate() {
    let folder = Authority::shared().issue("svc-auth");
    let other = Authority::shared().issue("svc-auth");
    fs::copy(other.join("tls.key"), folder.join("tls.key")).unwrap();
    assert!(Certificates::load(&folder, "svc-auth").is_err());
}

/// Replaces the files of a certificate, as cert-manager does.
fn renew(folder: &std::path::Path, from: &std::path::Path) {
    for file in ["ca.crt", "tls.crt", "tls.key"] {
        fs::copy(from.join(file), folder.join(file)).unwrap();
    }
}

#[tokio::test]
async fn a_renewed_certificate_is_used_without_a_restart_and_without_a_lost_call() {
    let (old, new) = (Authority::new(), Authority::new());
    let [mut server, mut caller] = ["svc-auth", "gateway"].map(|name| old.issue(name));
    let certificates = Certificates::load(&server, "svc-auth").unwrap();
    let base = mesh::Base { certificates: certificates.clone(), ..testkit::base("svc-auth") };
    let process = Process::with(base, 0, |_| async { Code::Ok }).await;
    let own = Certificates::load(&caller, "gateway").unwrap();
    let url = format!("https://{}", process.addr);
    let rng = process.base.rng.clone();
    let client = client::connect(&url, "svc-auth", own.clone(), rng.clone()).unwrap();
    assert_eq!(call(&client, KEYS, None).await, Code::Ok);

    renew(&server, &new.issue("svc-auth"));
    assert!(certificates.reload().unwrap());
    assert_eq!(call(&client, KEYS, None).await, Code::Ok, "the open connection goes on");
    let late = client::connect(&url, "svc-auth", own.clone(), rng.clone()).unwrap();
    assert_eq!(call(&late, KEYS, None).await, Code::Unavailable, "a caller of the old authority");

    renew(&caller, &new.issue("gateway"));
    assert!(own.reload().unwrap() && !own.reload().unwrap());
    eventually("the late caller connects with its new certificate", || async {
        (call(&late, KEYS, None).await == Code::Ok).then_some(())
    })
    .await;
    (server, caller) = (caller, server);
    drop((server, caller));
}

#[tokio::test]
async fn half_written_files_change_nothing() {
    let folder = Authority::shared().issue("svc-auth");
    let certificates = Certificates::load(&folder, "svc-auth").unwrap();
    fs::write(folder.join("tls.crt"), "-----BEGIN CERTIFICATE-----").unwrap();
    assert!(certificates.reload().is_err());
}

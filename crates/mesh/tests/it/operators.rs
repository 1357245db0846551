//! Operators: certificates from an authority of their own, roles, and revocation.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use mesh::{
    Fault,
    auth::{Admission, Verifier},
    edges::OPERATORS,
    grpc::client::{self, Outgoing},
    tls::Certificates,
};
use proto::{
    Access, RPCS,
    auth::v1::{
        AdmitOperatorRequest, AdmitOperatorResponse,
        admission_service_server::{AdmissionService, AdmissionServiceServer},
    },
    wallet::v1::{
        ListBreaksRequest, money_operations_service_client::MoneyOperationsServiceClient,
    },
};
use testkit::Authority;
use time::Duration;
use tonic::{Code, Request, Response, Status, service::Routes};
use types::Role;

use crate::harness::{Process, call};

/// An RPC for operators with the role support.
const LIST_DEVICES: &str = "/playon.auth.v1.PlayerAdminService/ListDevices";
/// An RPC for processes.
const KEYS: &str = "/playon.auth.v1.KeyService/GetKeySet";

/// A process that admits the operator `support` alone, as svc-auth would decide.
async fn start(callee: &'static str) -> Process {
    Process::with_admission(testkit::base(callee), only_support()).await
}

fn only_support() -> Admission {
    Admission::new(|call| {
        let is_support = &*call.operator == "support" && call.rpc.roles.contains(&Role::Support);
        Box::pin(async move { if is_support { Ok(()) } else { Err(Fault::forbidden()) } })
    })
}

/// A client with the certificate in a folder.
fn client(process: &Process, folder: &Path, name: &'static str) -> Outgoing {
    let certificates = Certificates::load(folder, name).unwrap();
    let (url, rng) = (format!("https://{}", process.addr), process.base.rng.clone());
    client::connect_untraced(&url, process.base.name, certificates, rng).unwrap()
}

#[test]
fn each_rpc_for_operators_names_its_roles_and_no_other_does() {
    for rpc in RPCS {
        assert_eq!(rpc.roles.is_empty(), rpc.access != Access::Operator, "{}", rpc.path);
    }
}

#[test]
fn money_is_moved_by_finance_alone_and_the_list_is_kept_by_the_platform_alone() {
    for (path, roles) in [
        ("/playon.wallet.v1.MoneyOperationsService/RequestOperation", &[Role::Finance]),
        ("/playon.wallet.v1.MoneyOperationsService/DecideOperation", &[Role::Finance]),
        ("/playon.wallet.v1.MoneyOperationsService/ResumePayouts", &[Role::Finance]),
        ("/playon.games.v1.RunAdminService/DecideHeldRun", &[Role::FairPlay]),
        ("/playon.tournament.v1.TournamentAdminService/ApplyTournament", &[Role::Content]),
        ("/playon.tournament.v1.AwardAdminService/DecideAward", &[Role::FairPlay]),
        ("/playon.auth.v1.PlayerAdminService/ApproveDevice", &[Role::Support]),
        ("/playon.auth.v1.OperatorAdminService/SetRoles", &[Role::Platform]),
    ] {
        assert_eq!(proto::Rpc::of(path).unwrap().roles, roles, "{path}");
    }
}

#[tokio::test]
async fn an_operator_who_is_not_admitted_calls_nothing() {
    let process = start("svc-auth").await;
    let stranger = testkit::operator("stranger", "svc-auth", process.addr);
    assert_eq!(call(&stranger, LIST_DEVICES, None).await, Code::PermissionDenied);
    assert_eq!(process.calls.count(), 0);
    // Names in other letters are one person.
    let support = testkit::operator("Support", "svc-auth", process.addr);
    assert_eq!(call(&support, LIST_DEVICES, None).await, Code::Ok);
}

#[tokio::test]
async fn no_authority_certifies_what_the_other_does() {
    let process = start("svc-auth").await;
    let authority = Authority::shared();
    let (forged, name) = (authority.forge_operator("support"), OPERATORS);
    assert_eq!(call(&client(&process, &forged, name), LIST_DEVICES, None).await, Code::Unavailable);
    let below = authority.issue_operator_below("support");
    assert_eq!(call(&client(&process, &below, name), LIST_DEVICES, None).await, Code::Unavailable);
    let (forged, name) = (authority.forge_process("gateway"), "gateway");
    assert_eq!(call(&client(&process, &forged, name), KEYS, None).await, Code::Unavailable);
    assert_eq!(process.calls.count(), 0);
    let (genuine, name) = (authority.issue_operator("support"), OPERATORS);
    assert_eq!(call(&client(&process, &genuine, name), LIST_DEVICES, None).await, Code::Ok);
}

#[test]
fn a_certificate_names_one_operator() {
    let both = Authority::shared().issue_operators(["support", "stranger"]);
    let error = Certificates::load(&both, OPERATORS).unwrap_err();
    assert!(format!("{error:#}").contains("two common names"), "{error:#}");
}

#[tokio::test]
async fn an_operators_certificate_is_valid_for_twelve_hours_at_most() {
    let process = start("svc-auth").await;
    let folder = Authority::shared().issue_operator_for("support", Duration::hours(13));
    let long = client(&process, &folder, OPERATORS);
    assert_eq!(call(&long, LIST_DEVICES, None).await, Code::Unavailable);
    assert_eq!(process.calls.count(), 0);
}

#[tokio::test]
async fn without_an_authority_of_operators_there_are_none() {
    // A file that cannot be read stops operators, and not the process.
    for broken in [None, Some("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")] {
        let folder = Authority::shared().issue("svc-auth");
        match broken {
            None => fs::remove_file(folder.join("operators.crt")).unwrap(),
            Some(broken) => fs::write(folder.join("operators.crt"), broken).unwrap(),
        }
        let certificates = Certificates::load(&folder, "svc-auth").unwrap();
        let base = mesh::Base { certificates, ..testkit::base("svc-auth") };
        let process = Process::with_admission(base, only_support()).await;
        let support = testkit::operator("support", "svc-auth", process.addr);
        assert_eq!(call(&support, LIST_DEVICES, None).await, Code::Unavailable);
        assert_eq!(call(&process.client("gateway"), KEYS, None).await, Code::Ok);
    }
}

#[tokio::test]
async fn no_operator_is_admitted_while_svc_auth_is_out_of_reach() {
    let base = testkit::base("svc-wallet");
    let auth = base.upstream("svc-auth", "https://127.0.0.1:1").unwrap();
    let verifier = Verifier::remote(base.clock.clone(), auth, &base.shutdown);
    let process = Process::with_verifier(base, verifier).await;
    let operator = testkit::operator("wanjiru", "svc-wallet", process.addr);
    let mut client = MoneyOperationsServiceClient::new(operator);
    let refused = client.list_breaks(ListBreaksRequest::default()).await.unwrap_err();
    assert_eq!(Fault::from_status(&refused).reason, "OPERATORS_UNAVAILABLE");
    assert_eq!(process.calls.count(), 0);
}

/// A stub of svc-auth that keeps what it is asked, and refuses.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<AdmitOperatorRequest>>>);

#[tonic::async_trait]
impl AdmissionService for Asked {
    async fn admit_operator(
        &self,
        request: Request<AdmitOperatorRequest>,
    ) -> Result<Response<AdmitOperatorResponse>, Status> {
        self.0.lock().unwrap().push(request.into_inner());
        let fault = Fault::new(Code::PermissionDenied, "CERTIFICATE_REVOKED");
        Err(fault.into())
    }
}

#[tokio::test]
async fn a_service_asks_svc_auth_about_operator_certificate_and_roles() {
    let asked = Asked::default();
    let routes = Routes::new(AdmissionServiceServer::new(asked.clone()));
    let base = testkit::base("svc-wallet");
    let auth = base.upstream("svc-auth", &testkit::serve("svc-auth", routes).await).unwrap();
    let verifier = Verifier::remote(base.clock.clone(), auth, &base.shutdown);
    let process = Process::with_verifier(base, verifier).await;
    let folder = Authority::shared().issue_operator("Wanjiru");
    let operator = client(&process, &folder, OPERATORS);
    let mut money = MoneyOperationsServiceClient::new(operator);
    let refused = money.list_breaks(ListBreaksRequest::default()).await.unwrap_err();
    assert_eq!(Fault::from_status(&refused).reason, "CERTIFICATE_REVOKED");
    assert_eq!(process.calls.count(), 0);
    let asked = asked.0.lock().unwrap().pop().unwrap();
    assert_eq!(asked.operator, "wanjiru");
    assert_eq!(asked.rpc, "/playon.wallet.v1.MoneyOperationsService/ListBreaks");
    assert_eq!(asked.roles().collect::<Vec<_>>(), [proto::types::v1::Role::Finance]);
    let pem = fs::read(folder.join("tls.crt")).unwrap();
    let (_, pem) = x509_parser::pem::parse_x509_pem(&pem).unwrap();
    let serial = pem.parse_x509().unwrap().tbs_certificate.serial.to_str_radix(16);
    assert_eq!(asked.serial, serial);
}

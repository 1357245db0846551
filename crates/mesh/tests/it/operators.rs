//! Operators: certificates from an authority of their own, roles, and revocation.

use std::{fs, path::Path};

use mesh::{
    Fault,
    auth::{Admission, Verifier},
    edges::OPERATORS,
    grpc::client::{self, Outgoing},
    tls::Certificates,
};
use proto::{
    Access, RPCS,
    wallet::v1::{
        ListBreaksRequest, money_operations_service_client::MoneyOperationsServiceClient,
    },
};
use testkit::{Authority, eventually};
use time::Duration;
use tonic::Code;
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
async fn a_connection_does_not_outlive_the_operators_certificate() {
    let process = start("svc-auth").await;
    let folder = Authority::shared().issue_operator_for("support", Duration::seconds(10));
    let short = client(&process, &folder, OPERATORS);
    assert_eq!(call(&short, LIST_DEVICES, None).await, Code::Ok);
    eventually("the certificate expires", async || {
        let code = call(&short, LIST_DEVICES, None).await;
        (code == Code::PermissionDenied).then_some(())
    })
    .await;
}

#[tokio::test]
async fn without_an_authority_of_operators_there_are_none() {
    let folder = Authority::shared().issue("svc-auth");
    fs::remove_file(folder.join("operators.crt")).unwrap();
    let certificates = Certificates::load(&folder, "svc-auth").unwrap();
    let base = mesh::Base { certificates, ..testkit::base("svc-auth") };
    let process = Process::with_admission(base, only_support()).await;
    let support = testkit::operator("support", "svc-auth", process.addr);
    assert_eq!(call(&support, LIST_DEVICES, None).await, Code::Unavailable);
    assert_eq!(call(&process.client("gateway"), KEYS, None).await, Code::Ok);
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

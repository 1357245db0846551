//! Operators: their roles, proposals that a second operator confirms, and revoked certificates.

use std::time::Duration;

use futures_util::future::join_all;
use mesh::{
    Fault,
    auth::ActChain,
    edges::OPERATORS,
    grpc::client::{Outgoing, connect_untraced},
    tls::Certificates,
};
use proto::auth::v1::{
    AdmitOperatorRequest, ListActsRequest, ListActsResponse, ListDevicesRequest,
    ListOperatorsRequest, ListOperatorsResponse, Operator, RevokeCertificateRequest,
    SetRolesRequest, admission_service_client::AdmissionServiceClient,
    operator_admin_service_client::OperatorAdminServiceClient,
    player_admin_service_client::PlayerAdminServiceClient,
};
use proto::types::v1::Role;
use testkit::Authority;
use types::Rng;
use x509_parser::pem::parse_x509_pem;

use crate::harness::{Service, days, fault};

impl Service {
    fn operators(&self, operator: &str) -> OperatorAdminServiceClient<Outgoing> {
        OperatorAdminServiceClient::new(self.connect_operator(operator))
    }

    /// Sets roles, a second after the last call; whether they changed.
    async fn set_roles(&self, by: &str, name: &str, roles: &[Role]) -> Result<bool, Fault> {
        self.clock.advance(Duration::from_secs(1));
        let roles = roles.iter().map(|role| (*role).into()).collect();
        let operator = Some(Operator { name: name.to_owned(), roles });
        let reply = self.operators(by).set_roles(SetRolesRequest { operator }).await;
        Ok(reply.map_err(fault)?.into_inner().changed)
    }

    async fn list_operators(&self) -> ListOperatorsResponse {
        let request = ListOperatorsRequest {};
        self.operators("wanjiru").list_operators(request).await.unwrap().into_inner()
    }

    async fn roles_of(&self, name: &str) -> Vec<Role> {
        let operators = self.list_operators().await.operators;
        let found = operators.into_iter().find(|operator| operator.name == name);
        found.map(|operator| operator.roles().collect()).unwrap_or_default()
    }

    /// Asks in the name of svc-wallet whether an operator may make a call that needs a role.
    async fn admit(&self, operator: &str, role: Role) -> Result<(), Fault> {
        let mut admission = AdmissionServiceClient::new(self.connect_service("svc-wallet"));
        let request = AdmitOperatorRequest {
            operator: operator.to_owned(),
            serial: "a3f".to_owned(),
            rpc: "/playon.wallet.v1.MoneyOperationsService/RequestOperation".to_owned(),
            roles: vec![role.into()],
        };
        admission.admit_operator(request).await.map(drop).map_err(fault)
    }

    async fn acts_after(&self, after_number: i64) -> ListActsResponse {
        let request = ListActsRequest { after_number };
        self.operators("wanjiru").list_acts(request).await.unwrap().into_inner()
    }
}

/// The REASON of a refusal.
fn refusal<T: std::fmt::Debug>(result: Result<T, Fault>) -> String {
    result.unwrap_err().reason.into_owned()
}

#[tokio::test]
async fn two_operators_give_a_role_and_one_takes_it_away() {
    let auth = Service::start().await;
    let both = [Role::Support, Role::Finance];
    // The proposal of one operator, however often they make it, gives nothing.
    for _ in 0..2 {
        let proposed = auth.set_roles("wanjiru", "Njeri", &both).await;
        assert_eq!(refusal(proposed), "NEEDS_SECOND_OPERATOR");
    }
    assert_eq!(auth.roles_of("njeri").await, []);
    let waiting = auth.list_operators().await.proposals;
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].proposed_by, "wanjiru");
    assert_eq!(waiting[0].operator.as_ref().unwrap().name, "njeri");
    // Other roles are another proposal.
    let other = auth.set_roles("otieno", "njeri", &[Role::Support]).await;
    assert_eq!(refusal(other), "NEEDS_SECOND_OPERATOR");
    let first = auth.set_roles("wanjiru", "njeri", &both).await;
    assert_eq!(refusal(first), "NEEDS_SECOND_OPERATOR");
    assert!(auth.set_roles("otieno", "njeri", &both).await.unwrap());
    assert_eq!(auth.roles_of("njeri").await, both);
    assert!(auth.list_operators().await.proposals.is_empty());
    assert!(!auth.set_roles("wanjiru", "njeri", &both).await.unwrap(), "nothing changes");

    assert!(auth.set_roles("wanjiru", "njeri", &[Role::Support]).await.unwrap());
    assert_eq!(auth.roles_of("njeri").await, [Role::Support]);
    assert!(auth.set_roles("wanjiru", "njeri", &[]).await.unwrap());
    assert_eq!(auth.roles_of("njeri").await, []);
    let audited: Vec<(String, String)> = sqlx::query_as(
        "SELECT operator, change FROM content_change WHERE key = 'njeri' AND change <> 'Proposed'
         ORDER BY changed_at, id",
    )
    .fetch_all(&auth.database.pool)
    .await
    .unwrap();
    let audited: Vec<_> = audited.iter().map(|(by, what)| (by.as_str(), what.as_str())).collect();
    assert_eq!(audited, [("otieno", "Created"), ("wanjiru", "Updated"), ("wanjiru", "Deleted")]);
    auth.database.assert_append_only("content_change").await;
}

#[tokio::test]
async fn a_proposal_does_not_outlive_the_role_of_its_proposer() {
    let auth = Service::start().await;
    let _ = auth.set_roles("wanjiru", "njeri", &[Role::Platform]).await;
    auth.set_roles("otieno", "njeri", &[Role::Platform]).await.unwrap();
    let proposed = auth.set_roles("njeri", "mallory", &[Role::Finance]).await;
    assert_eq!(refusal(proposed), "NEEDS_SECOND_OPERATOR");
    auth.set_roles("wanjiru", "njeri", &[]).await.unwrap();
    let proposed = auth.set_roles("otieno", "mallory", &[Role::Finance]).await;
    assert_eq!(refusal(proposed), "NEEDS_SECOND_OPERATOR");
    // The roles as they are withdraw what was proposed.
    assert!(auth.set_roles("wanjiru", "mallory", &[]).await.unwrap());
    assert!(auth.list_operators().await.proposals.is_empty());
    let proposed = auth.set_roles("wanjiru", "mallory", &[Role::Finance]).await;
    assert_eq!(refusal(proposed), "NEEDS_SECOND_OPERATOR");
}

#[tokio::test]
async fn a_proposal_lapses_after_seven_days() {
    let auth = Service::start().await;
    let roles = [Role::Content];
    assert_eq!(refusal(auth.set_roles("wanjiru", "njeri", &roles).await), "NEEDS_SECOND_OPERATOR");
    auth.clock.advance(days(8));
    assert!(auth.list_operators().await.proposals.is_empty());
    assert_eq!(refusal(auth.set_roles("otieno", "njeri", &roles).await), "NEEDS_SECOND_OPERATOR");
}

#[tokio::test]
async fn an_operator_who_gets_a_role_may_call_with_it_and_not_with_another() {
    let auth = Service::start().await;
    let request = ListDevicesRequest { player_id: "018f0000-0000-7000-8000-000000000000".into() };
    let mut njeri = PlayerAdminServiceClient::new(auth.connect_operator("njeri"));
    let unknown = njeri.list_devices(request.clone()).await.map_err(fault);
    assert_eq!(unknown.unwrap_err().message, "njeri is not on the list of operators.");
    let _ = auth.set_roles("wanjiru", "njeri", &[Role::Content]).await;
    auth.set_roles("otieno", "njeri", &[Role::Content]).await.unwrap();
    let missing = njeri.list_devices(request.clone()).await.map_err(fault).unwrap_err();
    assert_eq!(missing.message, "This needs one of these roles: support.");
    let refused = auth.set_roles("njeri", "njeri", &[Role::Platform]).await;
    assert_eq!(refusal(refused), "ROLE_MISSING");
    let _ = auth.set_roles("wanjiru", "njeri", &[Role::Support]).await;
    auth.set_roles("otieno", "njeri", &[Role::Support]).await.unwrap();
    njeri.list_devices(request).await.unwrap();
}

#[tokio::test]
async fn other_services_ask_whether_an_operator_may_call() {
    let auth = Service::start().await;
    assert_eq!(refusal(auth.admit("njeri", Role::Finance).await), "OPERATOR_UNKNOWN");
    let _ = auth.set_roles("wanjiru", "njeri", &[Role::Finance]).await;
    auth.set_roles("otieno", "njeri", &[Role::Finance]).await.unwrap();
    auth.admit("njeri", Role::Finance).await.unwrap();
    assert_eq!(refusal(auth.admit("njeri", Role::Support).await), "ROLE_MISSING");
    // A service has no act in the audit that was another's.
    let mut chat = AdmissionServiceClient::new(auth.connect_service("svc-chat"));
    let request = AdmitOperatorRequest {
        operator: "otieno".to_owned(),
        serial: "a3f".to_owned(),
        rpc: "/playon.wallet.v1.MoneyOperationsService/RequestOperation".to_owned(),
        roles: vec![Role::Finance.into()],
    };
    let refused = chat.admit_operator(request.clone()).await.map_err(fault);
    assert_eq!(refusal(refused), "FORBIDDEN");
    let mut wallet = AdmissionServiceClient::new(auth.connect_service("svc-wallet"));
    for rpc in [
        "",
        "/",
        "//playon.wallet.v1.MoneyOperationsService/A",
        "/playon.wallet.v1.MoneyOperationsService/A\n",
    ] {
        let request = AdmitOperatorRequest { rpc: rpc.to_owned(), ..request.clone() };
        let refused = wallet.admit_operator(request).await.map_err(fault);
        assert_eq!(refusal(refused), "FORBIDDEN", "{rpc:?}");
    }
    assert!(
        auth.acts_after(0)
            .await
            .acts
            .iter()
            .all(|act| act.operator != "otieno" || act.rpc.starts_with("/playon.auth.v1."))
    );
    auth.set_roles("wanjiru", "njeri", &[]).await.unwrap();
    assert_eq!(refusal(auth.admit("njeri", Role::Finance).await), "OPERATOR_UNKNOWN");
}

#[tokio::test]
async fn each_call_is_in_the_audit_and_the_audit_is_a_chain() {
    let auth = Service::start().await;
    let _ = auth.admit("njeri", Role::Finance).await;
    // Calls at once are one chain, too.
    join_all((0..20).map(|_| auth.admit("otieno", Role::Finance))).await;
    let page = auth.acts_after(0).await;
    assert!(page.is_last);
    let acts = page.acts;
    let mut chain = ActChain::default();
    for act in acts.clone() {
        chain.check(act).unwrap();
    }
    assert_eq!(chain.number(), 22);
    let first = &acts[0];
    assert_eq!((first.operator.as_str(), first.outcome.as_str()), ("njeri", "OPERATOR_UNKNOWN"));
    assert_eq!(first.rpc, "/playon.wallet.v1.MoneyOperationsService/RequestOperation");
    assert!(acts[1..].iter().all(|act| act.outcome == "ADMITTED"));
    // The reading of the audit is in it, too.
    assert!(acts[21].rpc.ends_with("/ListActs") && acts[21].operator == "wanjiru");
    // A later reading goes on from there, and ends.
    let later = auth.acts_after(22).await;
    assert_eq!((later.acts.len(), later.is_last), (1, true));
    chain.check(later.acts[0].clone()).unwrap();
    auth.database.assert_append_only("operator_act").await;
}

#[tokio::test]
async fn a_revoked_certificate_is_refused_on_the_connection_that_is_open() {
    let auth = Service::start().await;
    let folder = Authority::shared().issue_operator("wanjiru");
    let pem = std::fs::read(folder.join("tls.crt")).unwrap();
    let (_, pem) = parse_x509_pem(&pem).unwrap();
    let serial = pem.parse_x509().unwrap().raw_serial_as_string().to_uppercase();
    let certificates = Certificates::load(&folder, OPERATORS).unwrap();
    let stolen = connect_untraced(&auth.url(), "svc-auth", certificates, Rng::system()).unwrap();
    let mut stolen = OperatorAdminServiceClient::new(stolen);
    stolen.list_operators(ListOperatorsRequest {}).await.unwrap();

    let request =
        RevokeCertificateRequest { serial: serial.clone(), reason: "a lost laptop".to_owned() };
    for changed in [true, false] {
        let reply = auth.operators("otieno").revoke_certificate(request.clone()).await.unwrap();
        let reply = reply.into_inner();
        assert_eq!((reply.changed, reply.operator.as_str()), (changed, "wanjiru"));
    }
    let refused = stolen.list_operators(ListOperatorsRequest {}).await.map_err(fault);
    assert_eq!(refusal(refused), "CERTIFICATE_REVOKED");
    // Another certificate of the same operator is accepted.
    let revoked = auth.list_operators().await.revoked;
    assert_eq!((revoked.len(), revoked[0].revoked_by.as_str()), (1, "otieno"));
    assert_eq!(revoked[0].reason, "a lost laptop");

    for (serial, reason) in [("no number", "lost"), (serial.as_str(), " ")] {
        let request =
            RevokeCertificateRequest { serial: serial.to_owned(), reason: reason.to_owned() };
        let refused = auth.operators("otieno").revoke_certificate(request).await.map_err(fault);
        assert_eq!(refusal(refused), "INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn names_and_roles_are_checked() {
    let auth = Service::start().await;
    for name in ["", "1st", "a b", "wanjirú"] {
        let refused = auth.set_roles("wanjiru", name, &[Role::Content]).await;
        assert_eq!(refusal(refused), "INVALID_ARGUMENT", "{name}");
    }
    let refused = auth.set_roles("wanjiru", "njeri", &[Role::Unspecified]).await.unwrap_err();
    assert_eq!(refused.message, "There is no such role.");
}

#[tokio::test]
async fn the_first_operators_have_all_roles_whatever_the_list_says() {
    let auth = Service::start().await;
    let all: Vec<Role> = (1..=5).map(|number| Role::try_from(number).unwrap()).collect();
    assert_eq!(auth.roles_of("wanjiru").await, all);
    let listed = auth.list_operators().await.operators;
    let names: Vec<_> = listed.iter().map(|operator| operator.name.as_str()).collect();
    assert_eq!(names, ["achieng", "otieno", "wanjiru"]);
    assert!(auth.set_roles("otieno", "wanjiru", &[Role::Content]).await.is_err());
    assert_eq!(auth.roles_of("wanjiru").await, all);
    // The proposal that this was is withdrawn, and no role can be taken away.
    assert!(auth.set_roles("otieno", "wanjiru", &[]).await.unwrap());
    let removed = auth.set_roles("otieno", "wanjiru", &[]).await;
    assert_eq!(refusal(removed), "FIRST_OPERATOR");
}

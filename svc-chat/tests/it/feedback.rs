//! Feedback to the support: storing, mailing and limits.

use std::time::Duration;

use mesh::http;
use proto::chat::v1::{
    ApplyContactSettingRequest, ContactSettingManifest, SendFeedbackRequest,
    support_service_client::SupportServiceClient,
};
use serde_json::Value;
use svc_chat::Args;
use tonic::{Code, IntoRequest, Request, Status};
use tonic_types::StatusExt as _;

use crate::harness::{Service, reason, signed};

const SUPPORT: &str = "help@playon.example";

fn feedback(client_id: &str) -> SendFeedbackRequest {
    SendFeedbackRequest {
        email: "wanjiru@example.com".to_owned(),
        subject: "Duma".to_owned(),
        message: "Nimeipenda sana.".to_owned(),
        client_feedback_id: client_id.to_owned(),
    }
}

/// A request of a player that sends feedback in this trace.
fn traced(token: &str, trace: &str, client_id: &str) -> Request<SendFeedbackRequest> {
    let mut request = signed(token, feedback(client_id));
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    request
}

/// Sets the sandbox's mail server in the arguments.
fn mail_by(sandbox: &sandbox::Running, args: &mut Args) {
    args.support.mail_url = Some(format!("smtp://{}", sandbox.mail_addr).parse().unwrap());
    args.support.mail_from = Some("PlayOn <no-reply@playon.example>".to_owned());
}

/// The mails that the support's address has received.
async fn mails(sandbox: &sandbox::Running) -> Vec<Value> {
    let url = format!("http://{}/control/mail?to={SUPPORT}", sandbox.addr);
    let client = http::client(Duration::from_secs(10)).unwrap();
    client.get(url).send().await.unwrap().json().await.unwrap()
}

impl Service {
    async fn send_feedback(
        &self,
        request: impl IntoRequest<SendFeedbackRequest>,
    ) -> Result<(), Status> {
        let mut client = SupportServiceClient::new(self.as_gateway());
        client.send_feedback(request).await.map(drop)
    }

    async fn name_support(&self) {
        let (key, value) = ("Email".to_owned(), SUPPORT.to_owned());
        let setting = Some(ContactSettingManifest { key, value });
        let request = ApplyContactSettingRequest { setting, dry_run: false };
        self.admin.clone().apply_contact_setting(request).await.unwrap();
    }

    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database.pool).await.unwrap()
    }
}

#[tokio::test]
async fn what_a_player_writes_is_mailed_to_the_support_once() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const REPEAT: &str = "4bf92f3577b34da6a3ce929d0e0e4737";
    testkit::spans();
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let service = Service::start_args(|args| mail_by(&sandbox, args)).await;
    service.name_support().await;
    let (player, token) = service.tokens.player();
    for trace in [TRACE, REPEAT] {
        service.send_feedback(traced(&token, trace, "f-1")).await.unwrap();
    }
    let mail = testkit::eventually("the mail", async || mails(&sandbox).await.pop()).await;
    assert_eq!(mail["subject"], "[PlayOn feedback] Duma");
    assert_eq!(mail["headers"]["Reply-To"], "wanjiru@example.com", "{mail}");
    let text = mail["text"].as_str().unwrap();
    let parts = ["Nimeipenda sana.", &format!("Player: {player}"), &format!("Trace: {TRACE}")];
    for part in parts {
        assert!(text.contains(part), "{text}");
    }
    testkit::eventually("it is marked", async || {
        let mailed = "SELECT count(*) FROM feedback WHERE mailed_at IS NOT NULL";
        (service.count(mailed).await == 1).then_some(())
    })
    .await;
    assert_eq!(service.count("SELECT count(*) FROM feedback").await, 1);
    assert_eq!(mails(&sandbox).await.len(), 1);
}

#[tokio::test]
async fn feedback_of_a_guest_waits_until_the_support_has_an_address_and_a_mail_server() {
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let service = Service::start().await;
    service.send_feedback(feedback("f-1")).await.unwrap();
    assert_eq!(service.count("SELECT count(*) FROM feedback WHERE player_id IS NULL").await, 1);
    let tried = async || {
        testkit::eventually("it was tried, and waits", async || {
            let waiting = "SELECT count(*) FROM outbox WHERE topic = 'mail.feedback'
                           AND NOT leased AND due_at > now() + interval '4 minutes'";
            (service.count(waiting).await == 1).then_some(())
        })
        .await;
    };
    tried().await;

    // A replica with a mail server, but no support address. The first replica, without a mail
    // server, is stopped because it would only delay the row.
    service.shutdown.stop();
    let replica = service.start_replica_args(|args| mail_by(&sandbox, args)).await;
    service.database.advance_outbox(Duration::from_mins(5)).await;
    tried().await;
    assert_eq!(mails(&sandbox).await.len(), 0);

    replica.name_support().await;
    service.database.advance_outbox(Duration::from_mins(5)).await;
    let mail = testkit::eventually("the mail", async || mails(&sandbox).await.pop()).await;
    assert!(mail["text"].as_str().unwrap().contains("Player: none, a guest"), "{mail}");
    testkit::eventually("nothing waits", async || {
        (service.count("SELECT count(*) FROM outbox").await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn every_wrong_field_of_feedback_is_named_with_its_text() {
    let service = Service::start().await;
    let wrong = SendFeedbackRequest {
        email: "wanjiru@".to_owned(),
        subject: String::new(),
        message: " ".to_owned(),
        ..feedback("f-1")
    };
    let refused = service.send_feedback(wrong).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let fields = refused.get_details_bad_request().unwrap().field_violations;
    let fields: Vec<_> =
        fields.iter().map(|one| (one.field.as_str(), one.description.as_str())).collect();
    assert_eq!(
        fields,
        [
            ("email", "Please enter a valid email."),
            ("subject", "Please enter a subject."),
            ("message", "Please enter a message."),
        ]
    );
    let injected =
        SendFeedbackRequest { subject: "Hi\r\nBcc: all@example.com".to_owned(), ..feedback("f-1") };
    assert_eq!(service.send_feedback(injected).await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(service.count("SELECT count(*) FROM feedback").await, 0);
}

#[tokio::test]
async fn other_feedback_under_the_same_name_is_refused() {
    let service = Service::start().await;
    service.send_feedback(feedback("f-1")).await.unwrap();
    let other = SendFeedbackRequest { message: "Sijaipenda.".to_owned(), ..feedback("f-1") };
    let refused = service.send_feedback(other).await.unwrap_err();
    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
}

/// A feedback with this name and email.
fn from(name: &str, email: &str) -> SendFeedbackRequest {
    SendFeedbackRequest { email: email.to_owned(), ..feedback(name) }
}

#[tokio::test]
async fn feedback_is_limited_by_player_and_of_guests_by_email() {
    let service = Service::start_args(|args| args.support.feedback_per_day = 2).await;
    let (player, _) = service.tokens.player();
    let send = async |name: &str, email: &str| service.send_feedback(from(name, email)).await;
    let send_signed = async |name: &str, email: &str| {
        let token = service.tokens.token(player);
        service.send_feedback(signed(&token, from(name, email))).await
    };
    // Guests who give the player's address use up the guests' limit, and not the player's.
    send("a", "a@example.com").await.unwrap();
    send("b", "a@example.com").await.unwrap();
    let refused = send("c", "a@example.com").await.unwrap_err();
    assert_eq!(reason(&refused), "RATE_LIMITED", "an address");
    send_signed("a", "a@example.com").await.unwrap();
    send_signed("b", "b@example.com").await.unwrap();
    let refused = send_signed("c", "c@example.com").await.unwrap_err();
    assert_eq!(reason(&refused), "RATE_LIMITED", "a player");
    // The player's feedback is not counted for a guest with the same address.
    send("c", "b@example.com").await.unwrap();
    send("d", "b@example.com").await.unwrap();
    service.clock.advance(Duration::from_hours(24));
    send("e", "a@example.com").await.unwrap();
    send_signed("c", "c@example.com").await.unwrap();
}

#[tokio::test]
async fn the_feedback_of_all_guests_and_that_of_all_players_have_a_limit_each() {
    let service = Service::start_args(|args| args.support.feedback_per_hour = 2).await;
    let send =
        async |name: &str| service.send_feedback(from(name, &format!("{name}@example.com"))).await;
    let send_signed = async |name: &str| {
        let (_, token) = service.tokens.player();
        service.send_feedback(signed(&token, feedback(name))).await
    };
    for name in ["a", "b"] {
        send(name).await.unwrap();
    }
    assert_eq!(reason(&send("c").await.unwrap_err()), "RATE_LIMITED", "all guests");
    for name in ["a", "b"] {
        send_signed(name).await.unwrap();
    }
    assert_eq!(reason(&send_signed("c").await.unwrap_err()), "RATE_LIMITED", "all players");
    service.clock.advance(Duration::from_hours(1));
    send("c").await.unwrap();
    send_signed("c").await.unwrap();
}

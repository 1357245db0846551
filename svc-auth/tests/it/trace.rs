//! What a call leaves behind in traces.

use proto::auth::v1::SignInRequest;
use tonic::Request;

use crate::harness::{PASSWORD, Service};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[tokio::test]
async fn a_sign_in_tells_its_story_and_no_secrets() {
    let spans = testkit::spans();
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    let mut request = Request::new(SignInRequest {
        email: "wanjiru@example.com".to_owned(),
        password: PASSWORD.to_owned(),
    });
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    let session = auth.auth.clone().sign_in(request).await.unwrap().into_inner().session.unwrap();

    let story = testkit::eventually("the call's own span", || async {
        let story = spans.ancestry(TRACE, "db.session.insert");
        (story.len() == 3).then_some(story)
    })
    .await;
    assert_eq!(story, ["db.session.insert", "auth.sign_in", "playon.auth.v1.AuthService/SignIn"]);
    for statement in ["db.guard.lock", "db.guard.update", "db.identity.find", "db.guard.delete"] {
        assert_eq!(spans.ancestry(TRACE, statement)[1], "auth.sign_in", "{statement}");
    }
    let told = format!("{:?}", spans.of_trace(TRACE));
    assert!(told.contains(&player.uid), "whose call it was");
    for secret in ["wanjiru@example.com", PASSWORD, &session.access_token, &session.refresh_token] {
        assert!(!told.contains(secret), "{secret} is in the trace");
    }
}

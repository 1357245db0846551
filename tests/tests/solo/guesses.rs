//! What guessing brings: nothing, from a restart or from a stopwatch.

use journeys::{Account, Browser, Consent, Mesh, Process, eventually};
use serde_json::{Value, json};
use time::Duration;

#[tokio::test]
async fn a_closed_account_stays_closed_over_a_restart() {
    let mesh = Mesh::alone();
    let player = mesh.newcomer().await;
    for _ in 0..10 {
        assert_eq!(player.try_password("guess").await.status, 401);
    }
    assert_eq!(player.try_password("jambo-kenya").await.status, 429);
    Process::find(&mesh, "svc-auth").kill().await.start_again().await;
    let reply = eventually("svc-auth is found again", || async {
        let reply = player.try_password("jambo-kenya").await;
        (reply.status != 503).then_some(reply)
    })
    .await;
    assert_eq!(reply.refusal(), (429, "RATE_LIMITED"));
}

#[tokio::test]
async fn a_stopwatch_does_not_tell_who_has_an_account() {
    let mesh = Mesh::alone();
    let mut times: [[Vec<Duration>; 2]; 2] = Default::default();
    for round in 0..24 {
        let known = mesh.newcomer().await.email;
        let unknown = format!("{}@example.com", mesh.new_name());
        let mut emails = [(0, known), (1, unknown)];
        // Whoever comes second runs beside what the first has left to be done.
        emails.rotate_left(round % 2);
        for (whose, email) in emails {
            let sign_in = json!({"email": email, "password": "guess"});
            let reset = json!({"email": email});
            times[0][whose].push(time_of(&mesh, "/auth/sign-in", &sign_in).await);
            times[1][whose].push(time_of(&mesh, "/auth/password/reset", &reset).await);
        }
    }
    for (call, [known, unknown]) in ["sign-in", "reset"].into_iter().zip(&mut times) {
        let (known, unknown) = (undisturbed(known), undisturbed(unknown));
        let apart = (known - unknown).abs();
        // A word with PostgreSQL is a millisecond; a hash or a mail is many.
        let allowed = Duration::milliseconds(3).max(known / 4);
        assert!(
            apart < allowed,
            "{call}: {known} for a known address, {unknown} for an unknown one"
        );
    }
}

async fn time_of(mesh: &Mesh, path: &str, body: &Value) -> Duration {
    let begun = mesh.clock().now();
    mesh.post(path, body).await;
    mesh.clock().now() - begun
}

/// What a call takes when little comes between: the lower quartile. A busy machine
/// only ever adds.
fn undisturbed(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 4]
}

/// The order to the sandbox is for whoever comes next, so nobody else may.
#[tokio::test]
async fn an_id_token_that_is_not_googles_for_us_now_is_not_believed() {
    let mesh = Mesh::alone();
    for spoiled in ["wrong_nonce", "wrong_signature", "wrong_audience", "expired", "wrong_issuer"] {
        mesh.sandbox().spoil_next_id_token(spoiled).await;
        let account = Account::new(&mesh);
        let mut browser = Browser::new(&mesh);
        let refused = browser.sign_in("google", Consent::First(&account)).await;
        assert_eq!(refused, Err("OAUTH_FAILED".to_owned()), "{spoiled}");
        browser.session("google", Consent::Again(&account.email)).await;
    }
}

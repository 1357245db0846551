//! Guessed passwords and forged ID tokens.

use journeys::{Account, Browser, Consent, Mesh, Process, eventually};

#[tokio::test]
async fn a_locked_account_stays_locked_after_a_restart() {
    let mesh = Mesh::alone();
    let player = mesh.new_player().await;
    for _ in 0..10 {
        assert_eq!(player.try_password("guess").await.status, 401);
    }
    assert_eq!(player.try_password("jambo-kenya").await.status, 429);
    Process::find(&mesh, "svc-auth").kill().await.restart().await;
    let reply = eventually("the gateway reaches svc-auth again", || async {
        let reply = player.try_password("jambo-kenya").await;
        (!matches!(reply.status, 503 | 504)).then_some(reply)
    })
    .await;
    assert_eq!(reply.refusal(), (429, "RATE_LIMITED"));
}

/// Runs alone, because the sandbox tampers with the next ID token, even if it is for
/// another journey.
#[tokio::test]
async fn an_invalid_id_token_is_refused() {
    let mesh = Mesh::alone();
    for tamper in ["wrong_nonce", "wrong_signature", "wrong_audience", "expired", "wrong_issuer"] {
        mesh.sandbox().tamper_next_id_token(tamper).await;
        let account = Account::new(&mesh);
        let mut browser = Browser::new(&mesh);
        let refused = browser.sign_in("google", Consent::NewAccount(&account)).await;
        assert_eq!(refused, Err("OAUTH_FAILED".to_owned()), "{tamper}");
        browser.session("google", Consent::ExistingAccount(&account.email)).await;
    }
}

//! What guessing brings: nothing, neither by a restart nor by a forged token.

use journeys::{Account, Browser, Consent, Mesh, Process, eventually};

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

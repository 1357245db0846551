//! Which account a social sign-in joins, by its email (docs/decisions/0010).

use journeys::{Account, Browser, Consent, Mesh, Player};
use serde_json::{Value, json};

const PASSWORD: &str = "jambo-kenya";

async fn session_by(mesh: &Mesh, provider: &str, consent: Consent<'_>) -> Value {
    Browser::new(mesh).session(provider, consent).await
}

async fn confirm(mesh: &Mesh, player: &Player) {
    let token = mesh.sandbox().tokens_mailed_to(&player.email, "confirm-email", 1).await.remove(0);
    player.post("/auth/email/confirm", &json!({"token": token})).await.ok();
}

/// Signs in with a provider, which asks for the code of a mail: the `nth` to the address.
async fn session_by_mail(mesh: &Mesh, provider: &str, account: &Account, nth: usize) -> Value {
    let mut browser = Browser::new(mesh);
    let code = browser.sign_in(provider, Consent::NewAccount(account)).await.unwrap();
    assert_eq!(browser.exchange(&code).await.refusal(), (422, "EMAIL_CODE_NEEDED"));
    let start = json!({"code": code});
    let mailed = mesh.post("/auth/oauth/join", &start).await.ok();
    assert!(mailed["emailHint"].as_str().unwrap().contains("•••@"), "{mailed}");
    let email_code = mesh.sandbox().code_mailed_to(&account.email.to_lowercase(), nth).await;
    let confirm = json!({"code": code, "emailCode": email_code});
    mesh.post("/auth/oauth/join/confirm", &confirm).await.ok()
}

#[tokio::test]
async fn google_joins_the_account_of_a_mailbox_that_it_runs() {
    let mesh = Mesh::from_env();
    let player = Player::with_email(&mesh, &mesh.new_gmail()).await;
    confirm(&mesh, &player).await;
    // Providers keep the case in which the address was entered.
    let account = Account::of(&player.email.to_uppercase());
    let session = session_by(&mesh, "google", Consent::NewAccount(&account)).await;
    assert_eq!(session["uid"], player.uid.as_str());
    assert_eq!(session["isNewUser"], false);
    assert_eq!(player.try_password(PASSWORD).await.status, 200);
    player.refresh().await.ok();
}

#[tokio::test]
async fn providers_join_other_accounts_with_the_code_of_a_mail() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    confirm(&mesh, &player).await;
    for (provider, nth) in [("google", 1), ("facebook", 2)] {
        let account = Account::of(&player.email.to_uppercase());
        let session = session_by_mail(&mesh, provider, &account, nth).await;
        assert_eq!(session["uid"], player.uid.as_str(), "{provider}");
        assert_eq!(session["isNewUser"], false, "{provider}");
        let again = session_by(&mesh, provider, Consent::ExistingAccount(&player.email)).await;
        assert_eq!(again["uid"], player.uid.as_str(), "{provider} asks for a code once");
    }
    assert_eq!(player.try_password(PASSWORD).await.status, 200);
    player.refresh().await.ok();
}

#[tokio::test]
async fn joining_an_unconfirmed_account_revokes_its_password_sessions_and_links() {
    let mesh = Mesh::from_env();
    // An attacker signs up with the owner's address before the owner does.
    let squatter = Player::with_email(&mesh, &mesh.new_gmail()).await;
    let links = mesh.sandbox().tokens_mailed_to(&squatter.email, "confirm-email", 1).await;
    mesh.post("/auth/password/reset", &json!({"email": squatter.email})).await.ok();
    let resets = mesh.sandbox().tokens_mailed_to(&squatter.email, "reset-password", 1).await;

    let owner =
        session_by(&mesh, "google", Consent::NewAccount(&Account::of(&squatter.email))).await;
    assert_eq!(owner["uid"], squatter.uid.as_str());
    squatter.until_signed_out().await;
    assert_eq!(squatter.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_eq!(squatter.try_password(PASSWORD).await.refusal(), (401, "BAD_CREDENTIALS"));
    let reset = json!({"token": resets[0], "newPassword": "mine-again"});
    let reset = mesh.post("/auth/password/reset/confirm", &reset).await;
    assert_eq!(reset.refusal(), (410, "RESET_EXPIRED"));
    let confirm = mesh.post("/auth/email/confirm", &json!({"token": links[0]})).await;
    assert_eq!(confirm.refusal(), (410, "LINK_EXPIRED"));

    let owner = Player::of(&mesh, &squatter.email, &mesh.new_phone(), &owner);
    assert_eq!(owner.get("/auth/login").await.ok()["uid"], owner.uid.as_str());
    owner.refresh().await.ok();
}

#[tokio::test]
async fn two_providers_with_the_same_verified_email_are_one_player() {
    let mesh = Mesh::from_env();
    let account = Account::of(&mesh.new_gmail());
    let google = session_by(&mesh, "google", Consent::NewAccount(&account)).await;
    let facebook = session_by_mail(&mesh, "facebook", &account, 1).await;
    assert_eq!(google["uid"], facebook["uid"]);
    assert_eq!((&google["isNewUser"], &facebook["isNewUser"]), (&json!(true), &json!(false)));
    // Joining did not revoke the first session.
    Player::of(&mesh, "", &mesh.new_phone(), &google).refresh().await.ok();
}

#[tokio::test]
async fn an_unverified_email_joins_no_account() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    confirm(&mesh, &player).await;
    for provider in ["google", "facebook"] {
        let claimed = Account { verified: false, ..Account::of(&player.email) };
        let session = session_by(&mesh, provider, Consent::NewAccount(&claimed)).await;
        assert_ne!(session["uid"], player.uid.as_str(), "{provider}");
        assert_eq!(session["isNewUser"], true, "{provider}");
    }
    let nameless = Account { email: String::new(), ..Account::new(&mesh) };
    let session = session_by(&mesh, "facebook", Consent::NewAccount(&nameless)).await;
    assert_eq!(session["isNewUser"], true, "an account without an email can sign in");
    assert_eq!(player.try_password(PASSWORD).await.status, 200);
    player.refresh().await.ok();
}

#[tokio::test]
async fn an_account_of_a_social_sign_in_gets_a_password_only_by_mail() {
    let mesh = Mesh::from_env();
    let account = Account::of(&mesh.new_gmail());
    let session = session_by(&mesh, "google", Consent::NewAccount(&account)).await;
    let player = Player::of(&mesh, &account.email, &mesh.new_phone(), &session);
    let again = mesh.sign_up(&account.email, PASSWORD).await;
    assert_eq!(again.refusal(), (409, "EMAIL_TAKEN"));
    let change =
        json!({"email": account.email, "oldPassword": PASSWORD, "newPassword": "habari-yako"});
    let change = player.put("/auth/password", &change).await;
    assert_eq!(change.refusal(), (422, "NO_PASSWORD_LOGIN"));

    mesh.post("/auth/password/reset", &json!({"email": account.email})).await.ok();
    let token =
        mesh.sandbox().tokens_mailed_to(&account.email, "reset-password", 1).await.remove(0);
    let set = json!({"token": token, "newPassword": PASSWORD});
    mesh.post("/auth/password/reset/confirm", &set).await.ok();
    assert_eq!(player.try_password(PASSWORD).await.ok()["uid"], player.uid.as_str());
    let again = session_by(&mesh, "google", Consent::ExistingAccount(&account.email)).await;
    assert_eq!(again["uid"], player.uid.as_str());
}

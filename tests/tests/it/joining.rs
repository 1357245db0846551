//! Whose email joins which account (docs/decisions/0010).

use journeys::{Account, Browser, Consent, Mesh, Player};
use serde_json::{Value, json};

const PASSWORD: &str = "jambo-kenya";

async fn by(mesh: &Mesh, provider: &str, consent: Consent<'_>) -> Value {
    Browser::new(mesh).session(provider, consent).await
}

async fn confirm(mesh: &Mesh, player: &Player) {
    let token = mesh.sandbox().tokens_mailed_to(&player.email, "confirm-email", 1).await.remove(0);
    mesh.post("/auth/email/confirm", &json!({"token": token})).await.ok();
}

#[tokio::test]
async fn a_confirmed_address_is_joined_and_keeps_its_password() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    confirm(&mesh, &player).await;
    for provider in ["google", "facebook"] {
        // The provider spells it as the person typed it there.
        let account = Account::of(&player.email.to_uppercase());
        let session = by(&mesh, provider, Consent::First(&account)).await;
        assert_eq!(session["uid"], player.uid.as_str(), "{provider}");
        assert_eq!(session["isNewUser"], false, "{provider}");
    }
    assert_eq!(player.try_password(PASSWORD).await.status, 200);
    player.refresh().await.ok();
}

#[tokio::test]
async fn whoever_merely_typed_an_address_in_keeps_no_key_to_it() {
    let mesh = Mesh::from_env();
    // Somebody signs up with an address that is not theirs, and waits.
    let squatter = mesh.newcomer().await;
    let links = mesh.sandbox().tokens_mailed_to(&squatter.email, "confirm-email", 1).await;
    mesh.post("/auth/password/reset", &json!({"email": squatter.email})).await.ok();
    let resets = mesh.sandbox().tokens_mailed_to(&squatter.email, "reset-password", 1).await;

    let owner = by(&mesh, "google", Consent::First(&Account::of(&squatter.email))).await;
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
async fn two_providers_that_vouch_for_one_address_are_one_player() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let google = by(&mesh, "google", Consent::First(&account)).await;
    let facebook = by(&mesh, "facebook", Consent::First(&account)).await;
    assert_eq!(google["uid"], facebook["uid"]);
    assert_eq!((&google["isNewUser"], &facebook["isNewUser"]), (&json!(true), &json!(false)));
    // Joining took nothing from who was there before.
    Player::of(&mesh, "", &mesh.new_phone(), &google).refresh().await.ok();
}

#[tokio::test]
async fn an_address_that_nobody_vouches_for_joins_nothing() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    confirm(&mesh, &player).await;
    for provider in ["google", "facebook"] {
        let claimed = Account { verified: false, ..Account::of(&player.email) };
        let session = by(&mesh, provider, Consent::First(&claimed)).await;
        assert_ne!(session["uid"], player.uid.as_str(), "{provider}");
        assert_eq!(session["isNewUser"], true, "{provider}");
    }
    let nameless = Account { email: String::new(), ..Account::new(&mesh) };
    let session = by(&mesh, "facebook", Consent::First(&nameless)).await;
    assert_eq!(session["isNewUser"], true, "people without an address are welcome");
    assert_eq!(player.try_password(PASSWORD).await.status, 200);
    player.refresh().await.ok();
}

#[tokio::test]
async fn an_address_that_was_proved_socially_gets_a_password_by_mail_alone() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let session = by(&mesh, "google", Consent::First(&account)).await;
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
    let again = by(&mesh, "google", Consent::Again(&account.email)).await;
    assert_eq!(again["uid"], player.uid.as_str());
}

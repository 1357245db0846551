//! Passwords: reset by mail, changed, and guessed.

use journeys::{Mesh, Player, Reply, eventually};
use serde_json::{Value, json};

const SENT: &str = "Password reset email has been sent successfully.";
const RESET: &str = "reset-password";
const CONFIRM: &str = "confirm-email";
const OLD: &str = "jambo-kenya";
const NEW: &str = "habari-ya-asubuhi";

async fn request_reset(mesh: &Mesh, email: &str) -> Reply {
    mesh.post("/auth/password/reset", &json!({"email": email})).await
}

async fn set_password(mesh: &Mesh, token: &str, password: &str) -> Reply {
    let body = json!({"token": token, "newPassword": password});
    mesh.post("/auth/password/reset/confirm", &body).await
}

async fn change(player: &Player, email: &str, old: &str, new: &str) -> Reply {
    let body = json!({"email": email, "oldPassword": old, "newPassword": new});
    player.put("/auth/password", &body).await
}

#[tokio::test]
async fn a_mailed_link_sets_a_new_password_and_revokes_all_sessions() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let elsewhere = player.on_another_device().await;
    let requested = request_reset(&mesh, &player.email).await;
    assert_eq!((requested.status, requested.message.as_str()), (200, SENT));
    assert_eq!(requested.ok(), Value::Null);
    let token = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);

    let weak = set_password(&mesh, &token, "12345").await;
    assert_eq!(weak.refusal(), (400, "WEAK_PASSWORD"));
    assert_eq!(weak.message, "Password should be at least 6 characters.");
    let long = set_password(&mesh, &token, &"x".repeat(129)).await;
    assert_eq!(long.status, 400);
    assert_eq!(player.try_password(OLD).await.status, 200, "the old password still signs in");

    assert_eq!(set_password(&mesh, &token, NEW).await.ok(), Value::Null);
    assert_eq!(player.try_password(OLD).await.refusal(), (401, "BAD_CREDENTIALS"));
    for device in [&player, &elsewhere] {
        device.until_signed_out().await;
        assert_eq!(device.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    }
    let again = set_password(&mesh, &token, "another-password").await;
    assert_eq!(again.refusal(), (410, "RESET_EXPIRED"));
    assert_eq!(player.try_password(NEW).await.ok()["uid"], player.uid.as_str());
}

#[tokio::test]
async fn using_one_reset_link_invalidates_the_others() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    request_reset(&mesh, &player.email).await.ok();
    let first = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);
    request_reset(&mesh, &player.email).await.ok();
    let second = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 2).await.remove(0);
    assert_ne!(first, second);
    set_password(&mesh, &second, NEW).await.ok();
    assert_eq!(set_password(&mesh, &first, OLD).await.refusal(), (410, "RESET_EXPIRED"));
    for token in ["", "nonsense", &second[1..], &mesh.unique_id()] {
        assert_eq!(
            set_password(&mesh, token, OLD).await.refusal(),
            (410, "RESET_EXPIRED"),
            "{token}"
        );
    }
    assert_eq!(player.try_password(NEW).await.status, 200);
}

#[tokio::test]
async fn of_two_uses_of_a_reset_link_at_once_one_succeeds() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    request_reset(&mesh, &player.email).await.ok();
    let token = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);
    let (one, other) = tokio::join!(
        set_password(&mesh, &token, "the-first-one"),
        set_password(&mesh, &token, "the-other-one")
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert!(matches!(statuses, [200, 409 | 410 | 503]), "{statuses:?}");
    let (won, lost) = if one.status == 200 {
        ("the-first-one", "the-other-one")
    } else {
        ("the-other-one", "the-first-one")
    };
    assert_eq!(player.try_password(won).await.status, 200);
    assert_eq!(player.try_password(lost).await.status, 401);
}

#[tokio::test]
async fn an_unknown_address_gets_the_same_reply_and_no_mail() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let address = format!("{}@example.com", mesh.unique_id());
    let (known, unknown) =
        (request_reset(&mesh, &player.email).await, request_reset(&mesh, &address).await);
    assert_same(&known, &unknown);
    // Wait for the known player's mail, so that a mail to the other would be there too.
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await;
    for _ in 0..4 {
        assert_same(&known, &request_reset(&mesh, &address).await);
    }
    assert_eq!(mesh.sandbox().mails_to(&address).await.len(), 0);
}

/// Asserts that two replies are equal but for the date and the trace id.
fn assert_same(known: &Reply, unknown: &Reply) {
    assert_eq!(known.status, unknown.status);
    assert_eq!(known.message, unknown.message);
    assert_eq!(known.payload, unknown.payload);
    let rest = |reply: &Reply| {
        let mut headers = reply.headers.clone();
        for name in ["date", "x-trace-id"] {
            headers.remove(name);
        }
        headers
    };
    assert_eq!(rest(known), rest(unknown));
}

#[tokio::test]
async fn an_address_gets_at_most_three_reset_mails_an_hour() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let first = request_reset(&mesh, &player.email).await;
    for count in 2..=3 {
        mesh.sandbox().tokens_mailed_to(&player.email, RESET, count - 1).await;
        assert_same(&first, &request_reset(&mesh, &player.email).await);
    }
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 3).await;
    assert_same(&first, &request_reset(&mesh, &player.email).await);

    // A mail that was requested later has arrived, and the fourth has not.
    let other = mesh.new_player().await;
    request_reset(&mesh, &other.email).await.ok();
    mesh.sandbox().tokens_mailed_to(&other.email, RESET, 1).await;
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 3).await;
}

#[tokio::test]
async fn changing_the_password_signs_out_the_other_devices() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let elsewhere = player.on_another_device().await;
    let changed = change(&player, &player.email, OLD, NEW).await;
    assert_eq!(
        (changed.status, changed.message.as_str()),
        (200, "Password has been updated successfully.")
    );
    assert_eq!(changed.ok(), Value::Null);

    elsewhere.until_signed_out().await;
    assert_eq!(elsewhere.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_eq!(player.get("/auth/login").await.status, 201, "the session that changed it stays");
    player.refresh().await.ok();
    assert_eq!(player.try_password(OLD).await.status, 401);
    assert_eq!(player.try_password(NEW).await.status, 200);
}

#[tokio::test]
async fn changing_the_password_needs_the_accounts_email_and_old_password() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.new_player().await, mesh.new_player().await);
    let unknown = format!("{}@example.com", mesh.unique_id());
    for (email, old) in [
        (&player.email, "not-my-password"),
        (&other.email, OLD),
        (&unknown, OLD),
        (&player.email, ""),
    ] {
        let refused = change(&player, email, old, NEW).await;
        // An empty password may also be refused as an invalid field.
        if old.is_empty() && refused.status == 400 {
            continue;
        }
        assert_eq!(refused.refusal(), (401, "REAUTH_FAILED"), "{email} {old}");
        assert_eq!(
            refused.message,
            "Could not re-authenticate you. If this error persists, \
             Try to use the reset password link at the bottom of this page."
        );
    }
    let weak = change(&player, &player.email, OLD, "12345").await;
    assert_eq!(weak.refusal(), (400, "WEAK_PASSWORD"));
    for account in [&player, &other] {
        assert_eq!(account.try_password(OLD).await.status, 200, "the password is unchanged");
    }
}

#[tokio::test]
async fn an_account_without_a_password_cannot_change_it() {
    let mesh = Mesh::from_env();
    let player = mesh.new_phone_player().await;
    let email = format!("{}@example.com", mesh.unique_id());
    let refused = change(&player, &email, OLD, NEW).await;
    assert_eq!(refused.refusal(), (422, "NO_PASSWORD_LOGIN"));
    assert_eq!(
        refused.message,
        "Your sign-in method does not allow you to change your password. \
         Try to use the reset password link at the bottom of this page."
    );
}

#[tokio::test]
async fn the_mailed_link_confirms_the_email_address() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let token = mesh.sandbox().tokens_mailed_to(&player.email, CONFIRM, 1).await.remove(0);
    // The owner of an address may not be the one who made the account with it.
    let guest = mesh.post("/auth/email/confirm", &json!({"token": token})).await;
    assert_eq!(guest.refusal(), (403, "PASSWORD_NEEDED"));
    for _ in 0..2 {
        let reply = player.post("/auth/email/confirm", &json!({"token": token})).await;
        assert_eq!((reply.status, reply.message.as_str()), (200, "Your email is confirmed."));
        assert_eq!(reply.ok(), Value::Null);
    }
    for forged in ["", "nonsense", &token[1..], &mesh.unique_id()] {
        let reply = mesh.post("/auth/email/confirm", &json!({"token": forged})).await;
        assert_eq!(reply.refusal(), (410, "LINK_EXPIRED"), "{forged}");
    }
    // A confirmation token cannot reset the password.
    assert_eq!(set_password(&mesh, &token, NEW).await.refusal(), (410, "RESET_EXPIRED"));
}

#[tokio::test]
async fn no_field_injects_a_header_or_markup_into_a_mail() {
    let mesh = Mesh::from_env();
    let victim = format!("{}@example.com", mesh.unique_id());
    let player = mesh.new_player().await;
    for address in [
        format!("{}\r\nBcc: {victim}", player.email),
        format!("{}\nBcc: {victim}", player.email),
        format!("{}%0d%0aBcc: {victim}", player.email),
        format!("{}, {victim}", player.email),
        format!("<{}>, <{victim}>", player.email),
        format!("\"x\r\nRCPT TO:<{victim}>\"@example.com"),
        format!("{}\u{0}@example.com", mesh.unique_id()),
    ] {
        for reply in [request_reset(&mesh, &address).await, mesh.sign_up(&address, OLD).await] {
            assert_eq!(reply.status, 400, "{address:?}: {}", reply.message);
        }
    }
    // Mails greet players by name, so a name may not contain a line break.
    let name = player.edit(&json!({"name": format!("Ann\r\nBcc: {victim}")})).await;
    assert_eq!((name.status, name.fields()), (400, vec!["name"]));
    let html = "<a href=\"https://evil.example\">Ann</a>";
    player.edit(&json!({"name": html})).await.ok();

    request_reset(&mesh, &player.email).await.ok();
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await;
    let mails = mesh.sandbox().mails_to(&player.email).await;
    for mail in &mails {
        let named = mail
            .headers
            .keys()
            .find(|name| name.eq_ignore_ascii_case("bcc") || name.eq_ignore_ascii_case("cc"));
        assert_eq!(named, None, "{mail:?}");
        assert!(!mail.html.as_ref().unwrap().contains(html), "a player's markup in a mail");
        assert!(
            mail.subject.contains("PlayOn") && !mail.subject.contains('\n'),
            "{}",
            mail.subject
        );
    }
    assert_eq!(mesh.sandbox().mails_to(&victim).await.len(), 0);
}

#[tokio::test]
async fn ten_failed_sign_ins_lock_the_account_until_a_password_reset() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.new_player().await, mesh.new_player().await);
    let unknown_account =
        json!({"email": format!("{}@example.com", mesh.unique_id()), "password": "guess"});
    for attempt in 1..=10 {
        let known = player.try_password("guess").await;
        let unknown = mesh.post("/auth/sign-in", &unknown_account).await;
        assert_eq!(known.refusal(), (401, "BAD_CREDENTIALS"), "attempt {attempt}");
        assert_same(&known, &unknown);
    }
    let locked = player.try_password(OLD).await;
    let unknown = mesh.post("/auth/sign-in", &unknown_account).await;
    for reply in [&locked, &unknown] {
        assert_eq!(reply.refusal(), (429, "RATE_LIMITED"));
        let wait: u64 = reply.headers["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=15 * 60).contains(&wait), "{wait}");
    }
    assert_eq!(locked.message, unknown.message);
    // The existing session stays valid, other accounts are not affected, and a
    // password reset unlocks the account.
    assert_eq!(player.get("/auth/login").await.status, 201);
    assert_eq!(other.try_password(OLD).await.status, 200);
    request_reset(&mesh, &player.email).await.ok();
    let token = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);
    set_password(&mesh, &token, NEW).await.ok();
    eventually("the new password signs in", || async {
        (player.try_password(NEW).await.status == 200).then_some(())
    })
    .await;
}

//! Passwords: lost and set anew by mail, changed, guessed.

use journeys::{Mesh, Player, Reply, eventually};
use serde_json::{Value, json};

const SENT: &str = "Password reset email has been sent successfully.";
const RESET: &str = "reset-password";
const CONFIRM: &str = "confirm-email";
const OLD: &str = "jambo-kenya";
const NEW: &str = "habari-ya-asubuhi";

async fn ask(mesh: &Mesh, email: &str) -> Reply {
    mesh.post("/auth/password/reset", &json!({"email": email})).await
}

async fn set(mesh: &Mesh, token: &str, password: &str) -> Reply {
    let body = json!({"token": token, "newPassword": password});
    mesh.post("/auth/password/reset/confirm", &body).await
}

async fn change(player: &Player, email: &str, old: &str, new: &str) -> Reply {
    let body = json!({"email": email, "oldPassword": old, "newPassword": new});
    player.put("/auth/password", &body).await
}

#[tokio::test]
async fn a_lost_password_is_set_anew_by_mail() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let elsewhere = player.on_another_device().await;
    let asked = ask(&mesh, &player.email).await;
    assert_eq!((asked.status, asked.message.as_str()), (200, SENT));
    assert_eq!(asked.ok(), Value::Null);
    let token = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);

    let weak = set(&mesh, &token, "12345").await;
    assert_eq!(weak.refusal(), (400, "WEAK_PASSWORD"));
    assert_eq!(weak.message, "Password should be at least 6 characters.");
    let long = set(&mesh, &token, &"x".repeat(129)).await;
    assert_eq!(long.status, 400);
    assert_eq!(player.try_password(OLD).await.status, 200, "nothing has changed yet");

    assert_eq!(set(&mesh, &token, NEW).await.ok(), Value::Null);
    assert_eq!(player.try_password(OLD).await.refusal(), (401, "BAD_CREDENTIALS"));
    for device in [&player, &elsewhere] {
        device.until_signed_out().await;
        assert_eq!(device.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    }
    let again = set(&mesh, &token, "another-password").await;
    assert_eq!(again.refusal(), (410, "RESET_EXPIRED"));
    assert_eq!(player.try_password(NEW).await.ok()["uid"], player.uid.as_str());
}

#[tokio::test]
async fn using_one_link_voids_the_others() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    ask(&mesh, &player.email).await.ok();
    let first = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);
    ask(&mesh, &player.email).await.ok();
    let second = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 2).await.remove(0);
    assert_ne!(first, second);
    set(&mesh, &second, NEW).await.ok();
    assert_eq!(set(&mesh, &first, OLD).await.refusal(), (410, "RESET_EXPIRED"));
    for token in ["", "nonsense", &second[1..], &mesh.new_name()] {
        assert_eq!(set(&mesh, token, OLD).await.refusal(), (410, "RESET_EXPIRED"), "{token}");
    }
    assert_eq!(player.try_password(NEW).await.status, 200);
}

#[tokio::test]
async fn two_who_use_a_link_at_once_are_one() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    ask(&mesh, &player.email).await.ok();
    let token = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);
    let (one, other) =
        tokio::join!(set(&mesh, &token, "the-first-one"), set(&mesh, &token, "the-other-one"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert!(statuses == [200, 410] || statuses == [200, 503], "{statuses:?}");
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
    let player = mesh.newcomer().await;
    let nobody = format!("{}@example.com", mesh.new_name());
    let (known, unknown) = (ask(&mesh, &player.email).await, ask(&mesh, &nobody).await);
    same(&known, &unknown);
    // The known one's has come, and the other's is asked for again and again.
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await;
    for _ in 0..4 {
        same(&known, &ask(&mesh, &nobody).await);
    }
    assert_eq!(mesh.sandbox().mails_to(&nobody).await.len(), 0);
}

/// Not a byte differs, but for what differs in every reply.
fn same(known: &Reply, unknown: &Reply) {
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
async fn an_address_gets_three_mails_an_hour_and_then_silence() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let first = ask(&mesh, &player.email).await;
    for count in 2..=3 {
        mesh.sandbox().tokens_mailed_to(&player.email, RESET, count - 1).await;
        same(&first, &ask(&mesh, &player.email).await);
    }
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 3).await;
    same(&first, &ask(&mesh, &player.email).await);

    // What is sent for somebody else afterwards has come, and the fourth has not.
    let other = mesh.newcomer().await;
    ask(&mesh, &other.email).await.ok();
    mesh.sandbox().tokens_mailed_to(&other.email, RESET, 1).await;
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 3).await;
}

#[tokio::test]
async fn a_password_is_changed_by_who_knows_it_and_other_devices_are_signed_out() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let elsewhere = player.on_another_device().await;
    let changed = change(&player, &player.email, OLD, NEW).await;
    assert_eq!(
        (changed.status, changed.message.as_str()),
        (200, "Password has been updated successfully.")
    );
    assert_eq!(changed.ok(), Value::Null);

    elsewhere.until_signed_out().await;
    assert_eq!(elsewhere.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_eq!(player.get("/auth/login").await.status, 201, "the one it was changed on stays");
    player.refresh().await.ok();
    assert_eq!(player.try_password(OLD).await.status, 401);
    assert_eq!(player.try_password(NEW).await.status, 200);
}

#[tokio::test]
async fn a_change_needs_the_account_own_email_and_password() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.newcomer().await, mesh.newcomer().await);
    let nobody = format!("{}@example.com", mesh.new_name());
    for (email, old) in [
        (&player.email, "not-my-password"),
        (&other.email, OLD),
        (&nobody, OLD),
        (&player.email, ""),
    ] {
        let refused = change(&player, email, old, NEW).await;
        // Nothing at all may be told as a bad field as well.
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
        assert_eq!(account.try_password(OLD).await.status, 200, "nothing has changed");
    }
}

#[tokio::test]
async fn who_came_by_phone_has_no_password_to_change() {
    let mesh = Mesh::from_env();
    let player = mesh.comer_by_phone().await;
    let email = format!("{}@example.com", mesh.new_name());
    let refused = change(&player, &email, OLD, NEW).await;
    assert_eq!(refused.refusal(), (422, "NO_PASSWORD_LOGIN"));
    assert_eq!(
        refused.message,
        "Your sign-in method does not allow you to change your password. \
         Try to use the reset password link at the bottom of this page."
    );
}

#[tokio::test]
async fn a_new_address_is_confirmed_by_the_link_it_was_sent() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let token = mesh.sandbox().tokens_mailed_to(&player.email, CONFIRM, 1).await.remove(0);
    for _ in 0..2 {
        let reply = mesh.post("/auth/email/confirm", &json!({"token": token})).await;
        assert_eq!((reply.status, reply.message.as_str()), (200, "Your email is confirmed."));
        assert_eq!(reply.ok(), Value::Null);
    }
    for forged in ["", "nonsense", &token[1..], &mesh.new_name()] {
        let reply = mesh.post("/auth/email/confirm", &json!({"token": forged})).await;
        assert_eq!(reply.refusal(), (410, "LINK_EXPIRED"), "{forged}");
    }
    // One link is not good for what the other is.
    assert_eq!(set(&mesh, &token, NEW).await.refusal(), (410, "RESET_EXPIRED"));
}

#[tokio::test]
async fn no_field_writes_a_line_of_its_own_into_a_mail() {
    let mesh = Mesh::from_env();
    let victim = format!("{}@example.com", mesh.new_name());
    let player = mesh.newcomer().await;
    for address in [
        format!("{}\r\nBcc: {victim}", player.email),
        format!("{}\nBcc: {victim}", player.email),
        format!("{}%0d%0aBcc: {victim}", player.email),
        format!("{}, {victim}", player.email),
        format!("<{}>, <{victim}>", player.email),
        format!("\"x\r\nRCPT TO:<{victim}>\"@example.com"),
        format!("{}\u{0}@example.com", mesh.new_name()),
    ] {
        for reply in [ask(&mesh, &address).await, mesh.sign_up(&address, OLD).await] {
            assert_eq!(reply.status, 400, "{address:?}: {}", reply.message);
        }
    }
    // A name may be greeted by, and holds no line break.
    let name = player.edit(&json!({"name": format!("Ann\r\nBcc: {victim}")})).await;
    assert_eq!((name.status, name.fields()), (400, vec!["name"]));
    let html = "<a href=\"https://evil.example\">Ann</a>";
    player.edit(&json!({"name": html})).await.ok();

    ask(&mesh, &player.email).await.ok();
    mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await;
    let mails = mesh.sandbox().mails_to(&player.email).await;
    for mail in &mails {
        let named = mail
            .headers
            .keys()
            .find(|name| name.eq_ignore_ascii_case("bcc") || name.eq_ignore_ascii_case("cc"));
        assert_eq!(named, None, "{mail:?}");
        assert!(!mail.html.as_ref().unwrap().contains(html), "markup of a player's in a mail");
        assert!(
            mail.subject.contains("PlayOn") && !mail.subject.contains('\n'),
            "{}",
            mail.subject
        );
    }
    assert_eq!(mesh.sandbox().mails_to(&victim).await.len(), 0);
}

#[tokio::test]
async fn ten_failures_close_an_account_for_a_while_even_to_its_owner() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.newcomer().await, mesh.newcomer().await);
    let nobody = json!({"email": format!("{}@example.com", mesh.new_name()), "password": "guess"});
    for attempt in 1..=10 {
        let known = player.try_password("guess").await;
        let unknown = mesh.post("/auth/sign-in", &nobody).await;
        assert_eq!(known.refusal(), (401, "BAD_CREDENTIALS"), "attempt {attempt}");
        same(&known, &unknown);
    }
    let closed = player.try_password(OLD).await;
    let unknown = mesh.post("/auth/sign-in", &nobody).await;
    for reply in [&closed, &unknown] {
        assert_eq!(reply.refusal(), (429, "RATE_LIMITED"));
        let wait: u64 = reply.headers["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=15 * 60).contains(&wait), "{wait}");
    }
    assert_eq!(closed.message, unknown.message);
    // The session that is there goes on, nobody else is touched, and the mail is
    // the way out.
    assert_eq!(player.get("/auth/login").await.status, 201);
    assert_eq!(other.try_password(OLD).await.status, 200);
    ask(&mesh, &player.email).await.ok();
    let token = mesh.sandbox().tokens_mailed_to(&player.email, RESET, 1).await.remove(0);
    set(&mesh, &token, NEW).await.ok();
    eventually("a new password opens the account", || async {
        (player.try_password(NEW).await.status == 200).then_some(())
    })
    .await;
}

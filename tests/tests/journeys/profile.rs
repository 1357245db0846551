//! Editing the profile: the rules of each field, and fields that cannot be written.

use futures_util::future::join_all;
use journeys::{Mesh, Player};
use serde_json::{Value, json};
use time::{Date, Duration, UtcOffset, macros::format_description};

/// A unique username.
fn new_username(mesh: &Mesh) -> String {
    format!("p_{}", &mesh.unique_id().replace('-', "")[16..])
}

#[tokio::test]
async fn each_invalid_field_is_refused_with_its_text() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let before = player.profile().await;
    for (field, value, text) in [
        ("name", "", "Please enter your name."),
        ("name", "   ", "Please enter your name."),
        ("name", "Not set. Click to set.", "Please enter your name."),
        ("username", "", "Please enter a username."),
        ("email", "", "Please enter your email."),
        ("email", "not-an-email", "Please enter a valid email."),
        ("dob", "", "Please enter your date of birth."),
        ("gender", "", "Please enter your gender."),
        ("gender", "female", "Allowed gender entries: MALE,FEMALE,OTHER"),
        ("phone", "", "Please enter your phone number."),
        ("phone", "Enter number.", "Please enter your phone number."),
    ] {
        let reply = player.edit(&json!({field: value})).await;
        assert_eq!((reply.status, reply.message.as_str()), (400, text), "{field} {value:?}");
        assert_eq!(reply.payload["fields"], json!({field: text}), "{field} {value:?}");
    }
    for (field, value) in [
        ("name", json!("n".repeat(81))),
        ("name", json!("Ann\u{202e}nnA")),
        ("name", json!(7)),
        ("username", json!("ab")),
        ("username", json!("a".repeat(21))),
        ("username", json!("has space")),
        ("username", json!("wanjirũ")),
        ("username", json!("../admin")),
        ("email", json!("a@b\r\nBcc: c@d.example")),
        ("dob", json!("1996-02-30")),
        ("dob", json!("12/04/1996")),
        ("dob", json!("1899-12-31")),
        ("dob", json!("9999-01-01")),
        ("gender", json!("ROBOT")),
        ("phone", json!("+15550100123")),
        ("phone", json!({"e164": "+254712345678"})),
        ("currencyId", json!("SHILLING")),
        ("currencyId", json!("")),
        ("countryId", json!("ZZ")),
        ("countryId", json!("KEN")),
    ] {
        let reply = player.edit(&json!({field: value})).await;
        assert_eq!(
            (reply.status, reply.fields()),
            (400, vec![field]),
            "{field} {value}: {}",
            reply.message
        );
    }
    assert_eq!(player.profile().await, before);
}

#[tokio::test]
async fn one_invalid_field_rejects_the_whole_edit() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let before = player.profile().await;
    let mixed = json!({"name": "Wanjiru Kamau", "gender": "ROBOT", "dob": "", "countryId": "KE"});
    let reply = player.edit(&mixed).await;
    assert_eq!(reply.status, 400);
    let mut fields = reply.fields();
    fields.sort_unstable();
    assert_eq!(fields, ["dob", "gender"]);
    assert_eq!(player.profile().await, before);
}

#[tokio::test]
async fn players_must_be_eighteen_or_older() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let nairobi = UtcOffset::from_hms(3, 0, 0).unwrap();
    let today = mesh.clock().now().to_offset(nairobi).date();
    // Midnight may pass while the test runs, so both dates keep a distance from today.
    let eighteenth = |shift: i64| {
        let day = today + Duration::days(shift);
        let born =
            Date::from_calendar_date(day.year() - 18, day.month(), day.day().min(28)).unwrap();
        born.format(format_description!("[year]-[month]-[day]")).unwrap()
    };
    let young = player.edit(&json!({"dob": eighteenth(4)})).await;
    assert_eq!(young.message, "You must be 18 or older to use PlayOn.");
    assert_eq!((young.status, young.fields()), (400, vec!["dob"]));
    let of_age = eighteenth(-1);
    assert_eq!(player.edit(&json!({"dob": of_age})).await.ok()["dob"], of_age);
}

#[tokio::test]
async fn only_the_fields_of_the_form_can_be_written() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.new_player().await, mesh.new_player().await);
    let before = player.profile().await;
    let forbidden = [
        ("uid", json!(other.uid)),
        ("id", json!(other.uid)),
        ("profilePic", json!("/media/profile/another-player/picture.jpg")),
        ("profile_pic", json!("https://evil.example/pixel.gif")),
        ("referralCode", json!("FREE-MONEY")),
        ("referral_code", json!("FREE-MONEY")),
        ("referredBy", json!(other.uid)),
        ("createdAt", json!("2001-01-01T00:00:00.000Z")),
        ("created_at", json!("2001-01-01T00:00:00.000Z")),
        ("firstSeenAt", Value::Null),
        ("deletedAt", json!("2001-01-01T00:00:00.000Z")),
        ("chatRooms", json!(["staff-only"])),
        ("password", json!("habari-yako")),
        ("passwordHash", json!("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA")),
        ("verified", json!(true)),
        ("emailVerified", json!(true)),
        ("isNewUser", json!(true)),
        ("role", json!("operator")),
        ("balance", json!(1_000_000)),
        ("__proto__", json!({"role": "operator"})),
    ];
    for (field, value) in &forbidden {
        let alone = player.edit(&json!({*field: value})).await;
        assert_eq!(alone.refusal(), (400, "NOTHING_TO_CHANGE"), "{field}");
        let mut beside = json!({"gender": "OTHER"});
        beside[*field] = value.clone();
        let edited = player.edit(&beside).await.ok();
        let mut expected = before.clone();
        expected["gender"] = "OTHER".into();
        assert_eq!(edited, expected, "{field}");
    }
    assert_eq!(player.profile().await["uid"], player.uid.as_str());
    assert_eq!(other.profile().await["gender"], Value::Null);
    assert_eq!(player.try_password("jambo-kenya").await.status, 200);
    assert_eq!(player.balance().await, types::Money::ZERO);
}

#[tokio::test]
async fn contact_data_in_a_profile_does_not_sign_in() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.new_player().await, mesh.new_player().await);
    let contact = format!("{}@example.com", mesh.unique_id());
    player.edit(&json!({"email": contact, "phone": other.phone})).await.ok();
    let by_contact = json!({"email": contact, "password": "jambo-kenya"});
    assert_eq!(mesh.post("/auth/sign-in", &by_contact).await.status, 401);
    assert_eq!(player.try_password("jambo-kenya").await.status, 200);
    // The address is free to sign up with.
    mesh.post("/auth/password/reset", &json!({"email": contact})).await.ok();
    assert_eq!(mesh.sign_up(&contact, "jambo-kenya").await.status, 201);
    // A number in another player's profile creates its own account.
    let challenge = mesh.start_phone(&other.phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&other.phone).await;
    let session = mesh.verify_phone(&challenge, &code).await.ok();
    assert_eq!(session["isNewUser"], true);
}

#[tokio::test]
async fn usernames_are_unique_without_regard_to_case() {
    let mesh = Mesh::from_env();
    let (player, other) = (mesh.new_player().await, mesh.new_player().await);
    let username = new_username(&mesh);
    player.edit(&json!({"username": username.to_uppercase()})).await.ok();
    for spelling in [username.clone(), username.to_uppercase(), format!(" {username} ")] {
        let taken = other.edit(&json!({"username": spelling, "name": "Other"})).await;
        assert_eq!(taken.refusal(), (409, "USERNAME_TAKEN"), "{spelling}");
        assert_eq!(taken.message, "That username is already taken.");
        let found = other.get(&format!("/users/username/{}", spelling.trim())).await.ok();
        assert_eq!(found["id"], player.uid.as_str(), "{spelling}");
    }
    assert_eq!(other.profile().await["name"], Value::Null, "nothing was changed");
    player.edit(&json!({"username": username})).await.ok();
}

#[tokio::test]
async fn of_many_who_choose_one_username_at_once_one_gets_it() {
    let mesh = Mesh::from_env();
    let players = join_all((0..4).map(|_| mesh.new_player())).await;
    let wanted = json!({"username": new_username(&mesh)});
    let replies = join_all(players.iter().map(|player| player.edit(&wanted))).await;
    let got = replies.iter().filter(|reply| reply.status == 200).count();
    let refused = replies.iter().filter(|reply| reply.status == 409).count();
    assert_eq!((got, refused), (1, 3), "{replies:?}");
}

#[tokio::test]
async fn another_players_profile_cannot_be_changed_or_deleted() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.new_player().await, mesh.new_player().await);
    let before = player.profile().await;
    for path in
        [format!("/profile/{}", player.uid), format!("/profile/{}", player.uid.to_uppercase())]
    {
        let put = stranger.put(&path, &json!({"name": "Mallory"})).await;
        let delete = stranger.delete(&path, &json!({"confirm": "DELETE"})).await;
        for reply in [put, delete] {
            assert_eq!(reply.refusal(), (403, "PERMISSION_DENIED"), "{path}");
        }
    }
    // A uid in the body is ignored.
    let smuggled = json!({"uid": player.uid, "id": player.uid, "name": "Mallory"});
    stranger.edit(&smuggled).await.ok();
    assert_unknown_uids_are_refused(&stranger, &mesh.unique_id()).await;
    assert_eq!(player.profile().await, before);
}

/// Asserts that edits under an unknown uid and under `me` are refused.
async fn assert_unknown_uids_are_refused(player: &Player, uid: &str) {
    let put = player.put(&format!("/profile/{uid}"), &json!({"name": "Mallory"})).await;
    let me = player.put("/profile/me", &json!({"name": "Mallory"})).await;
    for reply in [put, me] {
        assert!(matches!(reply.status, 400 | 403 | 404), "{reply:?}");
    }
}

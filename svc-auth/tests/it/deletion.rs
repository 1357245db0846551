//! Deletion and erasure of accounts.

use std::collections::BTreeSet;

use mesh::Fault;
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, DeleteAccountRequest, FindByUsernameRequest,
    FindUnusedPicturesRequest, GetReferralRequest, RedeemReferralRequest, Session,
    SetProfilePictureRequest, UpdateProfileRequest,
};
use sqlx::Connection as _;
use testkit::Database;
use tonic::Code;

use crate::{
    harness::{
        PASSWORD, Service, connect, days, fault, postpone_mails, until_a_lock_is_awaited,
        with_bearer,
    },
    world::{PHONE, World},
};

pub(crate) async fn delete(auth: &Service, session: &Session) -> Result<(), Fault> {
    delete_as(auth, session, &session.uid, "DELETE").await
}

async fn delete_as(
    auth: &Service,
    session: &Session,
    uid: &str,
    confirm: &str,
) -> Result<(), Fault> {
    let request = DeleteAccountRequest { uid: uid.to_owned(), confirm: confirm.to_owned() };
    let request = with_bearer(request, &session.access_token);
    auth.players.clone().delete_account(request).await.map_err(fault)?;
    Ok(())
}

/// Whether other players find a player: by id, by username, by referral code.
async fn found(auth: &Service, by: &Session, player: &Known) -> [bool; 3] {
    let mut directory = auth.directory.clone();
    let request = BatchGetPublicPlayersRequest { ids: vec![player.session.uid.clone()] };
    let reply = directory.batch_get_public_players(with_bearer(request, &by.access_token)).await;
    let public = !reply.unwrap().into_inner().players.is_empty();
    let request = FindByUsernameRequest { username: player.username.clone() };
    let by_username = directory.find_by_username(with_bearer(request, &by.access_token)).await;
    let request = RedeemReferralRequest { referral_code: player.code.clone() };
    let by_code =
        auth.players.clone().redeem_referral(with_bearer(request, &by.access_token)).await;
    [public, by_username.is_ok(), by_code.is_ok()]
}

/// A player with a complete profile.
struct Known {
    session: Session,
    username: String,
    picture: String,
    code: String,
}

async fn known(auth: &Service, username: &str) -> Known {
    let session = auth.player(username).await;
    let all = UpdateProfileRequest {
        name: Some("Wanjirũ".to_owned()),
        username: Some(username.to_owned()),
        dob: Some("1999-02-28".to_owned()),
        gender: Some("FEMALE".to_owned()),
        phone: Some("0712345678".to_owned()),
        currency_id: Some("KES".to_owned()),
        country_id: Some("KE".to_owned()),
        ..UpdateProfileRequest::default()
    };
    auth.update(&session, all).await.unwrap();
    let picture = format!("/media/profile/{}/{}.jpg", session.uid, "a".repeat(22));
    let request = SetProfilePictureRequest { url: picture.clone() };
    let request = with_bearer(request, &session.access_token);
    auth.players.clone().set_profile_picture(request).await.unwrap();
    let request = with_bearer(GetReferralRequest {}, &session.access_token);
    let code = auth.players.clone().get_referral(request).await.unwrap().into_inner().referral_code;
    Known { session, username: username.to_owned(), picture, code }
}

/// A replica with a clock `later` days ahead, which erases when it starts. Drop it to stop
/// it.
async fn after(auth: &Service, later: u64) -> Service {
    let base = testkit::base("svc-auth");
    base.clock.advance(days(later));
    Service::start_on(auth.database.clone(), &[], base).await
}

async fn erased(database: &Database) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM player WHERE erased_at IS NOT NULL")
        .fetch_one(&mut connect(database).await)
        .await
        .unwrap()
}

async fn until_erased(database: &Database, count: i64) {
    testkit::eventually("the erasure", || async {
        (erased(database).await == count).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_leaving_player_is_signed_out_and_hidden_at_once() {
    let auth = Service::start().await;
    let (leaving, other) = (known(&auth, "wanjiru").await, auth.player("kamau").await);
    let laptop = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    assert_eq!(found(&auth, &other, &leaving).await, [true, true, true]);
    delete(&auth, &leaving.session).await.unwrap();
    let third = auth.player("otieno").await;
    assert_eq!(found(&auth, &third, &leaving).await, [false, false, false]);
    for session in [&leaving.session, &laptop] {
        let fault = auth.refresh(&session.refresh_token).await.unwrap_err();
        assert_eq!(fault.reason, "SESSION_REVOKED");
        testkit::eventually("the end of the access token", || async {
            auth.profile(&session.access_token).await.err()
        })
        .await;
    }
    auth.refresh(&other.refresh_token).await.unwrap();
}

#[tokio::test]
async fn signing_in_within_30_days_cancels_the_deletion() {
    let auth = Service::start().await;
    let leaving = known(&auth, "wanjiru").await;
    let before = auth.profile(&leaving.session.access_token).await.unwrap().profile;
    delete(&auth, &leaving.session).await.unwrap();
    auth.clock.advance(days(29));
    let back = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    assert_eq!(auth.profile(&back.access_token).await.unwrap().profile, before);
    let other = auth.player("kamau").await;
    assert_eq!(found(&auth, &other, &leaving).await, [true, true, true]);
    // The account stays when the erasure would have been due.
    let later = after(&auth, 31).await;
    later.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    assert_eq!(erased(&auth.database).await, 0);
}

#[tokio::test]
async fn a_phone_sign_in_cancels_the_deletion_and_creates_a_new_player_after_the_erasure() {
    let world = World::new().await;
    let auth = &world.auth;
    let by_phone = async |auth: &Service| {
        let challenge = auth.start_phone(PHONE).await.unwrap().challenge_id;
        auth.verify_phone(&challenge, &world.code(PHONE).await).await.unwrap()
    };
    let session = by_phone(auth).await;
    delete(auth, &session).await.unwrap();
    auth.clock.advance(days(29));
    let back = by_phone(auth).await;
    assert_eq!((back.uid.as_str(), back.is_new_user), (session.uid.as_str(), false));
    delete(auth, &back).await.unwrap();

    auth.clock.advance(days(30));
    let later = world.another(&[]).await;
    until_erased(&auth.database, 1).await;
    let recreated = by_phone(&later).await;
    assert!(recreated.is_new_user);
    assert_ne!(recreated.uid, session.uid);
}

#[tokio::test]
async fn a_username_is_free_after_the_erasure_and_not_before() {
    let auth = Service::start().await;
    let leaving = known(&auth, "wanjiru").await;
    delete(&auth, &leaving.session).await.unwrap();
    let wanted = || UpdateProfileRequest {
        username: Some("wanjiru".to_owned()),
        ..UpdateProfileRequest::default()
    };
    let other = auth.player("kamau").await;
    let fault = auth.update(&other, wanted()).await.unwrap_err();
    assert_eq!(fault.reason, "USERNAME_TAKEN");
    let fault = auth.sign_up("wanjiru@example.com", PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "EMAIL_TAKEN");

    let later = after(&auth, 30).await;
    until_erased(&auth.database, 1).await;
    let other = later.sign_in("kamau@example.com", PASSWORD).await.unwrap();
    later.update(&other, wanted()).await.unwrap();
    let recreated = later.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    assert_ne!(recreated.uid, leaving.session.uid);
}

#[tokio::test]
async fn after_30_days_only_the_id_and_referrals_are_left() {
    let auth = Service::start().await;
    let (leaving, friend) = (known(&auth, "wanjiru").await, known(&auth, "kamau").await);
    assert!(found(&auth, &friend.session, &leaving).await[2], "the friend entered their code");
    delete(&auth, &leaving.session).await.unwrap();
    let later = after(&auth, 30).await;
    until_erased(&auth.database, 1).await;

    assert_eq!(columns_with_data(&auth.database, &leaving.session.uid).await, remaining());
    assert_eq!(rows_naming(&auth.database, &leaving.session.uid).await, ["referral.inviter_id"]);
    let fault = later.sign_in("wanjiru@example.com", PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "BAD_CREDENTIALS");
    let request = FindUnusedPicturesRequest { urls: vec![leaving.picture.clone()] };
    let reply = later.pictures.clone().find_unused_pictures(request).await.unwrap();
    assert_eq!(reply.into_inner().urls, std::slice::from_ref(&leaving.picture));
    let other = later.player("otieno").await;
    assert_eq!(found(&later, &other, &leaving).await, [false, false, false]);
}

/// The columns of `player` that an erasure keeps.
fn remaining() -> BTreeSet<String> {
    ["id", "referral_code", "created_at", "updated_at", "deletion_due_at", "erased_at"]
        .map(str::to_owned)
        .into()
}

/// The columns of a player's row that are not null.
async fn columns_with_data(database: &Database, uid: &str) -> BTreeSet<String> {
    let columns: Vec<String> = sqlx::query_scalar(
        "SELECT key FROM player, jsonb_each(to_jsonb(player))
         WHERE id = $1::text::uuid AND value <> 'null'",
    )
    .bind(uid)
    .fetch_all(&mut connect(database).await)
    .await
    .unwrap();
    columns.into_iter().collect()
}

/// Every column of the schema that refers to a player and has a row with this one. It finds
/// tables that the erasure forgets.
async fn rows_naming(database: &Database, uid: &str) -> Vec<String> {
    let mut conn = connect(database).await;
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT table_name::text, column_name::text FROM information_schema.columns
         WHERE table_schema = 'public' AND data_type = 'uuid' AND table_name <> 'player'
         ORDER BY 1, 2",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    let mut naming = Vec::new();
    for (table, column) in columns {
        let statement =
            format!("SELECT EXISTS (SELECT FROM {table} WHERE {column} = $1::text::uuid)");
        let named: bool = sqlx::query_scalar(sqlx::AssertSqlSafe(statement))
            .bind(uid)
            .fetch_one(&mut conn)
            .await
            .unwrap();
        if named {
            naming.push(format!("{table}.{column}"));
        }
    }
    naming
}

#[tokio::test]
async fn many_due_accounts_are_erased_in_one_round() {
    let auth = Service::start().await;
    sqlx::query(
        "INSERT INTO player (id, name, referral_code, deletion_due_at, created_at, updated_at)
         SELECT gen_random_uuid(), 'Wanjirũ', lpad(n::text, 8, '0'), $1, $1, $1
         FROM generate_series(1, 250) n",
    )
    .bind(auth.clock.now())
    .execute(&mut connect(&auth.database).await)
    .await
    .unwrap();
    let _later = after(&auth, 1).await;
    until_erased(&auth.database, 250).await;
}

/// What an erasure does to the players who are leaving.
const EMPTY: &str = "UPDATE player SET erased_at = deletion_due_at, name = NULL, username = NULL,
            email = NULL, phone = NULL, dob = NULL, gender = NULL, profile_pic = NULL,
            country_id = NULL, currency_id = NULL
     WHERE deletion_due_at IS NOT NULL";

/// A sign-in during the erasure waits for it and is refused.
#[tokio::test]
async fn a_sign_in_during_the_erasure_opens_no_session() {
    let auth = Service::start().await;
    let leaving = known(&auth, "wanjiru").await;
    delete(&auth, &leaving.session).await.unwrap();
    // The welcome mail would wait for the same lock.
    postpone_mails(&auth).await;
    let mut conn = connect(&auth.database).await;
    let mut erasure = conn.begin().await.unwrap();
    sqlx::query(EMPTY).execute(&mut *erasure).await.unwrap();
    let commit = async {
        until_a_lock_is_awaited(&auth.database).await;
        erasure.commit().await.unwrap();
    };
    let (signed_in, ()) = tokio::join!(auth.sign_in("wanjiru@example.com", PASSWORD), commit);
    assert_eq!(signed_in.unwrap_err().code, Code::Unauthenticated);
    let open: i64 = sqlx::query_scalar("SELECT count(*) FROM session WHERE ended_at IS NULL")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    assert_eq!(open, 0);
}

/// A sign-in that waits for the player holds no lock that the erasure needs.
#[tokio::test]
async fn a_phone_sign_in_and_the_erasure_do_not_deadlock() {
    let world = World::new().await;
    let auth = &world.auth;
    let started = auth.start_phone(PHONE).await.unwrap();
    let session = auth.verify_phone(&started.challenge_id, &world.code(PHONE).await).await.unwrap();
    delete(auth, &session).await.unwrap();
    auth.clock.advance(std::time::Duration::from_mins(1));
    let started = auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;

    let mut conn = connect(&auth.database).await;
    let mut erasure = conn.begin().await.unwrap();
    sqlx::query(EMPTY).execute(&mut *erasure).await.unwrap();
    let go_on = async {
        until_a_lock_is_awaited(&auth.database).await;
        sqlx::query("DELETE FROM phone_identity").execute(&mut *erasure).await.unwrap();
        erasure.commit().await.unwrap();
    };
    let (signed_in, ()) = tokio::join!(auth.verify_phone(&started.challenge_id, &code), go_on);
    assert_eq!(signed_in.unwrap_err().code, Code::Unauthenticated);
    // The guess was uncounted, and the number is free.
    let recreated = auth.verify_phone(&started.challenge_id, &code).await.unwrap();
    assert!(recreated.is_new_user && recreated.uid != session.uid);
}

/// Without a mail server the welcome mail is still pending at the erasure.
#[tokio::test]
async fn a_pending_mail_creates_no_link_after_the_erasure() {
    let auth = Service::start().await;
    let leaving = known(&auth, "wanjiru").await;
    delete(&auth, &leaving.session).await.unwrap();
    postpone_mails(&auth).await;
    let mut conn = connect(&auth.database).await;
    let mut erasure = conn.begin().await.unwrap();
    sqlx::query(EMPTY).execute(&mut *erasure).await.unwrap();
    auth.database.advance_outbox(std::time::Duration::from_hours(1)).await;
    until_a_lock_is_awaited(&auth.database).await;
    for statement in ["DELETE FROM email_link", "DELETE FROM email_identity"] {
        sqlx::query(statement).execute(&mut *erasure).await.unwrap();
    }
    erasure.commit().await.unwrap();
    let (_, links) = testkit::eventually("the mail is done", || async {
        let count = "SELECT (SELECT count(*) FROM outbox), (SELECT count(*) FROM email_link)";
        let counts: (i64, i64) =
            sqlx::query_as(count).fetch_one(&mut connect(&auth.database).await).await.unwrap();
        (counts.0 == 0).then_some(counts)
    })
    .await;
    assert_eq!(links, 0);
}

#[tokio::test]
async fn an_erasure_does_not_wait_for_a_code_that_is_being_exchanged() {
    let auth = Service::start().await;
    let leaving = known(&auth, "wanjiru").await;
    delete(&auth, &leaving.session).await.unwrap();
    let mut conn = connect(&auth.database).await;
    sqlx::query(
        "INSERT INTO oauth_exchange (code_hash, player_id, is_new, expires_at)
         SELECT sha256('code'), id, false, deletion_due_at + interval '1 minute' FROM player",
    )
    .execute(&mut conn)
    .await
    .unwrap();
    let mut exchange = conn.begin().await.unwrap();
    sqlx::query("DELETE FROM oauth_exchange").execute(&mut *exchange).await.unwrap();
    let _later = after(&auth, 30).await;
    until_erased(&auth.database, 1).await;
    exchange.rollback().await.unwrap();
}

#[tokio::test]
async fn a_deletion_needs_the_own_uid_and_the_confirmation() {
    let auth = Service::start().await;
    let (victim, other) = (auth.player("wanjiru").await, auth.player("kamau").await);
    for uid in [victim.uid.as_str(), "", "no-id"] {
        let fault = delete_as(&auth, &other, uid, "DELETE").await.unwrap_err();
        assert_eq!(fault.code, Code::PermissionDenied);
    }
    for confirm in ["", "delete", "DELETE ", "yes"] {
        let fault = delete_as(&auth, &victim, &victim.uid, confirm).await.unwrap_err();
        let expected = ("confirm", "Please type DELETE to confirm.");
        assert_eq!((fault.code, fault.wrong_fields()), (Code::InvalidArgument, vec![expected]));
    }
    let guest = Session { access_token: String::new(), ..victim.clone() };
    assert_eq!(delete(&auth, &guest).await.unwrap_err().code, Code::Unauthenticated);
    auth.refresh(&victim.refresh_token).await.unwrap();
    auth.refresh(&other.refresh_token).await.unwrap();
}

//! Rate limits on devices that a player is known on, and on strangers' devices.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::{
    ChangePasswordRequest, ConfirmPasswordResetRequest, RefreshRequest, Session, SignInRequest,
    SignOutEverywhereRequest, StartPhoneSignInRequest, StartPhoneSignInResponse,
    VerifyPhoneSignInRequest,
};

use crate::{
    harness::{PASSWORD, Service, connect, days, fault, with_bearer},
    world::{PHONE, World},
};

const NEW: &str = "habari-gani";

impl Service {
    /// Signs in on the device of a token; empty for a new device.
    pub(crate) async fn sign_in_on(
        &self,
        token: &str,
        email: &str,
        password: &str,
    ) -> Result<Session, Fault> {
        let request = SignInRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            device_token: token.to_owned(),
        };
        let reply = self.auth.clone().sign_in(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    /// Fails to sign in this many times, on the device of a token.
    async fn fail_on(&self, token: &str, email: &str, times: usize) {
        for _ in 0..times {
            let fault = self.sign_in_on(token, email, "a-guess").await.unwrap_err();
            assert_eq!(fault.reason, "BAD_CREDENTIALS");
        }
    }

    async fn start_phone_on(
        &self,
        token: &str,
        phone: &str,
    ) -> Result<StartPhoneSignInResponse, Fault> {
        let request = StartPhoneSignInRequest {
            phone: phone.to_owned(),
            captcha: self.captcha().await,
            device_token: token.to_owned(),
            ..Default::default()
        };
        Ok(self.auth.clone().start_phone_sign_in(request).await.map_err(fault)?.into_inner())
    }

    /// Signs in by a code; returns the token of the device.
    async fn verify_phone_on(&self, token: &str, challenge: &str, code: &str) -> String {
        let request = VerifyPhoneSignInRequest {
            challenge_id: challenge.to_owned(),
            code: code.to_owned(),
            device_token: token.to_owned(),
        };
        let reply = self.auth.clone().verify_phone_sign_in(request).await.unwrap();
        reply.into_inner().session.unwrap().device_token
    }
}

const STRANGER: &str = "";

fn reason(outcome: Result<impl std::fmt::Debug, Fault>) -> String {
    outcome.unwrap_err().reason.into_owned()
}

#[tokio::test]
async fn strangers_who_fail_do_not_lock_the_owner_out() {
    let auth = Service::start().await;
    let owner = auth.player("wanjiru").await;
    let email = "wanjiru@example.com";
    auth.fail_on(STRANGER, email, 10).await;
    assert_eq!(reason(auth.sign_in_on(STRANGER, email, PASSWORD).await), "RATE_LIMITED");

    let again = auth.sign_in_on(&owner.device_token, email, PASSWORD).await.unwrap();
    assert_eq!(again.device_token, owner.device_token, "a device keeps its token");
    // The owner's success does not clear the stranger's failures.
    assert_eq!(reason(auth.sign_in_on(STRANGER, email, PASSWORD).await), "RATE_LIMITED");
}

#[tokio::test]
async fn the_owners_device_has_a_limit_too() {
    let auth = Service::start().await;
    let owner = auth.player("wanjiru").await;
    let email = "wanjiru@example.com";
    auth.fail_on(&owner.device_token, email, 10).await;
    let refused = auth.sign_in_on(&owner.device_token, email, PASSWORD).await;
    assert_eq!(reason(refused), "RATE_LIMITED");
    auth.sign_in_on(STRANGER, email, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_device_of_another_player_or_of_none_is_a_strangers() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    let other = auth.player("kamau").await;
    auth.fail_on(&other.device_token, "wanjiru@example.com", 5).await;
    auth.fail_on("no-token-of-ours", "wanjiru@example.com", 5).await;
    let refused = auth.sign_in_on(STRANGER, "wanjiru@example.com", PASSWORD).await;
    assert_eq!(reason(refused), "RATE_LIMITED");
}

#[tokio::test]
async fn a_stranger_has_thirty_tries_a_day_and_a_hundred_until_a_reset() {
    let world = World::new().await;
    let (email, owner) = world.player("wanjiru").await;
    let auth = &world.auth;
    let quarter = Duration::from_mins(15);
    for _ in 0..3 {
        for _ in 0..3 {
            auth.fail_on(STRANGER, &email, 10).await;
            auth.clock.advance(quarter);
        }
        let fault = auth.sign_in(&email, PASSWORD).await.unwrap_err();
        assert_eq!(fault.retry_after, Some(Duration::from_mins(24 * 60 - 3 * 15)), "thirty a day");
        auth.clock.advance(days(1));
    }
    auth.fail_on(STRANGER, &email, 10).await;
    auth.clock.advance(days(1));
    let fault = auth.sign_in(&email, PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "PASSWORD_LOCKED");
    let text = "Too many wrong passwords. Reset your password to sign in on a new phone.";
    assert_eq!(fault.message, text);

    auth.sign_in_on(&owner.device_token, &email, PASSWORD).await.unwrap();
    let token = world.reset_link(&email).await;
    auth.confirm_reset(&token, NEW).await.unwrap();
    auth.sign_in(&email, NEW).await.unwrap();
}

#[tokio::test]
async fn an_unknown_email_is_counted_and_locked_the_same() {
    let auth = Service::start().await;
    let known = auth.player("wanjiru").await.device_token;
    for _ in 0..10 {
        auth.fail_on(&known, "unknown@example.com", 10).await;
        auth.clock.advance(days(1));
    }
    let refused = auth.sign_in_on(&known, "unknown@example.com", PASSWORD).await;
    assert_eq!(reason(refused), "PASSWORD_LOCKED");
}

#[tokio::test]
async fn the_device_that_resets_a_password_is_known_and_no_other() {
    let world = World::new().await;
    let (email, before) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    let mut devices = Vec::new();
    // The second call is a retry of a lost reply.
    for _ in 0..2 {
        let request = ConfirmPasswordResetRequest {
            token: token.clone(),
            new_password: NEW.to_owned(),
            ..Default::default()
        };
        let reply = world.auth.auth.clone().confirm_password_reset(request).await.unwrap();
        devices.push(reply.into_inner().device_token);
    }
    world.auth.fail_on(STRANGER, &email, 10).await;
    let forgotten = world.auth.sign_in_on(&before.device_token, &email, NEW).await;
    assert_eq!(reason(forgotten), "RATE_LIMITED");
    for device in devices {
        world.auth.sign_in_on(&device, &email, NEW).await.unwrap();
    }
}

#[tokio::test]
async fn a_changed_password_forgets_the_other_devices() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    let second = world.auth.sign_in(&email, PASSWORD).await.unwrap();
    // Strangers cannot keep the owner from changing it.
    world.auth.fail_on(STRANGER, &email, 10).await;
    let request = ChangePasswordRequest {
        email: email.clone(),
        old_password: PASSWORD.to_owned(),
        new_password: NEW.to_owned(),
        device_token: second.device_token.clone(),
    };
    let request = with_bearer(request, &second.access_token);
    world.auth.auth.clone().change_password(request).await.unwrap();
    // Guesses at the old password lock no one out; those at the new one do.
    world.auth.fail_on(STRANGER, &email, 10).await;
    let forgotten = world.auth.sign_in_on(&first.device_token, &email, NEW).await;
    assert_eq!(reason(forgotten), "RATE_LIMITED");
    world.auth.sign_in_on(&second.device_token, &email, NEW).await.unwrap();
}

#[tokio::test]
async fn a_sign_out_everywhere_forgets_all_devices() {
    let auth = Service::start().await;
    let owner = auth.player("wanjiru").await;
    let request = with_bearer(SignOutEverywhereRequest {}, &owner.access_token);
    auth.auth.clone().sign_out_everywhere(request).await.unwrap();
    auth.fail_on(STRANGER, "wanjiru@example.com", 10).await;
    let refused = auth.sign_in_on(&owner.device_token, "wanjiru@example.com", PASSWORD).await;
    assert_eq!(reason(refused), "RATE_LIMITED");
}

#[tokio::test]
async fn strangers_who_request_codes_do_not_lock_the_phones_owner_out() {
    let world = World::new().await;
    let auth = &world.auth;
    let sent = auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let device = auth.verify_phone_on(STRANGER, &sent.challenge_id, &code).await;

    let own = auth.start_phone_on(&device, PHONE).await.unwrap();
    let own_code = world.code(PHONE).await;
    assert_eq!(reason(auth.start_phone_on(&device, PHONE).await), "RATE_LIMITED");
    assert_eq!(reason(auth.start_phone(PHONE).await), "RATE_LIMITED");
    auth.clock.advance(Duration::from_mins(1));
    auth.start_phone(PHONE).await.unwrap();
    // The stranger's code is newer, and voids no code of the owner's.
    let again = auth.verify_phone_on(&device, &own.challenge_id, &own_code).await;
    assert_eq!(again, device);
}

#[tokio::test]
async fn behind_an_address_that_has_had_its_codes_owners_are_sent_theirs() {
    let world = World::new().await;
    let auth = &world.auth;
    let sent = auth.start_phone(PHONE).await.unwrap();
    assert!(!sent.known_device);
    let code = world.code(PHONE).await;
    let device = auth.verify_phone_on(STRANGER, &sent.challenge_id, &code).await;
    auth.clock.advance(Duration::from_mins(1));

    let start = async |token: &str| {
        let request = StartPhoneSignInRequest {
            phone: PHONE.to_owned(),
            captcha: auth.captcha().await,
            device_token: token.to_owned(),
            address_spent: true,
        };
        auth.auth.clone().start_phone_sign_in(request).await.map_err(fault)
    };
    assert_eq!(reason(start(STRANGER).await), "SMS_PAUSED");
    assert!(start(&device).await.unwrap().into_inner().known_device);
    // The refusal counted neither for the phone nor for the budget.
    auth.start_phone(PHONE).await.unwrap();
}

#[tokio::test]
async fn a_refresh_returns_a_devices_token_and_makes_no_device_known() {
    let auth = Service::start().await;
    let owner = auth.player("wanjiru").await;
    let mut refresh_token = owner.refresh_token;
    for sent in [owner.device_token.as_str(), STRANGER] {
        let request =
            RefreshRequest { refresh_token, device_token: sent.to_owned(), ..Default::default() };
        let reply = auth.auth.clone().refresh(request).await.unwrap().into_inner();
        let session = reply.session.unwrap();
        assert_eq!(session.device_token, sent);
        refresh_token = session.refresh_token;
    }
}

#[tokio::test]
async fn a_player_has_fifty_devices_and_the_one_used_longest_ago_goes_first() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let email = "wanjiru@example.com";
    let mut tokens = Vec::new();
    for _ in 0..50 {
        auth.clock.advance(Duration::from_secs(1));
        tokens.push(auth.sign_in(email, PASSWORD).await.unwrap().device_token);
    }
    let known: i64 = sqlx::query_scalar("SELECT count(*) FROM known_device")
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap();
    assert_eq!(known, 50);
    auth.fail_on(STRANGER, email, 10).await;
    let forgotten = auth.sign_in_on(&first.device_token, email, PASSWORD).await;
    assert_eq!(reason(forgotten), "RATE_LIMITED");
    auth.sign_in_on(&tokens[0], email, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_device_that_is_in_use_stays_known() {
    let auth = Service::start().await;
    let owner = auth.player("wanjiru").await;
    auth.clock.advance(days(2));
    let request = RefreshRequest {
        refresh_token: owner.refresh_token,
        device_token: owner.device_token,
        ..Default::default()
    };
    auth.auth.clone().refresh(request).await.unwrap();
    let seen: time::OffsetDateTime = sqlx::query_scalar("SELECT last_seen_at FROM known_device")
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap();
    assert_eq!(seen.unix_timestamp(), auth.clock.now().unix_timestamp());
}

/// Refreshes with a token on a device.
async fn refresh_on(auth: &Service, device: &str, token: &str) -> Result<Session, Fault> {
    let request = RefreshRequest {
        refresh_token: token.to_owned(),
        device_token: device.to_owned(),
        ..Default::default()
    };
    Ok(auth.auth.clone().refresh(request).await.map_err(fault)?.into_inner().session.unwrap())
}

#[tokio::test]
async fn a_stolen_refresh_token_is_found_by_its_first_reuse() {
    for thief in [STRANGER, "no-token-of-ours"] {
        let auth = Service::start().await;
        let owner = auth.player("wanjiru").await;
        let stolen = refresh_on(&auth, thief, &owner.refresh_token).await.unwrap();
        let found = refresh_on(&auth, &owner.device_token, &owner.refresh_token).await;
        assert_eq!(reason(found), "SESSION_REVOKED");
        let over = refresh_on(&auth, thief, &stolen.refresh_token).await;
        assert_eq!(reason(over), "SESSION_REVOKED");
    }
}

#[tokio::test]
async fn a_device_that_lost_the_reply_gets_the_same_successor() {
    let auth = Service::start().await;
    let owner = auth.player("wanjiru").await;
    let first = refresh_on(&auth, &owner.device_token, &owner.refresh_token).await.unwrap();
    let again = refresh_on(&auth, &owner.device_token, &owner.refresh_token).await.unwrap();
    assert_eq!(again.refresh_token, first.refresh_token);
}

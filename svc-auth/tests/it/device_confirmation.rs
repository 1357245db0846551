//! The time from which money may leave a wallet on each device, and the codes that confirm a
//! device.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use mesh::{Fault, auth::Claims};
use proto::auth::v1::{
    ApproveDeviceRequest, ConfirmDeviceRequest, ConfirmPasswordResetRequest, ListDevicesRequest,
    RefreshRequest, Session, SignOutEverywhereRequest, StartDeviceConfirmationRequest,
    StartDeviceConfirmationResponse, VerifyPhoneSignInRequest,
    player_admin_service_client::PlayerAdminServiceClient,
};

use crate::{
    harness::{PASSWORD, Service, days, fault, with_bearer},
    world::{PHONE, World},
};

const NEW: &str = "habari-gani";
const SUBJECT: &str = "Your PlayOn code";
/// A browser without a device cookie.
const NONE: &str = "";

/// Returns in how many seconds money may leave by a session; `None` until the device is confirmed.
fn waits(world: &World, session: &Session) -> Option<i64> {
    let claims = session.access_token.split('.').nth(1).unwrap();
    let claims: Claims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    claims.money_from.map(|from| from - world.auth.clock.now().unix_timestamp())
}

impl Service {
    /// Refreshes a session on a device.
    async fn refresh_there(&self, device: &str, session: &Session) -> Session {
        let request = RefreshRequest {
            refresh_token: session.refresh_token.clone(),
            device_token: device.to_owned(),
            ..Default::default()
        };
        self.auth.clone().refresh(request).await.unwrap().into_inner().session.unwrap()
    }

    async fn start_confirmation(
        &self,
        session: &Session,
    ) -> Result<StartDeviceConfirmationResponse, Fault> {
        let request = with_bearer(StartDeviceConfirmationRequest {}, &session.access_token);
        let reply = self.auth.clone().start_device_confirmation(request).await;
        Ok(reply.map_err(fault)?.into_inner())
    }

    /// Confirms a device; returns its token.
    async fn confirm_device(
        &self,
        device: &str,
        session: &Session,
        code: &str,
    ) -> Result<String, Fault> {
        let request =
            ConfirmDeviceRequest { code: code.to_owned(), device_token: device.to_owned() };
        let request = with_bearer(request, &session.access_token);
        Ok(self
            .auth
            .clone()
            .confirm_device(request)
            .await
            .map_err(fault)?
            .into_inner()
            .device_token)
    }
}

impl World {
    /// Signs in by a code; the player has a phone alone.
    pub(crate) async fn sign_in_by_phone(&self, device: &str) -> Session {
        let sent = self.auth.start_phone(PHONE).await.unwrap();
        let request = VerifyPhoneSignInRequest {
            challenge_id: sent.challenge_id,
            code: self.code(PHONE).await,
            device_token: device.to_owned(),
        };
        let reply = self.auth.auth.clone().verify_phone_sign_in(request).await.unwrap();
        // Another code is sent a minute later.
        self.auth.clock.advance(std::time::Duration::from_mins(1));
        reply.into_inner().session.unwrap()
    }

    /// The code of the newest mail, once there are `count` mails in the box.
    async fn mailed_code(&self, email: &str, count: usize) -> String {
        let mail = self.mails(email, count).await.remove(0);
        assert_eq!(mail.subject, SUBJECT);
        self.settled().await;
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit());
        let code = mail.text.lines().map(str::trim).find(is_code).unwrap();
        assert!(mail.html.contains(code), "{}", mail.html);
        code.to_owned()
    }
}

fn reason(outcome: Result<impl std::fmt::Debug, Fault>) -> String {
    outcome.unwrap_err().reason.into_owned()
}

/// Returns another code than this one.
fn other(code: &str) -> &str {
    if code == "123456" { "654321" } else { "123456" }
}

#[tokio::test]
async fn money_leaves_at_once_by_the_device_that_the_account_was_created_on() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    assert_eq!(waits(&world, &first), Some(0));
    let device = &first.device_token;
    assert_eq!(waits(&world, &world.auth.refresh_there(device, &first).await), Some(0));
    let again = world.auth.sign_in_on(device, &email, PASSWORD).await.unwrap();
    assert_eq!(waits(&world, &again), Some(0));

    let phone = world.sign_in_by_phone(NONE).await;
    assert!(waits(&world, &phone).is_some_and(|wait| wait <= 0));
}

#[tokio::test]
async fn a_new_device_is_confirmed_by_a_mailed_code() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    let session = world.auth.sign_in_on(NONE, &email, PASSWORD).await.unwrap();
    assert_eq!(waits(&world, &session), None);
    let device = session.device_token.clone();

    let started = world.auth.start_confirmation(&session).await.unwrap();
    assert_eq!(started.email_hint, "w•••@example.com");
    let code = world.mailed_code(&email, 2).await;
    let token = world.auth.confirm_device(&device, &session, &code).await.unwrap();
    assert_eq!(token, device, "a device keeps its token");
    let refreshed = world.auth.refresh_there(&device, &session).await;
    assert_eq!(waits(&world, &refreshed), Some(0));
    // The reply may have been lost; another device needs a code of its own.
    world.auth.confirm_device(&device, &session, &code).await.unwrap();
    for stranger in [NONE, &first.device_token] {
        let used = world.auth.confirm_device(stranger, &session, &code).await;
        assert_eq!(reason(used), "CODE_EXPIRED");
    }
}

#[tokio::test]
async fn a_browser_without_a_device_becomes_one_by_the_code() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    // A session from before devices were remembered has no token, nor has a browser that lost its
    // cookies.
    let session = world.auth.refresh_there(NONE, &first).await;
    assert_eq!(waits(&world, &session), None);
    world.auth.start_confirmation(&session).await.unwrap();
    let code = world.mailed_code(&email, 2).await;
    let device = world.auth.confirm_device(NONE, &session, &code).await.unwrap();
    assert_ne!(device, first.device_token);
    let refreshed = world.auth.refresh_there(&device, &session).await;
    assert_eq!(waits(&world, &refreshed), Some(0));
}

#[tokio::test]
async fn a_code_takes_five_guesses_and_a_newer_one_voids_it() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let session = world.auth.sign_in_on(NONE, &email, PASSWORD).await.unwrap();
    let device = session.device_token.clone();
    let confirm = |code| world.auth.confirm_device(&device, &session, code);
    assert_eq!(reason(confirm("123456").await), "CODE_EXPIRED", "none was sent");

    world.auth.start_confirmation(&session).await.unwrap();
    let early = world.auth.start_confirmation(&session).await.unwrap_err();
    assert_eq!(early.retry_after, Some(std::time::Duration::from_mins(1)));
    let code = world.mailed_code(&email, 2).await;
    for _ in 0..5 {
        assert_eq!(reason(confirm(other(&code)).await), "BAD_CODE");
    }
    assert_eq!(reason(confirm(&code).await), "CODE_EXPIRED");

    world.auth.clock.advance(std::time::Duration::from_mins(1));
    world.auth.start_confirmation(&session).await.unwrap();
    let newer = world.mailed_code(&email, 3).await;
    assert_eq!(reason(confirm("no code").await), "BAD_CODE");
    world.auth.clock.advance(std::time::Duration::from_mins(15));
    // The access token has expired, too.
    let session = world.auth.refresh_there(&device, &session).await;
    let late = world.auth.confirm_device(&device, &session, &newer).await;
    assert_eq!(reason(late), "CODE_EXPIRED", "15 minutes are over");
}

#[tokio::test]
async fn a_code_is_of_its_player_alone() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let (other_email, _) = world.player("kamau").await;
    let one = world.auth.sign_in_on(NONE, &email, PASSWORD).await.unwrap();
    let two = world.auth.sign_in_on(NONE, &other_email, PASSWORD).await.unwrap();
    world.auth.start_confirmation(&one).await.unwrap();
    world.auth.start_confirmation(&two).await.unwrap();
    let code = world.mailed_code(&email, 2).await;
    if code != world.mailed_code(&other_email, 2).await {
        let foreign = world.auth.confirm_device(&two.device_token, &two, &code).await;
        assert_eq!(reason(foreign), "BAD_CODE");
    }
}

#[tokio::test]
async fn an_account_with_a_phone_alone_waits_a_day_on_a_new_device() {
    let world = World::new().await;
    let first = world.sign_in_by_phone(NONE).await;
    let session = world.sign_in_by_phone(NONE).await;
    let day = 24 * 60 * 60;
    assert_eq!(waits(&world, &session), Some(day - 60));
    let refused = world.auth.start_confirmation(&session).await;
    assert_eq!(reason(refused), "NO_CONFIRMATION_ADDRESS");

    // Signing out everywhere forgets the devices, but not when the player was active.
    let request = with_bearer(SignOutEverywhereRequest {}, &first.access_token);
    world.auth.auth.clone().sign_out_everywhere(request).await.unwrap();
    let session = world.sign_in_by_phone(NONE).await;
    assert_eq!(waits(&world, &session), Some(day - 60));
}

#[tokio::test]
async fn a_number_whose_player_was_away_for_sixty_days_opens_no_wallet() {
    let world = World::new().await;
    let first = world.sign_in_by_phone(NONE).await;
    world.auth.clock.advance(days(60));
    // Money leaves neither at once, nor after another sign-in, nor by the old phone.
    for device in [NONE, NONE, &first.device_token, &first.device_token] {
        let session = world.sign_in_by_phone(device).await;
        assert_eq!(waits(&world, &session), None, "{device}");
        world.auth.clock.advance(days(2));
    }
}

#[tokio::test]
async fn a_device_that_has_rested_is_confirmed_again() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    let device = &first.device_token;
    for (rest, expected) in [(59, true), (60, false)] {
        world.auth.clock.advance(days(rest));
        let session = world.auth.sign_in_on(device, &email, PASSWORD).await.unwrap();
        assert_eq!(waits(&world, &session).is_some(), expected, "{rest} days");
    }
}

#[tokio::test]
async fn the_device_that_resets_the_password_is_confirmed_by_the_mail() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    let request = ConfirmPasswordResetRequest {
        token: world.reset_link(&email).await,
        new_password: NEW.to_owned(),
        ..Default::default()
    };
    let reply = world.auth.auth.clone().confirm_password_reset(request).await.unwrap();
    let device = reply.into_inner().device_token;
    let session = world.auth.sign_in_on(&device, &email, NEW).await.unwrap();
    assert_eq!(waits(&world, &session), Some(0));
    let forgotten = world.auth.sign_in_on(&first.device_token, &email, NEW).await.unwrap();
    assert_eq!(waits(&world, &forgotten), None);
}

#[tokio::test]
async fn an_operator_approves_the_device_of_a_player_who_cannot() {
    let world = World::new().await;
    world.sign_in_by_phone(NONE).await;
    world.auth.clock.advance(days(60));
    let session = world.sign_in_by_phone(NONE).await;
    let mut operator = PlayerAdminServiceClient::new(world.auth.connect_operator("achieng"));
    let player_id = session.uid.clone();
    let request = ListDevicesRequest { player_id: player_id.clone() };
    let devices = operator.list_devices(request).await.unwrap().into_inner().devices;
    assert_eq!(devices.len(), 2);
    assert_eq!(devices[0].money_from, None, "the one used last comes first");

    let request = ApproveDeviceRequest {
        player_id,
        device_id: devices[0].id.clone(),
        reason: "showed the M-Pesa messages of three top-ups".to_owned(),
    };
    for changed in [true, false] {
        let reply = operator.approve_device(request.clone()).await.unwrap();
        assert_eq!(reply.into_inner().changed, changed);
    }
    let refreshed = world.auth.refresh_there(&session.device_token, &session).await;
    assert_eq!(waits(&world, &refreshed), Some(0));
    let audited: Vec<(String, String)> =
        sqlx::query_as("SELECT operator, reason FROM device_approval")
            .fetch_all(&world.auth.database.pool)
            .await
            .unwrap();
    assert_eq!(audited, [("achieng".to_owned(), request.reason.clone())]);
    world.auth.database.assert_append_only("device_approval").await;

    let unknown = ApproveDeviceRequest { device_id: session.uid, ..request.clone() };
    let without = ApproveDeviceRequest { reason: " ".to_owned(), ..request };
    for (request, expected) in [(unknown, "DEVICE_NOT_FOUND"), (without, "INVALID_ARGUMENT")] {
        let refused = operator.approve_device(request).await.map_err(fault);
        assert_eq!(reason(refused), expected);
    }
}

#[tokio::test]
async fn the_gateway_is_no_operator() {
    let world = World::new().await;
    let mut gateway = PlayerAdminServiceClient::new(world.auth.connect_gateway());
    let refused = gateway.list_devices(ListDevicesRequest::default()).await.map_err(fault);
    assert_eq!(reason(refused), "FORBIDDEN");
}

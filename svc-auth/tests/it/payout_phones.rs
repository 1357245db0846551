//! The phones to which a player's withdrawals may go.

use std::time::Duration;

use mesh::Fault;
use proto::{
    auth::v1::{
        ConfirmPasswordResetRequest, ConfirmPayoutPhoneRequest, GetPayoutPhoneRequest,
        ListPayoutPhonesRequest, PayoutPhone, Session, SignOutEverywhereRequest,
        StartPayoutPhoneRequest, StartPayoutPhoneResponse, VerifyPhoneSignInRequest,
    },
    chat::v1::NotificationKind,
    from_timestamp,
};
use time::OffsetDateTime;
use tonic::Code;

use crate::{
    harness::{PASSWORD, Service, fault, with_bearer},
    world::{PHONE, World},
};

/// [`PHONE`] as replies have it.
const E164: &str = "+254712345678";
const DAY: Duration = Duration::from_hours(24);

impl Service {
    async fn start_payout_phone(
        &self,
        session: &Session,
        phone: &str,
    ) -> Result<StartPayoutPhoneResponse, Fault> {
        let request = StartPayoutPhoneRequest { phone: phone.to_owned() };
        let request = with_bearer(request, &session.access_token);
        Ok(self.players.clone().start_payout_phone(request).await.map_err(fault)?.into_inner())
    }

    /// Proves the phone of the newest code; returns from when it is open.
    async fn confirm_payout_phone(
        &self,
        session: &Session,
        code: &str,
    ) -> Result<OffsetDateTime, Fault> {
        let request = ConfirmPayoutPhoneRequest { code: code.to_owned() };
        let request = with_bearer(request, &session.access_token);
        let reply = self.players.clone().confirm_payout_phone(request).await.map_err(fault)?;
        Ok(opens_at(&reply.into_inner().phone.unwrap()))
    }

    /// Returns the proven phones with the times from which they are open.
    pub(crate) async fn payout_phones(&self, session: &Session) -> Vec<(String, OffsetDateTime)> {
        let request = with_bearer(ListPayoutPhonesRequest {}, &session.access_token);
        let reply = self.players.clone().list_payout_phones(request).await.unwrap();
        let phones = reply.into_inner().phones;
        phones.into_iter().map(|proven| (proven.phone.clone(), opens_at(&proven))).collect()
    }

    /// Returns from when a phone is open, as svc-wallet asks for it.
    async fn payout_phone_opens_at(
        &self,
        session: &Session,
        phone: &str,
    ) -> Option<OffsetDateTime> {
        let request = GetPayoutPhoneRequest { phone: phone.to_owned() };
        let request = with_bearer(request, &session.access_token);
        let reply = self.directory.clone().get_payout_phone(request).await.unwrap().into_inner();
        from_timestamp(reply.opens_at, "opens_at").ok()
    }
}

impl World {
    /// Proves a phone by the code that it was sent.
    pub(crate) async fn prove(
        &self,
        session: &Session,
        phone: &str,
    ) -> Result<OffsetDateTime, Fault> {
        self.auth.start_payout_phone(session, phone).await?;
        let opens_at = self.auth.confirm_payout_phone(session, &self.code(phone).await).await;
        // Another code is sent a minute later.
        self.auth.clock.advance(Duration::from_mins(1));
        opens_at
    }

    /// Returns a session of a player who joined a day ago.
    async fn older_player(&self, name: &str) -> Session {
        let (email, session) = self.player(name).await;
        self.auth.clock.advance(DAY);
        self.auth.sign_in_on(&session.device_token, &email, PASSWORD).await.unwrap()
    }
}

fn opens_at(proven: &PayoutPhone) -> OffsetDateTime {
    from_timestamp(proven.opens_at, "opens_at").unwrap()
}

fn reason(outcome: Result<impl std::fmt::Debug, Fault>) -> (Code, String) {
    let fault = outcome.unwrap_err();
    (fault.code, fault.reason.into_owned())
}

/// Returns another code than this one.
fn other(code: &str) -> &str {
    if code == "123456" { "654321" } else { "123456" }
}

#[tokio::test]
async fn a_phone_is_open_at_once_on_the_account_s_first_day() {
    let world = World::new().await;
    let (_, session) = world.player("wanjiru").await;
    assert_eq!(world.auth.payout_phone_opens_at(&session, PHONE).await, None);
    let now = world.auth.clock.now();
    assert_eq!(world.prove(&session, "0712 345 678").await.unwrap(), now);
    assert_eq!(world.auth.payout_phone_opens_at(&session, PHONE).await, Some(now));
    assert_eq!(world.auth.payout_phones(&session).await, [(E164.to_owned(), now)]);
    let text = world.texts(PHONE).await.remove(0);
    assert!(text.contains("is your PlayOn code to withdraw to this phone."), "{text}");

    let (_, friend) = world.player("otieno").await;
    assert_eq!(world.auth.payout_phone_opens_at(&friend, PHONE).await, None);
}

#[tokio::test]
async fn a_later_phone_rests_for_a_day_and_its_player_is_notified() {
    let world = World::new().await;
    let session = world.older_player("wanjiru").await;
    let now = world.auth.clock.now();
    assert_eq!(world.prove(&session, PHONE).await.unwrap(), now + DAY);
    assert_eq!(world.auth.payout_phone_opens_at(&session, PHONE).await, Some(now + DAY));
    let stored = testkit::eventually("the notification is stored", || async {
        world.auth.notifications.stored().pop()
    })
    .await;
    assert_eq!(stored.kind(), NotificationKind::PayoutPhoneAdded);
    assert_eq!(stored.params["phone"], types::Msisdn::parse(PHONE).unwrap().masked());

    let mail = world.mail("wanjiru@example.com", "A new phone for your PlayOn withdrawals").await;
    assert!(mail.text.contains("Money can be withdrawn to it from"), "{}", mail.text);

    // Proving the phone again changes nothing.
    assert_eq!(world.prove(&session, PHONE).await.unwrap(), now + DAY);
}

#[tokio::test]
async fn the_phone_that_a_player_signs_in_with_is_open() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let request = VerifyPhoneSignInRequest {
        challenge_id: sent.challenge_id,
        code: world.code(PHONE).await,
        ..VerifyPhoneSignInRequest::default()
    };
    let reply = world.auth.auth.clone().verify_phone_sign_in(request).await.unwrap();
    let session = reply.into_inner().session.unwrap();
    let opens_at = world.auth.payout_phone_opens_at(&session, PHONE).await;
    assert_eq!(opens_at, Some(world.auth.clock.now()));
}

#[tokio::test]
async fn a_wrong_code_proves_nothing_and_five_of_them_end_the_code() {
    let world = World::new().await;
    let (_, session) = world.player("wanjiru").await;
    assert_eq!(reason(world.auth.confirm_payout_phone(&session, "123456").await).1, "CODE_EXPIRED");
    world.auth.start_payout_phone(&session, PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    for _ in 0..5 {
        let refused = reason(world.auth.confirm_payout_phone(&session, other(&code)).await);
        assert_eq!(refused, (Code::Unauthenticated, "BAD_CODE".to_owned()));
    }
    let refused = reason(world.auth.confirm_payout_phone(&session, &code).await);
    assert_eq!(refused, (Code::FailedPrecondition, "CODE_EXPIRED".to_owned()));
    assert_eq!(world.auth.payout_phones(&session).await, []);
}

#[tokio::test]
async fn a_code_is_the_newest_one_of_its_player_for_five_minutes() {
    let world = World::new().await;
    let (_, session) = world.player("wanjiru").await;
    world.auth.start_payout_phone(&session, PHONE).await.unwrap();
    let first = world.code(PHONE).await;
    assert_eq!(
        reason(world.auth.start_payout_phone(&session, "0722345678").await).1,
        "RATE_LIMITED"
    );
    world.auth.clock.advance(Duration::from_mins(1));
    world.auth.start_payout_phone(&session, "0722345678").await.unwrap();
    assert_eq!(reason(world.auth.confirm_payout_phone(&session, &first).await).1, "BAD_CODE");
    world.auth.clock.advance(Duration::from_mins(5));
    let second = world.code("+254722345678").await;
    assert_eq!(reason(world.auth.confirm_payout_phone(&session, &second).await).1, "CODE_EXPIRED");
}

#[tokio::test]
async fn two_accounts_do_not_send_a_phone_more_codes_than_one() {
    let world = World::new().await;
    let ((_, one), (_, two)) = (world.player("wanjiru").await, world.player("otieno").await);
    world.auth.start_payout_phone(&one, PHONE).await.unwrap();
    let refused = reason(world.auth.start_payout_phone(&two, PHONE).await);
    assert_eq!(refused, (Code::ResourceExhausted, "RATE_LIMITED".to_owned()));
    assert_eq!(world.texts(PHONE).await.len(), 1);
}

#[tokio::test]
async fn a_player_proves_five_phones_a_year() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    let mut session = first.clone();
    for last in 0..5 {
        world.auth.clock.advance(Duration::from_mins(20));
        session = world.auth.sign_in_on(&first.device_token, &email, PASSWORD).await.unwrap();
        world.prove(&session, &format!("+25471234567{last}")).await.unwrap();
    }
    let refused = reason(world.auth.start_payout_phone(&session, "+254712345679").await);
    assert_eq!(refused, (Code::FailedPrecondition, "TOO_MANY_PAYOUT_PHONES".to_owned()));
    // A proven phone can be proven again.
    world.auth.start_payout_phone(&session, "+254712345670").await.unwrap();
}

#[tokio::test]
async fn signing_out_everywhere_forgets_all_phones_and_they_still_count() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    world.prove(&first, PHONE).await.unwrap();
    for last in 0..4 {
        world.auth.clock.advance(Duration::from_mins(20));
        let session = world.auth.sign_in_on(&first.device_token, &email, PASSWORD).await.unwrap();
        world.prove(&session, &format!("+25471234567{last}")).await.unwrap();
    }
    let session = world.auth.sign_in_on(&first.device_token, &email, PASSWORD).await.unwrap();
    let request = with_bearer(SignOutEverywhereRequest {}, &session.access_token);
    world.auth.auth.clone().sign_out_everywhere(request).await.unwrap();
    // Money leaves again by a device of a reset password.
    let link = world.reset_link(&email).await;
    let request = ConfirmPasswordResetRequest {
        token: link,
        new_password: PASSWORD.to_owned(),
        ..ConfirmPasswordResetRequest::default()
    };
    let reply = world.auth.auth.clone().confirm_password_reset(request).await.unwrap();
    let device = reply.into_inner().device_token;
    let again = world.auth.sign_in_on(&device, &email, PASSWORD).await.unwrap();
    assert_eq!(world.auth.payout_phones(&again).await, []);
    let refused = reason(world.auth.start_payout_phone(&again, "+254712345675").await);
    assert_eq!(refused.1, "TOO_MANY_PAYOUT_PHONES");
    // A forgotten phone can be proven again, and rests as a new one.
    world.auth.clock.advance(DAY);
    let again = world.auth.sign_in_on(&device, &email, PASSWORD).await.unwrap();
    let now = world.auth.clock.now();
    assert_eq!(world.prove(&again, PHONE).await.unwrap(), now + DAY);
    assert_eq!(world.auth.payout_phones(&again).await, [(E164.to_owned(), now + DAY)]);
}

#[tokio::test]
async fn a_changed_password_forgets_a_phone_that_rests() {
    let world = World::new().await;
    let (email, first) = world.player("wanjiru").await;
    world.prove(&first, PHONE).await.unwrap();
    world.auth.clock.advance(DAY);
    let session = world.auth.sign_in_on(&first.device_token, &email, PASSWORD).await.unwrap();
    world.prove(&session, "0722345678").await.unwrap();
    assert_eq!(world.auth.payout_phones(&session).await.len(), 2);
    let changed =
        world.auth.change_password(&session.access_token, &email, PASSWORD, "habari-gani").await;
    changed.unwrap();
    let [(phone, _)] = &world.auth.payout_phones(&session).await[..] else { panic!("one phone") };
    assert_eq!(phone, E164);
}

#[tokio::test]
async fn a_device_by_which_no_money_leaves_adds_no_phone() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let strange = world.auth.sign_in_on("", &email, PASSWORD).await.unwrap();
    let refused = reason(world.auth.start_payout_phone(&strange, PHONE).await);
    assert_eq!(refused, (Code::PermissionDenied, "DEVICE_NOT_CONFIRMED".to_owned()));
    assert_eq!(world.texts(PHONE).await, [""; 0]);
}

#[tokio::test]
async fn a_number_that_gets_no_messages_is_refused() {
    let world = World::new().await;
    let (_, session) = world.player("wanjiru").await;
    world.script(PHONE, "unsupported").await;
    assert_eq!(reason(world.auth.start_payout_phone(&session, PHONE).await).1, "SMS_REFUSED");
    let refused = reason(world.auth.start_payout_phone(&session, "020 123").await);
    assert_eq!(refused, (Code::InvalidArgument, "INVALID_ARGUMENT".to_owned()));
}

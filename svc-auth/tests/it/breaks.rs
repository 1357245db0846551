//! Breaks from play.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use mesh::{Fault, auth::Claims};
use proto::auth::v1::{BreakLength, GetProfileRequest, RefreshRequest, Session, StartBreakRequest};
use time::OffsetDateTime;

use crate::{
    harness::{PASSWORD, Service, days, fault, with_bearer},
    world::World,
};

/// A browser without a device cookie.
const NONE: &str = "";

/// The claims of a session's access token.
pub(crate) fn claims(session: &Session) -> Claims {
    let claims = session.access_token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

impl Service {
    pub(crate) async fn start_break(
        &self,
        session: &Session,
        length: BreakLength,
    ) -> Result<OffsetDateTime, Fault> {
        let request = StartBreakRequest { length: length.into() };
        let request = with_bearer(request, &session.access_token);
        let reply = self.players.clone().start_break(request).await.map_err(fault)?;
        Ok(proto::from_timestamp(reply.into_inner().ends_at, "ends_at").unwrap())
    }

    /// The end of the break that a profile has.
    pub(crate) async fn break_until(&self, session: &Session) -> Option<OffsetDateTime> {
        let request = with_bearer(GetProfileRequest {}, &session.access_token);
        let reply = self.players.clone().get_profile(request).await.unwrap().into_inner();
        let until = reply.profile.unwrap().break_until?;
        Some(proto::from_timestamp(Some(until), "break_until").unwrap())
    }

    async fn refresh_once(&self, session: &Session) -> Result<Session, Fault> {
        let refresh_token = session.refresh_token.clone();
        let request = RefreshRequest { refresh_token, ..Default::default() };
        let reply = self.auth.clone().refresh(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }
}

#[tokio::test]
async fn a_break_ends_all_sessions_and_is_in_the_tokens_of_later_ones() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let device = &first.device_token;
    let email = "wanjiru@example.com";
    let other = auth.sign_in_on(device, email, PASSWORD).await.unwrap();
    assert_eq!(claims(&other).break_until, None);

    let ends_at = auth.start_break(&first, BreakLength::Week).await.unwrap();
    assert_eq!(ends_at, auth.clock.now() + days(7));
    for session in [&first, &other] {
        assert_eq!(auth.refresh_once(session).await.unwrap_err().reason, "SESSION_REVOKED");
    }
    let again = auth.sign_in_on(device, email, PASSWORD).await.unwrap();
    assert_eq!(claims(&again).break_until, Some(ends_at.unix_timestamp()));
    assert_eq!(auth.break_until(&again).await, Some(ends_at));
    assert!(claims(&again).money_from.is_some(), "the device stays known");
    let refreshed = auth.refresh_once(&again).await.unwrap();
    assert_eq!(claims(&refreshed).break_until, Some(ends_at.unix_timestamp()));
}

#[tokio::test]
async fn a_break_can_be_made_longer_and_never_shorter() {
    let auth = Service::start().await;
    let mut session = auth.player("wanjiru").await;
    let begun = auth.clock.now();
    for (length, whole_days) in [
        (BreakLength::SixWeeks, 42),
        (BreakLength::Day, 42),
        (BreakLength::HalfYear, 183),
        (BreakLength::Year, 365),
        (BreakLength::FiveYears, 1_826),
    ] {
        let ends_at = auth.start_break(&session, length).await.unwrap();
        assert_eq!(ends_at, begun + days(whole_days), "{length:?}");
        let device = &session.device_token;
        session = auth.sign_in_on(device, "wanjiru@example.com", PASSWORD).await.unwrap();
    }
    let refused = auth.start_break(&session, BreakLength::Unspecified).await.unwrap_err();
    assert_eq!(refused.wrong_fields().len(), 1);
}

#[tokio::test]
async fn payout_phones_stay_on_a_break() {
    let world = World::new().await;
    let session = world.sign_in_by_phone(NONE).await;
    world.prove(&session, "0722000111").await.unwrap();
    world.auth.start_break(&session, BreakLength::Day).await.unwrap();
    world.auth.clock.advance(Duration::from_mins(2));
    let session = world.sign_in_by_phone(&session.device_token).await;
    let phones = world.auth.payout_phones(&session).await;
    let phones: Vec<_> = phones.into_iter().map(|(phone, _)| phone).collect();
    assert_eq!(phones, ["+254722000111", "+254712345678"]);
}

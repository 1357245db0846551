//! Guessing at the codes of all phones at once.

use std::time::Duration;

use crate::{
    harness::{days, fault},
    world::{PHONE, World},
};
use proto::auth::v1::{StartPhoneSignInRequest, StartPhoneSignInResponse};

/// Phones of other people.
fn phone(number: u32) -> String {
    format!("07{:08}", 20_000_000 + number)
}

/// Another code of the same length.
fn wrong(code: &str) -> String {
    let last = if code.ends_with('1') { '2' } else { '1' };
    format!("{}{last}", &code[..code.len() - 1])
}

impl World {
    /// Has a code sent to each of these phones, and guesses five times at each.
    async fn guess_at(&self, phones: std::ops::Range<u32>) {
        for number in phones {
            let phone = phone(number);
            let sent = self.auth.start_phone(&phone).await.unwrap();
            let guess = wrong(&self.code(&phone).await);
            for _ in 0..5 {
                let refused = self.auth.verify_phone(&sent.challenge_id, &guess).await;
                assert_eq!(refused.unwrap_err().reason, "BAD_CODE");
            }
        }
    }

    async fn start_on(&self, device: &str) -> StartPhoneSignInResponse {
        let request = StartPhoneSignInRequest {
            phone: PHONE.to_owned(),
            captcha: self.auth.captcha().await,
            device_token: device.to_owned(),
            ..Default::default()
        };
        self.auth
            .auth
            .clone()
            .start_phone_sign_in(request)
            .await
            .map_err(fault)
            .unwrap()
            .into_inner()
    }
}

#[tokio::test]
async fn while_many_codes_are_guessed_at_strangers_get_long_ones() {
    let world = World::new().await;
    let first = world.start_on("").await;
    assert_eq!(first.digits, 6);
    let code = world.code(PHONE).await;
    let owner = world.auth.verify_phone(&first.challenge_id, &code).await.unwrap();

    let waiting = world.auth.start_phone(&phone(0)).await.unwrap();
    let short = world.code(&phone(0)).await;
    world.guess_at(1..4).await;
    let void = world.auth.verify_phone(&waiting.challenge_id, &short).await.unwrap_err();
    assert_eq!(void.reason, "CODE_EXPIRED", "a short code of before");

    world.auth.clock.advance(Duration::from_mins(1));
    let known = world.start_on(&owner.device_token).await;
    assert_eq!(known.digits, 6, "the owner's own phone");
    let stranger = world.start_on("").await;
    let long = world.code(PHONE).await;
    assert_eq!((stranger.digits, long.len()), (9, 9));
    world.auth.verify_phone(&stranger.challenge_id, &long).await.unwrap();
}

#[tokio::test]
async fn a_day_after_the_guesses_codes_are_short_again() {
    let world = World::new().await;
    world.guess_at(0..3).await;
    assert_eq!(world.auth.start_phone(PHONE).await.unwrap().digits, 9);
    world.auth.clock.advance(days(1) + Duration::from_hours(1));
    assert_eq!(world.auth.start_phone(PHONE).await.unwrap().digits, 6);
}

#[tokio::test]
async fn players_who_mistype_a_code_and_find_it_raise_no_alert() {
    let world = World::new().await;
    for number in 0..8 {
        let phone = phone(number);
        let sent = world.auth.start_phone(&phone).await.unwrap();
        let code = world.code(&phone).await;
        for _ in 0..4 {
            world.auth.verify_phone(&sent.challenge_id, &wrong(&code)).await.unwrap_err();
        }
        world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
    }
    assert_eq!(world.auth.start_phone(PHONE).await.unwrap().digits, 6);
}

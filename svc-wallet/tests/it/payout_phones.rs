//! Withdrawals go to phones that their players have proven, and not to many players' phone.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, WithdrawRequest},
};
use time::macros::datetime;
use tonic::{Code, Status};
use types::Money;

use crate::world::{Player, World, english, reason};

/// A phone in the two forms of a request and of svc-auth.
const PHONE: (&str, &str) = ("0722 345 678", "+254722345678");

impl World {
    /// Withdraws to a phone; returns the payment's id.
    pub(crate) async fn withdraw_to(
        &self,
        player: &Player,
        phone: &str,
        shillings: i32,
    ) -> Result<String, Status> {
        let key = self.base.rng.uuid_v7(self.base.clock.now()).to_string();
        let mpesa_phone_number = phone.to_owned();
        let request =
            WithdrawRequest { mpesa_phone_number, ..self.withdrawal(shillings, &key).await };
        Ok(self.send_withdrawal(player, request).await?.payment_id)
    }
}

#[tokio::test]
async fn money_goes_to_a_proven_phone_once_it_has_rested() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 500).await;
    world.directory.set_payout_phone(PHONE.1, None);
    let refused = world.withdraw_to(&player, PHONE.0, 100).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::PermissionDenied, "PAYOUT_PHONE_NOT_PROVEN".into())
    );

    let now = world.base.clock.now();
    world.directory.set_payout_phone(PHONE.1, Some(now + Duration::from_mins(1)));
    let refused = world.withdraw_to(&player, PHONE.0, 100).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::PermissionDenied, "PAYOUT_PHONE_RESTS".into())
    );
    assert_eq!(world.available(&player).await, Money::from_shillings(500));
    assert_eq!(world.payouts_sent().await, 0);

    world.directory.set_payout_phone(PHONE.1, Some(now));
    let id = world.withdraw_to(&player, PHONE.0, 100).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn the_player_reads_in_nairobis_time_when_a_phone_opens() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 500).await;
    world.directory.set_payout_phone(PHONE.1, Some(datetime!(2199-11-28 13:05 UTC)));
    let refused = world.withdraw_to(&player, PHONE.0, 100).await.unwrap_err();
    assert_eq!(
        refused.message(),
        "This phone is new to your account. You can withdraw to it from 16:05 on 28/11."
    );
    world.finish().await;
}

#[tokio::test]
async fn a_repeated_request_gets_its_payment_whatever_became_of_the_phone() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 500).await;
    let request = world.withdrawal(100, "once").await;
    let first = world.send_withdrawal(&player, request.clone()).await.unwrap().payment_id;
    world.directory.set_payout_phone("+254712345678", None);
    let again = world.send_withdrawal(&player, request).await.unwrap().payment_id;
    assert_eq!(again, first);
    world.finish().await;
}

#[tokio::test]
async fn no_money_leaves_while_the_phones_are_unknown() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 500).await;
    world.directory.fail();
    let refused = world.withdraw_to(&player, PHONE.0, 100).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(world.available(&player).await, Money::from_shillings(500));
    world.finish().await;
}

#[tokio::test]
async fn many_accounts_do_not_empty_into_one_phone() {
    let world = World::new().await;
    for _ in 0..3 {
        let player = world.player();
        world.give(&player, 1_000).await;
        let id = world.withdraw_to(&player, PHONE.0, 990).await.unwrap();
        world.until(&player, &id, PaymentStatus::Completed).await;
    }
    let player = world.player();
    world.give(&player, 500).await;
    let id = world.withdraw_to(&player, PHONE.0, 100).await.unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.payouts_sent().await, 3);
    let text = english(world.payment(&player, &id).await.unwrap().text.as_ref());
    assert!(
        text.starts_with(
            "Others withdraw to this phone too. We look at withdrawals above KES 3,000.00 together \
             in 7 days"
        ),
        "{text}"
    );
    let cases = world.cases(CaseKind::Held).await;
    let [case] = &cases[..] else { panic!("one case: {cases:?}") };
    assert!(case.detail.ends_with("other players withdraw to the phone, too"), "{}", case.detail);

    let own = world.withdraw_to(&player, "0733 345 678", 300).await.unwrap();
    world.until(&player, &own, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn withdrawals_of_two_players_at_once_to_one_phone_count_each_other() {
    let world = World::new().await;
    let (one, two) = (world.player(), world.player());
    for player in [&one, &two] {
        world.give(player, 3_000).await;
    }
    let (first, second) = tokio::join!(
        world.withdraw_to(&one, PHONE.0, 2_000),
        world.withdraw_to(&two, PHONE.0, 2_000)
    );
    first.and(second).unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.payouts_sent().await, 1);
    world.finish().await;
}

//! No money leaves from devices that are new to an account.

use mesh::auth::Claims;
use proto::{types::v1::PaymentStatus, wallet::v1::TopUpRequest};
use serde_json::json;
use tonic::Code;
use types::Money;

use crate::world::{Player, World, reason};

impl World {
    /// Returns the player with a token of a device from which money may leave in so many seconds;
    /// never with `None`.
    fn on_new_device(&self, player: &Player, wait: Option<i64>) -> Player {
        let claims = self.tokens.claims(player.id);
        let money_from = wait.map(|wait| claims.iat + wait);
        Player { id: player.id, token: self.tokens.sign(&Claims { money_from, ..claims }) }
    }

    async fn wallet_boost(&self, friend: &Player, key: &str) -> TopUpRequest {
        TopUpRequest {
            payment_method_id: self.method("WALLET").await,
            mpesa_phone_number: None,
            beneficiary_id: Some(friend.id.to_string()),
            ..self.request(50, key).await
        }
    }
}

#[tokio::test]
async fn no_money_leaves_by_a_device_that_is_new_or_not_confirmed() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player());
    world.give(&player, 500).await;
    for (wait, expected) in [(None, "DEVICE_NOT_CONFIRMED"), (Some(60), "DEVICE_TOO_NEW")] {
        let new = world.on_new_device(&player, wait);
        let withdrawal = world.withdrawal(100, &format!("out-{expected}")).await;
        let boost = world.wallet_boost(&friend, &format!("boost-{expected}")).await;
        let refused = world.send_withdrawal(&new, withdrawal).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused)), (Code::PermissionDenied, expected.into()));
        let refused = world.send(&new, boost).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused)), (Code::PermissionDenied, expected.into()));
    }
    assert_eq!(world.available(&player).await, Money::from_shillings(500));
    assert_eq!(world.balance(&friend).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn money_leaves_once_the_time_has_come() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player());
    world.give(&player, 500).await;
    let confirmed = world.on_new_device(&player, Some(0));
    let boost = world.wallet_boost(&friend, "boost").await;
    assert_eq!(world.send(&confirmed, boost).await.unwrap().status(), PaymentStatus::Completed);
    world.withdraw(&confirmed, 100).await;
    world.finish().await;
}

#[tokio::test]
async fn a_repeated_request_gets_its_payment_on_any_device() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player());
    world.give(&player, 500).await;
    let boost = world.wallet_boost(&friend, "boost").await;
    let withdrawal = world.withdrawal(100, "withdrawal").await;
    let first = world.send(&player, boost.clone()).await.unwrap().payment_id;
    let out = world.send_withdrawal(&player, withdrawal.clone()).await.unwrap().payment_id;

    let new = world.on_new_device(&player, None);
    assert_eq!(world.send(&new, boost).await.unwrap().payment_id, first);
    assert_eq!(world.send_withdrawal(&new, withdrawal).await.unwrap().payment_id, out);
    world.finish().await;
}

#[tokio::test]
async fn money_comes_in_from_any_device() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let new = world.on_new_device(&player, None);
    let id = world.top_up(&new, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

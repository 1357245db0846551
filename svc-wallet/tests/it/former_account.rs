//! Money that erased accounts left.

use proto::{
    chat::v1::NotificationKind,
    wallet::v1::{
        Direction, MoveFormerMoneyRequest, TransactionDesc,
        former_account_service_client::FormerAccountServiceClient,
    },
};
use testkit::eventually;
use tonic::{Code, Status};
use types::Money;

use crate::world::{Player, World};

impl World {
    async fn move_money(&self, former: &Player, player: &Player) -> Result<(), Status> {
        let request = MoveFormerMoneyRequest {
            former_player_id: former.id.to_string(),
            player_id: player.id.to_string(),
            proven_at: Some(proto::timestamp(self.base.clock.now())),
        };
        let mut client = FormerAccountServiceClient::new(self.connect("svc-auth"));
        client.move_former_money(request).await.map(drop)
    }
}

#[tokio::test]
async fn the_money_of_an_erased_account_is_moved_once_and_the_player_is_notified() {
    let world = World::new().await;
    let (former, player) = (world.player(), world.player());
    world.give(&former, 320).await;
    let (one, other) =
        tokio::join!(world.move_money(&former, &player), world.move_money(&former, &player));
    // The later of two calls may have to be repeated.
    if one.is_err() || other.is_err() {
        world.move_money(&former, &player).await.unwrap();
    }
    assert_eq!(world.balance(&former).await, Money::ZERO);
    assert_eq!(world.balance(&player).await, Money::from_shillings(320));
    let history = world.history(&player).await;
    let [line] = history.as_slice() else { panic!("{history:?}") };
    assert_eq!(line.direction(), Direction::Credit);
    assert_eq!(line.transaction_desc(), TransactionDesc::TopupWallet);

    let told = eventually("the notification", || async {
        let mut stored = world.notifications.stored();
        stored.retain(|one| one.player_id == player.id.to_string());
        stored.pop()
    })
    .await;
    assert_eq!(told.kind(), NotificationKind::MoneyReturned);
    assert_eq!(told.params["amount"], "KES 320.00");

    // Money that comes in later stays: an account is emptied once.
    world.give(&former, 100).await;
    world.move_money(&former, &player).await.unwrap();
    assert_eq!(world.balance(&former).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn an_erased_account_without_money_moves_nothing() {
    let world = World::new().await;
    let (former, player) = (world.player(), world.player());
    world.move_money(&former, &player).await.unwrap();
    assert!(world.history(&player).await.is_empty());
    let refused = world.move_money(&player, &player).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    world.finish().await;
}

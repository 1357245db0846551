//! What svc-wallet stores about a player, for the player's copy.

use crate::world::{PHONE, World};

#[tokio::test]
async fn a_players_payments_are_listed_without_those_of_others() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 250).await;
    let other = world.player();
    world.give(&other, 100).await;

    let data = world.data_of(&player).await;
    let sections: Vec<&str> = data.keys().map(String::as_str).collect();
    assert_eq!(sections, ["movements", "payments", "wallet"]);
    let [payment] = data["payments"].as_slice() else { panic!("{data:?}") };
    assert_eq!(payment["state"], "SUCCEEDED");
    assert_eq!(payment["amount_kes"], "250.00");
    assert!(payment["phone"].as_str().unwrap().ends_with(&PHONE[PHONE.len() - 9..]));
    assert_eq!(data["movements"][0]["balance_kes"], "250.00");
    assert_eq!(data["wallet"][0]["balance_kes"], "250.00");
    world.finish().await;
}

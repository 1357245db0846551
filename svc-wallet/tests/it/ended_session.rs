//! A token outlives its session by its signature; here it does not.

use proto::wallet::v1::GetBalanceRequest;
use testkit::eventually;
use tonic::Code;

use crate::world::{World, bearing};

#[tokio::test]
async fn the_token_of_an_ended_session_moves_nothing_while_others_go_on() {
    let world = World::new().await;
    let here = world.tokens.claims(world.player().id);
    let elsewhere = world.tokens.claims(here.sub);
    let (signed_out, kept) = (world.tokens.sign(&here), world.tokens.sign(&elsewhere));
    let balance = async |token: &str| {
        world.client().get_balance(bearing(token, GetBalanceRequest {})).await.map(drop)
    };
    // Judged once, and so remembered: the memory must not outlive the session either.
    balance(&signed_out).await.unwrap();

    world.tokens.end(&here);
    let refused =
        eventually("the sign-out is heard", || async { balance(&signed_out).await.err() }).await;

    assert_eq!(refused.code(), Code::Unauthenticated);
    balance(&kept).await.unwrap();
    world.finish().await;
}

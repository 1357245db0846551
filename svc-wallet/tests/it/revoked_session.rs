//! Tokens of revoked sessions.

use proto::wallet::v1::GetBalanceRequest;
use testkit::eventually;
use tonic::Code;

use crate::world::{World, bearing};

#[tokio::test]
async fn refuses_the_token_of_a_revoked_session_and_no_other() {
    let world = World::new().await;
    let here = world.tokens.claims(world.player().id);
    let elsewhere = world.tokens.claims(here.sub);
    let (revoked, valid) = (world.tokens.sign(&here), world.tokens.sign(&elsewhere));
    let balance = async |token: &str| {
        world.client().get_balance(bearing(token, GetBalanceRequest {})).await.map(drop)
    };
    // The first call puts the token into the token cache, which must not outlive the session.
    balance(&revoked).await.unwrap();

    world.tokens.revoke(&here);
    let refused =
        eventually("the session is revoked", || async { balance(&revoked).await.err() }).await;

    assert_eq!(refused.code(), Code::Unauthenticated);
    balance(&valid).await.unwrap();
    world.finish().await;
}

//! A house that is full.

use gateway::config::CrowdArgs;

use crate::world::{World, read};

#[tokio::test]
async fn a_full_house_answers_probes_and_tells_everybody_else() {
    let world = World::with(|args| {
        args.crowd = CrowdArgs { connections: 0, connections_per_address: 1 };
    })
    .await;
    assert_eq!(read(world.get("/healthz")).await.status, 200);
    assert_eq!(read(world.get("/readyz")).await.payload()["wallet"], true);
    for path in ["/", "/api/games/list"] {
        assert_eq!(read(world.get(path)).await.refusal(), (503, "UNAVAILABLE".into()), "{path}");
    }
}

//! Attacks on live runs, through the gateway: a script that knows the rules tries to see its course
//! before it plays it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use journeys::{Mesh, Operator, Player, Reply};
use serde_json::{Value, json};

/// A live run whose pieces last ten seconds.
struct LiveRun {
    session: Value,
    seeds: Vec<Value>,
}

impl LiveRun {
    async fn begin(player: &Player, game: &str) -> Self {
        let session = player.post(&format!("/games/{game}/sessions"), &json!({})).await.ok();
        let session = session["session"].clone();
        let run = player.post("/runs", &json!({"session": session})).await.ok();
        let next = run["nextSeeds"].as_array().unwrap();
        Self { session, seeds: [&[run["seed"].clone()], next.as_slice()].concat() }
    }

    async fn commit(&self, mesh: &Mesh, index: u32, steps: u8) -> Reply {
        let inputs = STANDARD.encode([steps, 1]);
        let piece = json!({"session": self.session, "index": index, "inputs": inputs});
        mesh.post("/runs/pieces", &piece).await
    }

    async fn submit(&self, mesh: &Mesh, steps: u8) -> Reply {
        let inputs = STANDARD.encode([steps, 1]);
        let run = json!({"session": self.session, "inputs": inputs, "points": 0});
        mesh.post("/scores", &run).await
    }
}

#[tokio::test]
async fn a_script_cannot_see_its_course_before_it_plays_it() {
    let mesh = Mesh::from_env();
    let name = format!("s-{}", mesh.unique_id());
    let game = Operator::of(&mesh).apply_slow_game(&name).await;
    let player = mesh.new_player().await;
    let run = LiveRun::begin(&player, &game).await;
    assert_eq!(run.seeds.len(), 2, "of the piece that is played, and of the next one");

    let early = run.commit(&mesh, 0, 10).await;
    assert_eq!(early.refusal(), (422, "PIECE_TOO_EARLY"));
    let skipped = run.commit(&mesh, 1, 10).await;
    assert_eq!(skipped.refusal(), (400, "INVALID_PIECE"));
    let long = run.commit(&mesh, 0, 20).await;
    assert_eq!(long.refusal(), (400, "INVALID_PIECE"));

    // The refused calls have given nothing.
    let again = player.post("/runs", &json!({"session": run.session})).await.ok();
    assert_eq!((&again["nextSeeds"], &again["inputs"]), (&json!([run.seeds[1]]), &json!("")));
    let beyond = run.submit(&mesh, 30).await;
    assert_eq!(beyond.refusal(), (422, "SCORE_REFUSED"));
}

#[tokio::test]
async fn a_rehearsal_on_a_second_account_shows_another_course() {
    let mesh = Mesh::from_env();
    let name = format!("s-{}", mesh.unique_id());
    let game = Operator::of(&mesh).apply_slow_game(&name).await;
    let (first, second) = (mesh.new_player().await, mesh.new_player().await);
    let rehearsed = LiveRun::begin(&first, &game).await;
    let run = LiveRun::begin(&second, &game).await;
    assert!(run.seeds.iter().all(|seed| !rehearsed.seeds.contains(seed)));
}

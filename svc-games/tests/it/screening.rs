//! The screening of how winning runs were played.

use proto::games::v1::{RunDoubt, ScreenRunsRequest};

use crate::harness::{Service, gain};

/// The exports of a game in which each tick is an answer. The answers of a player without points are as
/// exact as a machine's, and those of another one differ by some ticks.
const ANSWERS: &str = r#"
  (func (export "answered_kind") (result i32) i32.const 1)
  (func (export "answered_ticks") (result i32)
    (i32.mul (i32.gt_s (global.get $points) (i32.const 0))
      (i32.rem_u (i32.mul (global.get $tick) (global.get $tick)) (i32.const 7))))"#;

#[tokio::test]
async fn a_run_with_exact_presses_is_in_doubt_and_one_of_a_person_is_not() {
    let service = Service::start().await;
    let counter = include_str!("counter.wat").replace("(i32.const 10)", "(i32.const 60)");
    let rules = wat::parse_str(counter.replacen("(module", &format!("(module{ANSWERS}"), 1));
    let game = service.apply_rules("answers", rules.unwrap()).await;
    let tournament = service.board.open(&game, |_| {});
    let mut player_ids = Vec::new();
    for input in [0, 1] {
        let (player, token) = service.tokens.player();
        let run = service.enter(&token, &game, &tournament).await.unwrap();
        let points = 60 * i32::from(input) * gain(run.seed);
        service.submit(&run.session, &[60, input], points).await.unwrap();
        player_ids.push(player.to_string());
    }

    let request = ScreenRunsRequest { tournament_id: tournament, player_ids: player_ids.clone() };
    let doubts = service.runs.clone().screen_runs(request).await.unwrap().into_inner().doubts;

    let text = "most presses differ by 0 ms from each other; those of a person differ by 15 ms or \
                more";
    assert_eq!(doubts, [RunDoubt { player_id: player_ids.remove(0), text: text.to_owned() }]);
}

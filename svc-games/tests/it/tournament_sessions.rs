//! Sessions in tournaments: the round's seed and level, and a limited number of runs.

use std::time::Duration;

use proto::{
    games::v1::{GameManifest, Trust},
    timestamp,
};
use tonic::Code;

use crate::harness::{
    BegunRun, Service, counter, gain, long_counter, manifest, reason, refusal, sha256,
};

#[tokio::test]
async fn a_session_has_seed_and_level_of_the_round_for_every_player() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |round| (round.seed, round.level) = (-7, 5));
    for runs_left in [3, 2] {
        for _ in 0..2 {
            let (_, token) = service.tokens.player();
            if runs_left == 2 {
                service.enter(&token, &game, &tournament).await.unwrap();
            }
            let run = service.enter(&token, &game, &tournament).await.unwrap();
            assert_eq!((run.seed, run.level), (-7, 5));
            assert_eq!(run.started.runs_left, Some(runs_left), "this run included");
        }
    }
}

#[tokio::test]
async fn the_rules_of_a_tournament_are_those_that_it_was_published_with() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let hash = hex::decode(sha256(&counter())).unwrap();
    let tournament = service.board.open(&game, |tournament| tournament.rules = hash);
    let of_its_game = service.board.open(&game, |_| {});
    let (_, token) = service.tokens.player();
    let rules = |run: &BegunRun| run.started.rules.clone().unwrap().sha256;
    let first = service.enter(&token, &game, &tournament).await.unwrap();
    assert_eq!(rules(&first), sha256(&counter()));

    service.apply_long_counter("counter").await;
    let second = service.enter(&token, &game, &tournament).await.unwrap();
    assert_eq!(rules(&second), rules(&first));
    // The run is replayed by these rules, too: ten ticks end it.
    let score = service.submit(&second.session, &[10, 0], 0).await.unwrap();
    assert_eq!(score.trust(), Trust::Proven);
    let other = service.enter(&token, &game, &of_its_game).await.unwrap();
    assert_eq!(rules(&other), sha256(&long_counter()));
    let alone = service.start_run(&token, &game, 1).await.unwrap();
    assert_eq!(rules(&alone), sha256(&long_counter()));

    // A game that loses its rules can be played on in the tournament, and in no other one.
    let claimed = GameManifest { rules_sha256: String::new(), ..manifest("counter") };
    service.apply_game(claimed, Vec::new()).await;
    let third = service.enter(&token, &game, &tournament).await.unwrap();
    assert_eq!(rules(&third), rules(&first));
    let refused = service.enter(&token, &game, &of_its_game).await.unwrap_err();
    assert_eq!(reason(&refused), "GAME_NOT_PLAYABLE");
}

#[tokio::test]
async fn outside_a_tournament_runs_are_not_counted() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 1).await.unwrap();
    assert_eq!(started.started.runs_left, None);
    assert_eq!(service.count("SELECT count(*) FROM tournament_runs").await, 0);
}

#[tokio::test]
async fn a_session_ends_with_the_grace_of_its_tournament() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let ends = service.clock.now() + Duration::from_mins(2);
    let tournament = service.board.open(&game, |round| round.ends = ends);
    let (_, token) = service.tokens.player();
    let in_time = service.enter(&token, &game, &tournament).await.unwrap();
    let late = service.enter(&token, &game, &tournament).await.unwrap();
    assert_eq!(in_time.started.expires_at, Some(timestamp(ends + Duration::from_secs(40))));

    service.clock.advance(Duration::from_secs(159));
    service.submit(&in_time.session, &[10, 0], 0).await.unwrap();
    service.clock.advance(Duration::from_secs(1));

    let refused = service.submit(&late.session, &[10, 0], 0).await.unwrap_err();
    assert_eq!(reason(&refused), "SESSION_EXPIRED");
}

#[tokio::test]
async fn of_twenty_runs_at_once_three_begin() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (_, token) = service.tokens.player();
    let mut calls = tokio::task::JoinSet::new();
    for call in 0..20 {
        let replica = if call % 2 == 0 { &service } else { &other };
        let enter = replica.play.clone();
        let (token, game, tournament) = (token.clone(), game.clone(), tournament.clone());
        calls.spawn(async move { crate::harness::enter(enter, &token, &game, &tournament).await });
    }
    let mut begun = Vec::new();
    while let Some(call) = calls.join_next().await {
        match call.unwrap() {
            Ok(run) => begun.push(run.session),
            Err(refused) => assert_eq!(
                (refused.code(), reason(&refused).as_str()),
                (Code::FailedPrecondition, "NO_RUNS_LEFT")
            ),
        }
    }
    assert_eq!(begun.len(), 3);
    let counted = "SELECT count(*) FROM play_session WHERE begun_at IS NOT NULL";
    assert_eq!(service.count(counted).await, 3);
    assert_eq!(service.runs_left(&token, &tournament).await.unwrap().runs_left, 0);

    service.board.change(&tournament, |round| round.round = 1);
    let next = service.enter(&token, &game, &tournament).await.unwrap();
    assert_eq!(next.started.runs_left, Some(3), "each round has its own");
    assert_eq!(service.runs_left(&token, &tournament).await.unwrap().runs_left, 2);
}

#[tokio::test]
async fn a_session_that_is_opened_and_left_costs_no_run() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (_, token) = service.tokens.player();
    for _ in 0..5 {
        let opened = service.open(&token, &game, &tournament).await.unwrap();
        assert_eq!(opened.runs_left, Some(3));
    }
    assert_eq!(service.runs_left(&token, &tournament).await.unwrap().runs_left, 3);
    assert_eq!(service.open_runs(&tournament).await, 0, "no settlement waits for them");
}

#[tokio::test]
async fn a_player_without_a_run_left_goes_on_with_the_open_one() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |round| round.runs_per_round = 1);
    let (_, token) = service.tokens.player();
    let left = service.runs_left(&token, &tournament).await.unwrap();
    assert_eq!((left.runs_left, left.has_open_run, left.round), (1, false, 0));

    let run = service.enter(&token, &game, &tournament).await.unwrap();

    let left = service.runs_left(&token, &tournament).await.unwrap();
    assert_eq!((left.runs_left, left.has_open_run), (0, true));
    // The page needs another ticket to come back to the run, but begins no run with it.
    let ticket = service.open(&token, &game, &tournament).await.unwrap();
    let refused = service.begin(&ticket.session).await.unwrap_err();
    assert_eq!(reason(&refused), "NO_RUNS_LEFT");
    service.submit(&run.session, &[10, 0], 0).await.unwrap();
    let left = service.runs_left(&token, &tournament).await.unwrap();
    assert!(!left.has_open_run);
    let refused = service.open(&token, &game, &tournament).await.unwrap_err();
    assert_eq!(reason(&refused), "NO_RUNS_LEFT");
}

#[tokio::test]
async fn a_run_begins_once_for_a_page_that_asks_again() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (_, token) = service.tokens.player();
    let opened = service.open(&token, &game, &tournament).await.unwrap();

    let (one, two) = tokio::join!(service.begin(&opened.session), other.begin(&opened.session));
    service.clock.advance(Duration::from_secs(5));
    let again = service.begin(&opened.session).await.unwrap();

    let one = one.unwrap();
    assert_eq!((two.unwrap(), again), (one.clone(), one));
    assert_eq!(service.runs_left(&token, &tournament).await.unwrap().runs_left, 2);
    assert_eq!(service.open_runs(&tournament).await, 1);
    service.submit(&opened.session, &[10, 0], 0).await.unwrap();
    let refused = service.begin(&opened.session).await.unwrap_err();
    assert_eq!(reason(&refused), "SESSION_USED");
}

#[tokio::test]
async fn a_run_is_of_the_round_in_which_it_begins() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let ends = service.clock.now() + Duration::from_hours(1);
    let tournament =
        service.board.open(&game, |round| (round.seed, round.level, round.ends) = (4, 1, ends));
    let (_, token) = service.tokens.player();
    let opened = service.open(&token, &game, &tournament).await.unwrap();
    service.board.change(&tournament, |round| (round.round, round.seed, round.level) = (1, 3, 2));

    let begun = service.begin(&opened.session).await.unwrap();

    assert_eq!((begun.seed, begun.level), (3, 2));
    let counted = "SELECT count(*) FROM tournament_runs WHERE round = 1 AND runs = 1";
    assert_eq!(service.count(counted).await, 1);
    service.submit(&opened.session, &[10, 1], 20).await.unwrap();
    let late = service.open(&token, &game, &tournament).await.unwrap();
    service.board.change(&tournament, |round| round.ends = round.starts);
    let refused = service.begin(&late.session).await.unwrap_err();
    assert_eq!(reason(&refused), "TOURNAMENT_NOT_ON");
}

#[tokio::test]
async fn a_run_that_has_not_begun_takes_no_score() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (_, token) = service.tokens.player();
    let opened = service.open(&token, &game, &tournament).await.unwrap();
    let refused = service.submit(&opened.session, &[10, 0], 0).await.unwrap_err();
    assert_eq!(reason(&refused), "RUN_NOT_BEGUN");
    for session in ["", &"A".repeat(43)] {
        let refused = service.begin(session).await.unwrap_err();
        assert_eq!(reason(&refused), "SESSION_NOT_FOUND", "{session}");
    }
    service.clock.advance(Duration::from_hours(2));
    let refused = service.begin(&opened.session).await.unwrap_err();
    assert_eq!(reason(&refused), "SESSION_EXPIRED");
}

#[tokio::test]
async fn sessions_need_a_tournament_of_the_game_that_is_on() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let other = service.apply_counter("other").await;
    let tournament = service.board.open(&game, |_| {});
    let later = service.board.open(&game, |round| round.starts += Duration::from_mins(1));
    let over = service.board.open(&game, |round| round.ends = round.starts);
    let none = service.board.open(&game, |round| round.runs_per_round = 0);
    let claimed = service.apply_game(manifest("claimed"), Vec::new()).await;
    let friendly = service.board.open(&claimed, |_| {});
    let unknown = "018f0000-0000-7000-8000-000000000000";
    let (_, token) = service.tokens.player();
    for (game, tournament, expected) in [
        (&game, unknown, "TOURNAMENT_NOT_FOUND"),
        (&game, "a tournament", "TOURNAMENT_NOT_FOUND"),
        (&other, &tournament, "TOURNAMENT_NOT_FOUND"),
        (&game, &later, "TOURNAMENT_NOT_ON"),
        (&game, &over, "TOURNAMENT_NOT_ON"),
        (&game, &none, "NO_RUNS_LEFT"),
        (&claimed, &friendly, "GAME_NOT_PLAYABLE"),
    ] {
        let refused = service.enter(&token, game, tournament).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{game} {tournament}");
    }
    service.board.set_away(true);
    let refused = service.enter(&token, &game, &tournament).await.unwrap_err();
    assert_eq!((refused.code(), reason(&refused).as_str()), (Code::Unavailable, "UNAVAILABLE"));
    assert_eq!(service.count("SELECT count(*) FROM play_session").await, 0);
    assert_eq!(service.count("SELECT count(*) FROM tournament_runs").await, 0);

    service.start_run(&token, &game, 0).await.expect("games are played without it");
}

#[tokio::test]
async fn a_run_of_one_tournament_reaches_no_other() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let rich = service.board.open(&game, |round| round.seed = 3);
    let poor = service.board.open(&game, |round| round.seed = 4);
    let (player, token) = service.tokens.player();
    let in_rich = service.enter(&token, &game, &rich).await.unwrap();
    let in_poor = service.enter(&token, &game, &poor).await.unwrap();
    let friendly = service.start_run(&token, &game, 0).await.unwrap();

    // Inputs that score 20 over the seed of one tournament score 10 over the other's.
    let refused = service.submit(&in_poor.session, &[10, 1], 20).await.unwrap_err();
    assert_eq!(refusal(&refused), "OTHER_POINTS");
    // A friendly run reaches no board, whatever its points.
    let points = 10 * gain(friendly.seed);
    service.submit(&friendly.session, &[10, 1], points).await.unwrap();
    assert!(service.board.recorded().is_empty());
    service.submit(&in_rich.session, &[10, 1], 20).await.unwrap();

    let recorded = service.board.recorded();
    let [score] = recorded.as_slice() else { panic!("{recorded:?}") };
    assert_eq!((&score.tournament_id, &score.player_id), (&rich, &player.to_string()));
    // The ticket has the id of one session and the secret of the other.
    let spent = service.enter(&token, &game, &poor).await.unwrap();
    let mixed = format!("{}{}", &in_rich.session[..22], &spent.session[22..]);
    let refused = service.submit(&mixed, &[10, 1], 20).await.unwrap_err();
    assert_eq!(reason(&refused), "SESSION_NOT_FOUND");
}

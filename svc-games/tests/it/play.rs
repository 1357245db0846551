//! Playing: from the start of a session to its proven score.

use std::time::Duration;

use proto::games::v1::{ListRecentGamesRequest, Trust};
use tonic::Code;

use crate::harness::{Service, gain, reason, refusal, signed};

/// Ten ticks without an input.
const IDLE: &[u8] = &[10, 0];
/// Ten ticks, each with input 1.
const BEST: &[u8] = &[10, 1];

#[tokio::test]
async fn a_run_is_proven_by_its_replay() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 3).await.unwrap();
    assert_eq!((started.level, started.started.game_url.as_str()), (3, "/play/counter/"));
    let rules = started.started.rules.unwrap();
    assert_eq!(rules.url, format!("/play/counter/rules.wasm?{}", rules.sha256));

    let points = 10 * gain(started.seed);
    let score = service.submit(&started.session, BEST, points).await.unwrap();

    assert_eq!((score.points, score.best, score.trust()), (points, points, Trust::Proven));
}

#[tokio::test]
async fn the_best_run_of_a_player_is_kept_with_its_inputs() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let mut best = 0;
    for inputs in [[4, 1, 6, 0], [9, 1, 1, 0], [2, 1, 8, 0]] {
        let started = service.start_run(&token, &game, 0).await.unwrap();
        let points = i32::from(inputs[0]) * gain(started.seed);
        best = best.max(points);
        let score = service.submit(&started.session, &inputs, points).await.unwrap();
        assert_eq!((score.points, score.best), (points, best));
    }
    assert_eq!(
        service.count("SELECT count(*) FROM best_run WHERE octet_length(inputs) = 4").await,
        1
    );
}

#[tokio::test]
async fn the_same_submission_gets_the_first_reply_from_any_replica() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 0).await.unwrap();
    let points = 10 * gain(started.seed);

    let (one, two, three) = tokio::join!(
        service.submit(&started.session, BEST, points),
        other.submit(&started.session, BEST, points),
        service.submit(&started.session, BEST, points),
    );

    let one = one.unwrap();
    assert_eq!((two.unwrap(), three.unwrap()), (one, one));
    let refused = other.submit(&started.session, IDLE, 0).await.unwrap_err();
    assert_eq!((refused.code(), reason(&refused).as_str()), (Code::AlreadyExists, "SESSION_USED"));
}

#[tokio::test]
async fn a_claim_without_outcome_is_continued_by_the_same_submission() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 0).await.unwrap();
    let points = 10 * gain(started.seed);
    let first = service.submit(&started.session, BEST, points).await.unwrap();
    // Simulates a process that died between claim and outcome.
    let forget = "UPDATE play_session SET points = NULL, trust = NULL";
    sqlx::query(forget).execute(&service.database.pool).await.unwrap();
    sqlx::query("DELETE FROM best_run").execute(&service.database.pool).await.unwrap();

    let other = service.submit(&started.session, IDLE, 0).await.unwrap_err();
    let again = service.submit(&started.session, BEST, points).await.unwrap();

    assert_eq!(reason(&other), "SESSION_USED");
    assert_eq!(again, first);
}

#[tokio::test]
async fn a_refused_run_is_refused_again() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 0).await.unwrap();
    for _ in 0..2 {
        let refused = service.submit(&started.session, IDLE, 1).await.unwrap_err();
        assert_eq!(
            (refused.code(), refusal(&refused).as_str()),
            (Code::FailedPrecondition, "OTHER_POINTS")
        );
    }
    assert_eq!(service.count("SELECT count(*) FROM best_run").await, 0);
}

#[tokio::test]
async fn an_expired_session_takes_no_run_but_repeats_its_reply() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let used = service.start_run(&token, &game, 0).await.unwrap();
    let first = service.submit(&used.session, IDLE, 0).await.unwrap();
    let unused = service.start_run(&token, &game, 0).await.unwrap();

    service.clock.advance(Duration::from_hours(2));

    let refused = service.submit(&unused.session, IDLE, 0).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::FailedPrecondition, "SESSION_EXPIRED")
    );
    assert_eq!(service.submit(&used.session, IDLE, 0).await.unwrap(), first);
}

#[tokio::test]
async fn sessions_need_a_playable_game_a_level_and_a_player() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let unknown = "018f0000-0000-7000-8000-000000000000";
    for (token, game, level, expected) in [
        (token.as_str(), unknown, 0, "GAME_NOT_FOUND"),
        (&token, "counter", 0, "GAME_NOT_FOUND"),
        (&token, &game, 16, "INVALID_LEVEL"),
        (&token, &game, u32::MAX, "INVALID_LEVEL"),
        ("", &game, 0, "UNAUTHENTICATED"),
    ] {
        let refused = service.start_run(token, game, level).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{game} {level}");
    }
    assert_eq!(service.count("SELECT count(*) FROM play_session").await, 0);
}

#[tokio::test]
async fn played_games_are_listed_last_played_first() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    for key in ["first", "second", "third"] {
        let game = service.apply_counter(key).await;
        service.start_run(&token, &game, 0).await.unwrap();
        service.clock.advance(Duration::from_mins(1));
    }
    let again = service.apply_counter("first").await;
    service.start_run(&token, &again, 0).await.unwrap();

    let request = signed(&token, ListRecentGamesRequest {});
    let games = service.client.list_recent_games(request).await.unwrap().into_inner().games;

    let names: Vec<_> = games.iter().map(|game| game.name.as_str()).collect();
    assert_eq!(names, ["first", "third", "second"]);
    let (_, other) = service.tokens.player();
    let request = signed(&other, ListRecentGamesRequest {});
    assert!(service.client.list_recent_games(request).await.unwrap().into_inner().games.is_empty());
}

#[tokio::test]
async fn the_players_of_a_game_are_listed_by_when_they_played_it_last() {
    let service = Service::start().await;
    let begun = service.clock.now();
    let (game, other) =
        (service.apply_counter("counter").await, service.apply_counter("other").await);
    let mut players: Vec<_> = (0..3).map(|_| service.tokens.player()).collect();
    players.sort_unstable_by_key(|(id, _)| *id);
    for (_, token) in &players {
        service.start_run(token, &game, 0).await.unwrap();
        service.start_run(token, &other, 0).await.unwrap();
        service.clock.advance(Duration::from_mins(1));
    }
    // The first player plays once more.
    service.start_run(&players[0].1, &game, 0).await.unwrap();

    let minutes = |count: u64| begun + Duration::from_mins(count);
    let ids = |of: &[usize]| of.iter().map(|one| players[*one].0.to_string()).collect::<Vec<_>>();
    let all = minutes(0)..minutes(60);
    for (span, expected) in [
        (all.clone(), ids(&[0, 1, 2])),
        (minutes(0)..minutes(3), ids(&[1, 2])),
        (minutes(2)..minutes(3), ids(&[2])),
        (minutes(4)..minutes(60), ids(&[])),
    ] {
        let listed = service.players_of(&game, span.clone(), None, 1_000).await.unwrap();
        assert_eq!(listed, expected, "{span:?}");
    }
    assert_eq!(service.players_of(&game, all.clone(), None, 2).await.unwrap(), ids(&[0, 1]));
    let after = Some(&players[1].0);
    assert_eq!(service.players_of(&game, all.clone(), after, 2).await.unwrap(), ids(&[2]));

    for (game, page_size, expected) in [
        ("counter", 1, "GAME_NOT_FOUND"),
        (&game, 0, "INVALID_ARGUMENT"),
        (&game, 1_001, "INVALID_ARGUMENT"),
    ] {
        let refused = service.players_of(game, all.clone(), None, page_size).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{game} {page_size}");
    }
}

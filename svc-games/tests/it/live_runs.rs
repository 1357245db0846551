//! Live runs: a page learns the seed of a piece only after it has committed the one before the last.

use std::time::Duration;

use proto::games::v1::{GetTournamentRunRequest, ListTournamentRunsRequest, Trust};
use tonic::Code;

use crate::harness::{BegunRun, Service, gain, reason, refusal, signed};

/// A live run of a tournament, and the seeds that its page knows.
struct LiveRun {
    service: Service,
    tournament: String,
    player: String,
    token: String,
    session: String,
    seeds: Vec<i64>,
}

impl LiveRun {
    async fn begin() -> Self {
        let service = Service::start().await;
        let game = service.apply_live_counter("counter").await;
        let tournament = service.board.open(&game, |_| {});
        let (player, token) = service.tokens.player();
        let BegunRun { session, seed, .. } =
            service.enter(&token, &game, &tournament).await.unwrap();
        let begun = service.begin(&session).await.unwrap();
        let seeds = [vec![seed], begun.next_seeds].concat();
        Self { service, tournament, player: player.to_string(), token, session, seeds }
    }

    /// Commits a piece once its ten seconds are over.
    async fn play(&mut self, index: u32, inputs: &[u8]) {
        self.wait(10);
        let seed = self.service.commit(&self.session, index, inputs).await.unwrap();
        self.seeds.push(seed);
    }

    fn wait(&self, seconds: u64) {
        self.service.clock.advance(Duration::from_secs(seconds));
    }

    async fn refusal(&self, index: u32, inputs: &[u8]) -> String {
        reason(&self.service.commit(&self.session, index, inputs).await.unwrap_err())
    }
}

#[tokio::test]
async fn the_points_of_a_live_run_follow_from_the_seeds_of_its_pieces() {
    let mut run = LiveRun::begin().await;
    assert_eq!(run.seeds.len(), 2, "of the piece that is played, and of the next one");
    run.play(0, &[10, 1]).await;
    run.wait(10);
    let points = 10 * gain(run.seeds[0]) + 10 * gain(run.seeds[1]);

    let score = run.service.submit(&run.session, &[20, 1], points).await.unwrap();

    assert_eq!((score.points, score.trust()), (points, Trust::Proven));
    let (tournament_id, player_id) = (run.tournament.clone(), run.player.clone());
    let request = GetTournamentRunRequest { tournament_id, player_id };
    let watched = run.service.play.clone().get_tournament_run(signed(&run.token, request)).await;
    let watched = watched.unwrap().into_inner().run.unwrap();
    assert_eq!((watched.seed, watched.next_seeds), (run.seeds[0], vec![run.seeds[1]]));
    let request = ListTournamentRunsRequest {
        tournament_id: run.tournament.clone(),
        player_ids: vec![run.player.clone()],
    };
    let proven = run.service.runs.clone().list_tournament_runs(request).await.unwrap();
    let proven = &proven.into_inner().runs[0];
    assert_eq!((proven.seed, &proven.next_seeds), (run.seeds[0], &vec![run.seeds[1]]));
    assert!(!proven.session_id.is_empty());
}

#[tokio::test]
async fn each_run_has_seeds_of_its_own() {
    let run = LiveRun::begin().await;
    let service = &run.service;
    let game = service.apply_live_counter("counter").await;
    let (_, other) = service.tokens.player();
    let second = service.enter(&other, &game, &run.tournament).await.unwrap();
    assert_ne!(second.seed, run.seeds[0], "a rehearsal on another account shows nothing");
    let friendly = service.start_run(&other, &game, 0).await.unwrap();
    assert_ne!(friendly.seed, second.seed);
}

#[tokio::test]
async fn a_run_cannot_be_played_again_with_what_it_has_shown() {
    let mut run = LiveRun::begin().await;
    run.play(0, &[10, 0]).await;
    let repeat = run.service.commit(&run.session, 0, &[10, 0]).await.unwrap();
    assert_eq!(repeat, run.seeds[2], "a repeat gets the first reply");
    assert_eq!(run.refusal(0, &[10, 1]).await, "PIECE_TAKEN");
    // The whole run is submitted with other inputs than those that were committed.
    run.wait(10);
    let points = 10 * gain(run.seeds[0]) + 10 * gain(run.seeds[1]);
    let other = run.service.submit(&run.session, &[20, 1], points).await.unwrap_err();
    assert_eq!(refusal(&other), "OTHER_INPUTS");
    assert_eq!(run.refusal(1, &[10, 1]).await, "SESSION_USED");
}

#[tokio::test]
async fn two_calls_at_once_commit_one_piece() {
    let run = LiveRun::begin().await;
    run.wait(10);
    let (one, other) = tokio::join!(
        run.service.commit(&run.session, 0, &[10, 0]),
        run.service.commit(&run.session, 0, &[10, 1])
    );
    let refused = match (one, other) {
        (Ok(_), Err(refused)) | (Err(refused), Ok(_)) => refused,
        both => panic!("{both:?}"),
    };
    assert_eq!((refused.code(), reason(&refused)), (Code::AlreadyExists, "PIECE_TAKEN".to_owned()));
}

#[tokio::test]
async fn a_piece_comes_in_order_and_in_its_time() {
    let run = LiveRun::begin().await;
    assert_eq!(run.refusal(0, &[10, 0]).await, "PIECE_TOO_EARLY");
    run.wait(10);
    assert_eq!(run.refusal(1, &[10, 0]).await, "INVALID_PIECE", "the first one is missing");
    assert_eq!(run.refusal(0, &[9, 0]).await, "INVALID_PIECE", "ten steps are a piece");
    assert_eq!(run.refusal(0, &[10]).await, "INVALID_INPUTS");
    let steps = run.service.submit(&run.session, &[20, 0], 0).await.unwrap_err();
    assert_eq!(refusal(&steps), "FASTER_THAN_TIME");
}

#[tokio::test]
async fn of_a_run_that_rested_too_long_the_committed_pieces_count() {
    let mut run = LiveRun::begin().await;
    run.play(0, &[10, 1]).await;
    run.wait(131);
    assert_eq!(run.refusal(1, &[10, 1]).await, "RUN_TOO_LATE");
    let committed = 10 * gain(run.seeds[0]);
    let whole = committed + 10 * gain(run.seeds[1]);

    let score = run.service.submit(&run.session, &[20, 1], whole).await.unwrap();

    assert_eq!((score.points, score.best, score.trust()), (committed, committed, Trust::Proven));
    let again = run.service.submit(&run.session, &[20, 1], whole).await.unwrap();
    assert_eq!(again.points, committed);
}

#[tokio::test]
async fn a_page_that_was_reloaded_goes_on_with_what_it_has_committed() {
    let mut run = LiveRun::begin().await;
    run.play(0, &[10, 1]).await;
    let begun = run.service.begin(&run.session).await.unwrap();
    assert_eq!([vec![begun.seed], begun.next_seeds].concat(), run.seeds);
    assert_eq!(begun.inputs, [10, 1]);
}

#[tokio::test]
async fn a_run_whose_page_missed_its_beginning_begins_again() {
    let mut run = LiveRun::begin().await;
    run.wait(600);
    assert_eq!(run.refusal(0, &[10, 1]).await, "RUN_TOO_LATE");
    let begun = run.service.begin(&run.session).await.unwrap();
    assert_eq!([vec![begun.seed], begun.next_seeds].concat(), run.seeds, "it is the same run");
    assert_eq!(run.refusal(0, &[10, 1]).await, "PIECE_TOO_EARLY");
    run.play(0, &[10, 1]).await;
    // A run that was played and left does not begin again.
    run.wait(600);
    run.service.begin(&run.session).await.unwrap();
    assert_eq!(run.refusal(1, &[10, 1]).await, "RUN_TOO_LATE");
}

#[tokio::test]
async fn a_run_without_pieces_commits_none() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (_, token) = service.tokens.player();
    let opened = service.start_run(&token, &game, 0).await.unwrap();
    service.clock.advance(Duration::from_secs(10));
    let refused = service.commit(&opened.session, 0, &[10, 0]).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_PIECE");
    let forged = service.commit("forged", 0, &[10, 0]).await.unwrap_err();
    assert_eq!(reason(&forged), "SESSION_NOT_FOUND");
}

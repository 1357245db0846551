//! Runs that operators decide on: inputs faster than thumbs can make, and copied inputs.

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use proto::{
    games::v1::{
        DecideHeldRunRequest, GetHeldRunRequest, GetHeldRunResponse, HeldRun, HoldReason,
        ListHeldRunsRequest, SubmitScoreResponse, Trust,
        run_admin_service_client::RunAdminServiceClient,
    },
    timestamp,
    types::v1::Change,
};
use testkit::eventually;
use tonic::{Code, Status};

use crate::harness::{BegunRun, Service, reason};

/// A tournament in a game of 200 ticks, whose seed scores two points a press.
struct Night {
    service: Service,
    game: String,
    tournament: String,
}

/// Returns the inputs and points of a run of 200 ticks with `count` presses of one tick each.
fn taps(count: u8) -> (Vec<u8>, i32) {
    let mut inputs = [1, 1, 1, 0].repeat(usize::from(count));
    let rest = 200 - u32::from(count) * 2;
    if rest > 0 {
        // More than 127 idle steps take a varint of two bytes.
        let low = u8::try_from(rest & 0x7f).unwrap();
        let bytes = if rest > 0x7f { vec![low | 0x80, 1, 0] } else { vec![low, 0] };
        inputs.extend(bytes);
    }
    (inputs, i32::from(count) * 2)
}

impl Night {
    async fn begin() -> Self {
        let service = Service::start().await;
        let game = service.apply_long_counter("counter").await;
        let tournament = service.board.open(&game, |round| round.runs_per_round = 100);
        Self { service, game, tournament }
    }

    async fn enter(&self, token: &str) -> BegunRun {
        self.service.enter(token, &self.game, &self.tournament).await.unwrap()
    }

    /// Plays a run of four seconds with these inputs and points.
    async fn play(&self, token: &str, (inputs, points): &(Vec<u8>, i32)) -> SubmitScoreResponse {
        let started = self.enter(token).await;
        self.service.clock.advance(Duration::from_secs(4));
        self.service.submit(&started.session, inputs, *points).await.unwrap()
    }

    async fn held(&self) -> Vec<HeldRun> {
        self.page(0, "").await.unwrap()
    }

    async fn page(&self, page_size: u32, after: &str) -> Result<Vec<HeldRun>, Status> {
        let request = ListHeldRunsRequest { page_size, after_session_id: after.to_owned() };
        Ok(self.service.run_admin.clone().list_held_runs(request).await?.into_inner().runs)
    }

    async fn get(&self, session: &str) -> Result<GetHeldRunResponse, Status> {
        let request = GetHeldRunRequest { session_id: session.to_owned() };
        Ok(self.service.run_admin.clone().get_held_run(request).await?.into_inner())
    }

    async fn decide(&self, session: &str, release: bool, reason: &str) -> Result<Change, Status> {
        self.decide_as("playonctl", session, release, reason).await
    }

    async fn decide_as(
        &self,
        operator: &str,
        session: &str,
        release: bool,
        reason: &str,
    ) -> Result<Change, Status> {
        let (session_id, reason) = (session.to_owned(), reason.to_owned());
        let request = DecideHeldRunRequest { session_id, release, reason };
        let mut client = RunAdminServiceClient::new(self.service.as_operator(operator));
        Ok(client.decide_held_run(request).await?.into_inner().change())
    }

    /// A run that is held; returns its session.
    async fn hold(&self) -> String {
        let (_, token) = self.service.tokens.player();
        let score = self.play(&token, &taps(100)).await;
        assert_eq!(score.trust(), Trust::Held);
        self.held().await.pop().unwrap().session_id
    }
}

#[tokio::test]
async fn a_copied_run_is_held_for_an_operator() {
    let night = Night::begin().await;
    let (_, first) = night.service.tokens.player();
    let (copier, second) = night.service.tokens.player();
    let run = taps(20);
    assert_eq!(night.play(&first, &run).await.trust(), Trust::Proven);
    assert_eq!(night.play(&first, &run).await.trust(), Trust::Proven, "one's own again");

    let score = night.play(&second, &run).await;

    assert_eq!((score.trust(), score.points, score.best, score.rank), (Trust::Held, 40, 0, None));
    let held = night.held().await;
    let [held] = held.as_slice() else { panic!("{held:?}") };
    assert_eq!(held.reason(), HoldReason::SameInputs);
    assert_eq!((&held.player_id, held.game_key.as_str()), (&copier.to_string(), "counter"));
    assert_eq!((&held.tournament_id, held.points), (&night.tournament, 40));
    assert_eq!((held.actions, held.elapsed_seconds), (20, 4));
    assert_eq!(held.submitted_at, Some(timestamp(night.service.clock.now())));
    let watch = night.get(&held.session_id).await.unwrap().watch.unwrap();
    assert_eq!((watch.inputs, watch.points), (run.0, 40));
    assert_eq!(night.service.open_runs(&night.tournament).await, 0, "no settlement waits for it");
    assert!(night.service.board.recorded().iter().all(|one| one.player_id != copier.to_string()));
}

#[tokio::test]
async fn another_encoding_of_copied_inputs_is_held_too() {
    let night = Night::begin().await;
    let (_, first) = night.service.tokens.player();
    let (_, second) = night.service.tokens.player();
    night.play(&first, &taps(20)).await;
    let (mut inputs, points) = taps(20);
    // The first press gets a longer varint, and the last pause is split in two.
    inputs.splice(0..1, [0x81, 0]);
    inputs.truncate(inputs.len() - 3);
    inputs.extend([100, 0, 60, 0]);

    let score = night.play(&second, &(inputs, points)).await;

    assert_eq!(score.trust(), Trust::Held);
}

#[tokio::test]
async fn runs_that_may_be_alike_by_chance_count() {
    let night = Night::begin().await;
    let (_, first) = night.service.tokens.player();
    let (_, second) = night.service.tokens.player();
    for token in [&first, &second] {
        assert_eq!(night.play(token, &taps(19)).await.trust(), Trust::Proven, "few actions");
    }
    night.play(&first, &taps(30)).await;
    night.service.board.change(&night.tournament, |round| round.round = 1);
    assert_eq!(night.play(&second, &taps(30)).await.trust(), Trust::Proven, "another round");
    // Outside tournaments each session has its own seed.
    let started = night.service.start_run(&second, &night.game, 0).await.unwrap();
    night.service.clock.advance(Duration::from_secs(4));
    let points = 20 * crate::harness::gain(started.seed);
    let score = night.service.submit(&started.session, &taps(20).0, points).await.unwrap();
    assert_eq!(score.trust(), Trust::Proven);
    assert!(night.held().await.is_empty());
}

#[tokio::test]
async fn of_copies_at_once_one_counts() {
    let night = Night::begin().await;
    let other = night.service.start_replica().await;
    let mut sessions = Vec::new();
    for _ in 0..6 {
        sessions.push(night.enter(&night.service.tokens.player().1).await.session);
    }
    night.service.clock.advance(Duration::from_secs(4));
    let (inputs, points) = taps(25);
    let submit = |index: usize| {
        let replica = if index.is_multiple_of(2) { &night.service } else { &other };
        replica.submit(&sessions[index], &inputs, points)
    };
    let scores = tokio::join!(submit(0), submit(1), submit(2), submit(3), submit(4), submit(5));
    let scores: [_; 6] = scores.into();
    let proven =
        scores.into_iter().filter(|score| score.as_ref().unwrap().trust() == Trust::Proven);
    assert_eq!(proven.count(), 1);
    assert_eq!(night.held().await.len(), 5);
}

#[tokio::test]
async fn a_released_run_counts_from_its_submission_on() {
    let night = Night::begin().await;
    let (player, token) = night.service.tokens.player();
    let started = night.enter(&token).await;
    let began_at = night.service.clock.now();
    night.service.clock.advance(Duration::from_secs(3));
    let submitted_at = night.service.clock.now();
    let (inputs, points) = taps(100);
    let score = night.service.submit(&started.session, &inputs, points).await.unwrap();
    assert_eq!((score.trust(), score.best), (Trust::Held, 0));
    let session = night.held().await.remove(0).session_id;
    night.service.clock.advance(Duration::from_hours(2));

    let change = night.decide(&session, true, "A drummer, seen on video.").await.unwrap();
    let again = night.decide(&session, true, "Again.").await.unwrap();

    assert_eq!((change, again), (Change::Updated, Change::Unchanged));
    eventually("the score is on the board", || async {
        night.service.board.recorded().into_iter().next()
    })
    .await;
    let recorded = night.service.board.recorded().remove(0);
    assert_eq!((recorded.player_id, recorded.points), (player.to_string(), points));
    assert_eq!(recorded.reached_at, Some(timestamp(submitted_at)));
    assert_eq!(recorded.began_at, Some(timestamp(began_at)));
    let released_at = Some(timestamp(night.service.clock.now()));
    assert_eq!(recorded.released_at, released_at, "it wins an award after the settlement");
    assert!(night.held().await.is_empty());
    let repeat = night.service.submit(&started.session, &inputs, points).await.unwrap();
    assert_eq!((repeat.trust(), repeat.best, repeat.rank), (Trust::Proven, points, Some(1)));
    let otherwise = night.decide(&session, false, "No.").await.unwrap_err();
    assert_eq!(
        (otherwise.code(), reason(&otherwise).as_str()),
        (Code::FailedPrecondition, "RUN_DECIDED")
    );
    let audit: (String, String, String) =
        sqlx::query_as("SELECT operator, decision, decision_reason FROM held_run")
            .fetch_one(&night.service.database.pool)
            .await
            .unwrap();
    let expected = ("playonctl", "Released", "A drummer, seen on video.");
    assert_eq!(audit, (expected.0.to_owned(), expected.1.to_owned(), expected.2.to_owned()));
}

#[tokio::test]
async fn where_much_cash_depends_on_a_game_two_operators_release_a_run() {
    let night = Night::begin().await;
    let session = night.hold().await;
    night.service.board.put_much_cash_at_stake();
    let proposed = |refused: Result<Change, Status>| {
        let refused = refused.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::FailedPrecondition, "NEEDS_SECOND_OPERATOR")
        );
    };

    proposed(night.decide_as("wanjiru", &session, true, "A drummer.").await);
    proposed(night.decide_as("Wanjiru", &session, true, "A drummer.").await);
    let held = night.held().await.pop().unwrap();
    assert_eq!(held.release_proposed_by, "wanjiru");
    assert_eq!(held.release_proposed_at, Some(timestamp(night.service.clock.now())));
    // A proposal expires after a week.
    night.service.clock.advance(Duration::from_hours(7 * 24));
    proposed(night.decide_as("otieno", &session, true, "A drummer.").await);
    night.service.clock.advance(Duration::from_hours(7 * 24) - Duration::from_secs(1));
    assert!(night.service.board.recorded().is_empty(), "no proposal counts");
    let released = night.decide_as("wanjiru", &session, true, "A drummer.").await.unwrap();

    assert_eq!(released, Change::Updated);
    assert!(night.held().await.is_empty());
    eventually("the score is on the board", || async { night.service.board.recorded().pop() })
        .await;
    let audit: (String, String) =
        sqlx::query_as("SELECT release_proposed_by, operator FROM held_run")
            .fetch_one(&night.service.database.pool)
            .await
            .unwrap();
    assert_eq!(audit, ("otieno".to_owned(), "wanjiru".to_owned()));
    let again = night.decide_as("wanjiru", &session, true, "A drummer.").await.unwrap();
    assert_eq!(again, Change::Unchanged);
}

#[tokio::test]
async fn one_operator_refuses_a_run_on_which_much_cash_depends_and_none_releases_it_unseen() {
    let night = Night::begin().await;
    let (refused, held) = (night.hold().await, night.hold().await);
    night.service.board.put_much_cash_at_stake();
    let change = night.decide_as("wanjiru", &refused, false, "A script.").await.unwrap();
    assert_eq!(change, Change::Updated);

    // Without svc-tournament it is not known whether cash depends on the game.
    night.service.board.set_away(true);
    let unknown = night.decide_as("wanjiru", &held, true, "A drummer.").await.unwrap_err();
    assert_eq!(unknown.code(), Code::Unavailable);
    assert_eq!(night.held().await.len(), 1);
}

#[tokio::test]
async fn a_run_that_operators_leave_for_a_day_is_an_alarm() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let night = Night::begin().await;
    let (decided, _) = (night.hold().await, night.hold().await);
    night.decide(&decided, false, "A script.").await.unwrap();
    night.service.clock.advance(Duration::from_hours(24) + Duration::from_secs(1));

    // The runs are counted when a replica starts.
    let _replica = night.service.start_replica().await;

    eventually("one run is overdue", || async {
        figures.render().contains("held_runs_overdue 1\n").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_refused_run_never_counts() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    let started = night.enter(&token).await;
    let (inputs, points) = taps(100);
    night.service.clock.advance(Duration::from_secs(3));
    night.service.submit(&started.session, &inputs, points).await.unwrap();
    let session = night.held().await.remove(0).session_id;

    assert_eq!(night.decide(&session, false, "A script.").await.unwrap(), Change::Updated);

    assert_eq!(night.service.open_runs(&night.tournament).await, 0);
    assert_eq!(night.service.count("SELECT count(*) FROM tournament_run").await, 0);
    assert_eq!(night.service.count("SELECT count(*) FROM outbox").await, 0);
    let repeat = night.service.submit(&started.session, &inputs, points).await.unwrap();
    assert_eq!((repeat.trust(), repeat.best, repeat.rank), (Trust::Held, 0, None));
    let otherwise = night.decide(&session, true, "A mistake.").await.unwrap_err();
    assert_eq!(reason(&otherwise), "RUN_DECIDED");
}

#[tokio::test]
async fn held_runs_are_listed_by_pages_and_decided_with_a_reason() {
    let night = Night::begin().await;
    for _ in 0..3 {
        let (_, token) = night.service.tokens.player();
        let started = night.service.start_run(&token, &night.game, 0).await.unwrap();
        night.service.clock.advance(Duration::from_secs(3));
        let points = 100 * crate::harness::gain(started.seed);
        night.service.submit(&started.session, &taps(100).0, points).await.unwrap();
    }
    let all = night.held().await;
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|run| run.tournament_id.is_empty()));
    assert!(all.is_sorted_by_key(|run| run.session_id.clone()));
    assert_eq!(night.page(2, "").await.unwrap(), all[..2]);
    assert_eq!(night.page(2, &all[1].session_id).await.unwrap(), all[2..]);
    assert_eq!(reason(&night.page(101, "").await.unwrap_err()), "INVALID_ARGUMENT");
    assert_eq!(reason(&night.page(1, "last").await.unwrap_err()), "INVALID_ARGUMENT");

    let session = &all[0].session_id;
    for invalid in ["", "  ", &"x".repeat(501)] {
        let refused = night.decide(session, true, invalid).await.unwrap_err();
        assert_eq!(reason(&refused), "INVALID_ARGUMENT");
    }
    for unknown in ["018f0000-0000-7000-8000-000000000000", "session"] {
        let refused = night.decide(unknown, true, "Why not?").await.unwrap_err();
        assert_eq!(reason(&refused), "RUN_NOT_FOUND");
        assert_eq!(reason(&night.get(unknown).await.unwrap_err()), "RUN_NOT_FOUND");
    }
    let mut gateway = RunAdminServiceClient::new(night.service.as_gateway());
    let refused = gateway.list_held_runs(ListHeldRunsRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}

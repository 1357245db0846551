//! Delivery of scores to svc-tournament, by the submitting call and by the relay.

use std::time::Duration;

use mesh::{call::Call, telemetry};
use proto::{
    games::v1::{SubmitScoreResponse, Trust},
    timestamp,
    tournament::v1::ScoreTrust,
};
use testkit::{eventually, spans};
use tonic::Code;
use tracing::Instrument as _;

use crate::harness::{BegunRun, Service};

/// A tournament whose seed scores two points a tick.
struct Night {
    service: Service,
    game: String,
    tournament: String,
}

impl Night {
    async fn begin() -> Self {
        let service = Service::start().await;
        let game = service.apply_counter("counter").await;
        let tournament = service.board.open(&game, |round| round.runs_per_round = 100);
        Self { service, game, tournament }
    }

    async fn enter(&self, token: &str) -> BegunRun {
        self.service.enter(token, &self.game, &self.tournament).await.unwrap()
    }

    /// Plays a run with `presses` presses of two points each.
    async fn play(&self, token: &str, presses: u8) -> SubmitScoreResponse {
        let started = self.enter(token).await;
        let inputs = [presses, 1, 10 - presses, 0];
        let inputs = if presses == 10 { &inputs[..2] } else { &inputs[..] };
        self.service.submit(&started.session, inputs, i32::from(presses) * 2).await.unwrap()
    }

    async fn rows(&self) -> i64 {
        self.service.count("SELECT count(*) FROM outbox").await
    }

    /// Makes the waiting rows due, and waits until they are delivered.
    async fn deliver(&self) {
        self.service.database.advance_outbox(Duration::from_mins(1)).await;
        eventually("the rows are delivered", || async { (self.rows().await == 0).then_some(()) })
            .await;
    }
}

#[tokio::test]
async fn a_score_is_on_its_board_with_the_reply() {
    let night = Night::begin().await;
    let (player, token) = night.service.tokens.player();
    let (_, rival) = night.service.tokens.player();
    night.play(&rival, 8).await;

    let score = night.play(&token, 5).await;

    assert_eq!((score.points, score.best, score.rank), (10, 10, Some(2)));
    assert_eq!(score.trust(), Trust::Proven);
    let recorded = night.service.board.recorded().pop().unwrap();
    assert_eq!((recorded.player_id, recorded.points), (player.to_string(), 10));
    assert_eq!(recorded.trust, i32::from(ScoreTrust::Proven));
    assert_eq!(recorded.reached_at, Some(timestamp(night.service.clock.now())));
    assert_eq!(night.rows().await, 0);
    assert_eq!(night.service.open_runs(&night.tournament).await, 0);
    let better = night.play(&token, 9).await;
    assert_eq!((better.best, better.rank), (18, Some(1)));
    let worse = night.play(&token, 1).await;
    assert_eq!((worse.points, worse.best, worse.rank), (2, 18, Some(1)));
}

#[tokio::test]
async fn a_score_names_when_its_run_began_also_if_the_relay_delivers_it() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    let began_at = Some(timestamp(night.service.clock.now()));
    let started = night.enter(&token).await;
    night.service.clock.advance(Duration::from_secs(30));
    night.service.board.set_away(true);
    night.service.submit(&started.session, &[5, 1, 5, 0], 10).await.unwrap();
    night.service.board.set_away(false);
    night.deliver().await;
    let recorded = night.service.board.recorded().pop().unwrap();
    assert_eq!(recorded.began_at, began_at);
    assert_eq!(recorded.reached_at, Some(timestamp(night.service.clock.now())));
}

#[tokio::test]
async fn a_repeat_gets_the_same_reply_with_the_present_rank() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    let started = night.enter(&token).await;
    let first = night.service.submit(&started.session, &[9, 1, 1, 0], 18).await.unwrap();
    let (_, rival) = night.service.tokens.player();
    night.play(&rival, 10).await;

    let again = night.service.submit(&started.session, &[9, 1, 1, 0], 18).await.unwrap();

    assert_eq!((first.rank, again.rank), (Some(1), Some(2)));
    assert_eq!(again, SubmitScoreResponse { rank: Some(2), ..first });
}

#[tokio::test]
async fn a_score_waits_for_svc_tournament() {
    let night = Night::begin().await;
    let (player, token) = night.service.tokens.player();
    let started = night.enter(&token).await;
    night.service.board.set_away(true);

    let score = night.service.submit(&started.session, &[10, 1], 20).await.unwrap();

    assert_eq!((score.points, score.best, score.rank), (20, 20, None));
    assert_eq!(night.service.open_runs(&night.tournament).await, 1);
    night.service.board.set_away(false);
    night.deliver().await;
    assert_eq!(night.service.open_runs(&night.tournament).await, 0);
    let recorded = night.service.board.recorded();
    assert_eq!(recorded.last().unwrap().player_id, player.to_string());
    let again = night.service.submit(&started.session, &[10, 1], 20).await.unwrap();
    assert_eq!((again.best, again.rank), (20, Some(1)));
}

#[tokio::test]
async fn a_player_waits_two_seconds_for_the_rank() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    let started = night.enter(&token).await;
    night.service.board.set_silent(true);

    let submitted = tokio::time::Instant::now();
    let score = night.service.submit(&started.session, &[10, 1], 20).await.unwrap();

    assert!(submitted.elapsed() < Duration::from_secs(5), "{:?}", submitted.elapsed());
    assert_eq!((score.points, score.best, score.rank), (20, 20, None));
    night.service.board.set_silent(false);
    night.deliver().await;
    assert_eq!(night.service.board.recorded().len(), 1);
}

#[tokio::test]
async fn runs_that_are_no_better_leave_nothing_to_deliver() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(night.enter(&token).await.session);
    }
    night.service.board.set_away(true);
    for (session, presses) in sessions.iter().zip([5, 4, 5]) {
        let inputs = [presses, 1, 10 - presses, 0];
        let score = night.service.submit(session, &inputs, i32::from(presses) * 2).await.unwrap();
        assert_eq!(score.best, 10);
    }
    assert_eq!(night.rows().await, 1);
    night.service.board.set_away(false);
    night.deliver().await;
    assert_eq!(night.service.board.recorded().last().unwrap().points, 10);
}

#[tokio::test]
async fn another_replica_delivers_the_score_of_one_that_died_after_its_commit() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    let started = night.enter(&token).await;
    night.service.board.set_away(true);
    night.service.submit(&started.session, &[10, 1], 20).await.unwrap();
    let other = night.service.start_replica().await;
    let Night { service, game, tournament } = night;
    service.stop().await;

    let night = Night { service: other, game, tournament };
    night.service.board.set_away(false);
    night.deliver().await;

    let recorded = night.service.board.recorded();
    assert_eq!(recorded.last().unwrap().points, 20);
}

#[tokio::test]
async fn a_submission_without_an_outcome_holds_the_settlement_up_for_five_minutes() {
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    night.play(&token, 10).await;
    // Simulates a process that died between claim and outcome.
    let forget = "UPDATE play_session SET points = NULL, trust = NULL";
    sqlx::query(forget).execute(&night.service.database.pool).await.unwrap();

    assert_eq!(night.service.open_runs(&night.tournament).await, 1);
    night.service.clock.advance(Duration::from_mins(5));
    assert_eq!(night.service.open_runs(&night.tournament).await, 0);
}

#[tokio::test]
async fn a_session_that_can_be_submitted_holds_the_settlement_up() {
    let night = Night::begin().await;
    let ends = night.service.clock.now() + Duration::from_mins(1);
    night.service.board.change(&night.tournament, |round| round.ends = ends);
    let (_, token) = night.service.tokens.player();
    night.enter(&token).await;

    night.service.clock.advance(Duration::from_secs(106));
    assert_eq!(night.service.open_runs(&night.tournament).await, 1, "a claim in flight");
    night.service.clock.advance(Duration::from_secs(1));
    assert_eq!(night.service.open_runs(&night.tournament).await, 0);
}

#[tokio::test]
async fn a_score_that_svc_tournament_refuses_is_not_sent_again() {
    let night = Night::begin().await;
    for (code, reason) in [
        (Code::FailedPrecondition, "TOURNAMENT_CLOSED"),
        (Code::NotFound, "TOURNAMENT_NOT_FOUND"),
        (Code::InvalidArgument, "INVALID_ARGUMENT"),
    ] {
        night.service.board.refuse(code, reason);
        let (_, token) = night.service.tokens.player();
        let score = night.play(&token, 10).await;
        assert_eq!((score.points, score.best, score.rank), (20, 20, None), "{reason}");
        // The relay reports the refusal, and removes the row.
        night.deliver().await;
    }
    assert!(night.service.board.recorded().is_empty());
}

#[tokio::test]
async fn one_trace_leads_from_the_submission_to_svc_tournament() {
    const RECORD: &str = "playon.tournament.v1.ScoreService/RecordScore";
    let spans = spans();
    let night = Night::begin().await;
    let (_, token) = night.service.tokens.player();
    for is_away in [false, true] {
        let started = night.enter(&token).await;
        night.service.board.set_away(is_away);
        let root = tracing::info_span!("root");
        let trace_id = root.in_scope(telemetry::trace_id).expect("a trace");
        let (inputs, points) = if is_away { ([9, 1, 1, 0], 18) } else { ([8, 1, 2, 0], 16) };
        let submit = night.service.traced_submit(&started.session, &inputs, points);
        let call = Call::new(Duration::from_secs(15), None);
        call.run(submit.instrument(root)).await.unwrap();
        if is_away {
            night.service.board.set_away(false);
            night.deliver().await;
        }
        let expected = if is_away { "games.deliver_score" } else { "games.submit_score" };
        eventually("the spans have ended", || async {
            let all = spans.of_trace(&trace_id);
            let parents = all.iter().filter(|span| span.name == RECORD).map(|record| {
                let id = record.parent_span_id;
                all.iter().find(|span| span.span_context.span_id() == id).map(|span| &span.name)
            });
            parents.flatten().any(|name| name == expected).then_some(())
        })
        .await;
    }
}

//! Forged runs: whatever a client sends, only a proven run has a score.

use std::time::Duration;

use proto::games::v1::{GameManifest, Trust};
use tonic::Code;

use crate::harness::{BegunRun, Service, counter, gain, manifest, reason, refusal, sha256};

/// A service with a game, and a player who plays it.
struct Forgery {
    service: Service,
    game: String,
    token: String,
}

impl Forgery {
    async fn begin() -> Self {
        let service = Service::start().await;
        let game = service.apply_counter("counter").await;
        let (_, token) = service.tokens.player();
        Self { service, game, token }
    }

    async fn session(&self, level: u32) -> BegunRun {
        self.service.start_run(&self.token, &self.game, level).await.unwrap()
    }

    /// Submits a run to a session of its own and returns why it is refused.
    async fn refusal(&self, level: u32, inputs: &[u8], points: i32) -> String {
        let started = self.session(level).await;
        refusal(&self.service.submit(&started.session, inputs, points).await.unwrap_err())
    }

    async fn no_score_was_kept(&self) {
        assert_eq!(self.service.count("SELECT count(*) FROM best_run").await, 0);
        let scored = "SELECT count(*) FROM play_session WHERE points IS NOT NULL";
        assert_eq!(self.service.count(scored).await, 0);
    }
}

#[tokio::test]
async fn other_points_than_the_proven_are_refused() {
    let forgery = Forgery::begin().await;
    for points in [-1, 1, 9, 11, 19, 21, 1_000_000, i32::MAX, i32::MIN] {
        assert_eq!(forgery.refusal(0, &[10, 0], points).await, "OTHER_POINTS", "{points}");
    }
    forgery.no_score_was_kept().await;
}

#[tokio::test]
async fn inputs_that_break_the_rules_are_refused() {
    let forgery = Forgery::begin().await;
    let cases: [(&[u8], &str); 10] = [
        (&[], "NOT_OVER"),
        (&[9, 1], "NOT_OVER"),
        (&[11, 1], "INPUTS_AFTER_END"),
        (&[10, 1, 1, 0], "INPUTS_AFTER_END"),
        (&[10, 2], "INPUT_NOT_ALLOWED"),
        (&[9, 1, 1, 2], "INPUT_NOT_ALLOWED"),
        (&[10, 3], "INPUT_NOT_ALLOWED"),
        (&[10, 0x7f], "INPUT_NOT_ALLOWED"),
        (&[10, 0xff, 0xff, 0xff, 0xff, 0x07], "INPUT_NOT_ALLOWED"),
        // 3,600 ticks, which take a minute, submitted at once.
        (&[0x90, 0x1c, 1], "FASTER_THAN_TIME"),
    ];
    for (inputs, expected) in cases {
        assert_eq!(forgery.refusal(0, inputs, 10).await, expected, "{inputs:?}");
    }
    forgery.no_score_was_kept().await;
}

#[tokio::test]
async fn fuel_bombs_and_traps_are_refused() {
    let forgery = Forgery::begin().await;
    assert_eq!(forgery.refusal(9, &[10, 0], 0).await, "OUT_OF_FUEL");
    assert_eq!(forgery.refusal(8, &[10, 0], 0).await, "RULES_FAILED");
    forgery.no_score_was_kept().await;
}

#[tokio::test]
async fn bytes_that_are_no_inputs_leave_the_session_open() {
    let forgery = Forgery::begin().await;
    let started = forgery.session(0).await;
    let oversize = vec![1; (64 << 10) + 1];
    let cases: [(&[u8], &str); 6] = [
        (&[1], "INVALID_INPUTS"),
        (&[0x80], "INVALID_INPUTS"),
        (&[0, 1], "INVALID_INPUTS"),
        (&[0xff; 12], "INVALID_INPUTS"),
        // 1,000,001 steps.
        (&[0xc1, 0x84, 0x3d, 0], "INVALID_INPUTS"),
        (&oversize, "INPUTS_TOO_LARGE"),
    ];
    for (inputs, expected) in cases {
        let refused = forgery.service.submit(&started.session, inputs, 0).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    let points = 10 * gain(started.seed);
    let score = forgery.service.submit(&started.session, &[10, 1], points).await.unwrap();
    assert_eq!(score.trust(), Trust::Proven);
}

#[tokio::test]
async fn a_run_of_another_seed_is_refused() {
    let forgery = Forgery::begin().await;
    let mut sessions = Vec::new();
    for _ in 0..12 {
        sessions.push(forgery.session(0).await);
    }
    let rich = sessions.iter().find(|session| gain(session.seed) == 2).expect("an odd seed");
    let poor = sessions.iter().find(|session| gain(session.seed) == 1).expect("an even seed");

    // The same inputs score 20 over one seed and 10 over the other.
    let refused = forgery.service.submit(&poor.session, &[10, 1], 20).await.unwrap_err();
    assert_eq!(refusal(&refused), "OTHER_POINTS");
    let score = forgery.service.submit(&rich.session, &[10, 1], 20).await.unwrap();
    assert_eq!(score.points, 20);
}

#[tokio::test]
async fn forged_tickets_open_no_session() {
    let forgery = Forgery::begin().await;
    let (one, two) = (forgery.session(0).await, forgery.session(0).await);
    // The id of one session with the secret of the other: 16 bytes are 21.3 characters.
    let mixed = format!("{}{}", &one.session[..22], &two.session[22..]);
    let altered =
        format!("{}{}", &one.session[..42], if one.session.ends_with('A') { 'E' } else { 'A' });
    let shorter = &one.session[..42];
    let longer = format!("{}A", one.session);
    for ticket in ["", "session", shorter, &longer, &mixed, &altered, &"A".repeat(43)] {
        let refused = forgery.service.submit(ticket, &[10, 0], 0).await.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::NotFound, "SESSION_NOT_FOUND"),
            "{ticket}"
        );
    }
    forgery.no_score_was_kept().await;
}

#[tokio::test]
async fn of_two_submissions_at_once_one_has_the_session() {
    let forgery = Forgery::begin().await;
    let other = forgery.service.start_replica().await;
    for _ in 0..10 {
        let started = forgery.session(0).await;
        let gain = gain(started.seed);
        let (one, two) = tokio::join!(
            forgery.service.submit(&started.session, &[10, 1], 10 * gain),
            other.submit(&started.session, &[9, 1, 1, 0], 9 * gain),
        );
        let refused = match (one, two) {
            (Ok(_), Err(refused)) | (Err(refused), Ok(_)) => refused,
            both => panic!("{both:?}"),
        };
        assert_eq!(reason(&refused), "SESSION_USED");
    }
}

#[tokio::test]
async fn a_run_proves_by_the_rules_that_it_was_played_by() {
    let forgery = Forgery::begin().await;
    let before = forgery.session(0).await;
    // A new version of the rules: each press scores one more.
    let text = include_str!("counter.wat")
        .replace("(i32.add (i32.const 1) (i32.and", "(i32.add (i32.const 2) (i32.and");
    let rules = wat::parse_str(text).unwrap();
    assert_ne!(rules, counter());
    let game = GameManifest { rules_sha256: sha256(&rules), ..manifest("counter") };
    let request = proto::games::v1::ApplyGameRequest { game: Some(game), rules, dry_run: false };
    forgery.service.admin.clone().apply_game(request).await.unwrap();
    let after = forgery.session(0).await;

    let old = 10 * gain(before.seed);
    assert_eq!(forgery.service.submit(&before.session, &[10, 1], old).await.unwrap().points, old);
    let new = 10 * (gain(after.seed) + 1);
    assert_eq!(forgery.service.submit(&after.session, &[10, 1], new).await.unwrap().points, new);
}

#[tokio::test]
async fn a_run_at_an_inhuman_rate_is_held_and_is_no_best() {
    let forgery = Forgery::begin().await;
    let text = include_str!("counter.wat").replace("(i32.const 10)", "(i32.const 200)");
    let rules = wat::parse_str(text).unwrap();
    let game = GameManifest { rules_sha256: sha256(&rules), ..manifest("counter") };
    let request = proto::games::v1::ApplyGameRequest { game: Some(game), rules, dry_run: false };
    forgery.service.admin.clone().apply_game(request).await.unwrap();
    let started = forgery.session(0).await;
    forgery.service.clock.advance(Duration::from_secs(3));

    let inputs = [1, 1, 1, 0].repeat(100);
    let points = 100 * gain(started.seed);
    let score = forgery.service.submit(&started.session, &inputs, points).await.unwrap();

    assert_eq!((score.points, score.best, score.trust()), (points, 0, Trust::Held));
}

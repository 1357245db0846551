//! Scores of games without rules: signed by the game's own server, or claimed.

use ed25519_dalek::{Signer as _, SigningKey};
use proto::games::v1::{GameManifest, SubmitScoreRequest, Trust};
use tonic::Status;
use types::uuid::Uuid;

use crate::harness::{BegunRun, Service, manifest, reason, refusal};

/// A game with a server of its own.
struct Quiz {
    service: Service,
    game: String,
    key: SigningKey,
}

/// The id of the session, as a game's server reads it from the ticket.
fn session_id(started: &BegunRun) -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let ticket = URL_SAFE_NO_PAD.decode(&started.session).unwrap();
    Uuid::from_slice(&ticket[..16]).unwrap().to_string()
}

impl Quiz {
    async fn open() -> Self {
        let service = Service::start().await;
        let key = SigningKey::from_bytes(&[5; 32]);
        let game = GameManifest {
            game_url: "https://quiz.example/".to_owned(),
            score_key: hex::encode(key.verifying_key().to_bytes()),
            ..manifest("quiz")
        };
        let game = service.apply_game(game, Vec::new()).await;
        Self { service, game, key }
    }

    fn sign(&self, started: &BegunRun, points: i32) -> Vec<u8> {
        self.key.sign(format!("{}.{points}", session_id(started)).as_bytes()).to_vec()
    }

    async fn submit(
        &self,
        started: &BegunRun,
        points: i32,
        signature: Vec<u8>,
    ) -> Result<(i32, i32, Trust, Option<u64>), Status> {
        let (session, inputs) = (started.session.clone(), Vec::new());
        let request = SubmitScoreRequest { session, inputs, points, signature };
        let score = self.service.play.clone().submit_score(request).await?.into_inner();
        Ok((score.points, score.best, score.trust(), score.rank))
    }
}

#[tokio::test]
async fn a_result_that_the_game_server_signed_counts() {
    let quiz = Quiz::open().await;
    let (_, token) = quiz.service.tokens.player();
    let tournament = quiz.service.board.open(&quiz.game, |_| {});
    let started = quiz.service.start_run(&token, &quiz.game, 0).await.unwrap();
    assert_eq!(started.started.rules, None);

    let signature = quiz.sign(&started, 40);
    let score = quiz.submit(&started, 40, signature.clone()).await.unwrap();
    assert_eq!(score, (40, 40, Trust::Signed, None));
    assert_eq!(quiz.submit(&started, 40, signature).await.unwrap(), score);

    let entered = quiz.service.enter(&token, &quiz.game, &tournament).await.unwrap();
    let score = quiz.submit(&entered, 30, quiz.sign(&entered, 30)).await.unwrap();
    assert_eq!(score, (30, 30, Trust::Signed, Some(1)));
}

#[tokio::test]
async fn forged_signatures_are_refused() {
    let quiz = Quiz::open().await;
    let (_, token) = quiz.service.tokens.player();
    let start = || quiz.service.start_run(&token, &quiz.game, 0);
    let (first, second) = (start().await.unwrap(), start().await.unwrap());
    let replayed = quiz.sign(&first, 40);
    quiz.submit(&first, 40, replayed.clone()).await.unwrap();
    let stranger = SigningKey::from_bytes(&[6; 32]);
    let strange = stranger.sign(format!("{}.40", session_id(&second)).as_bytes()).to_vec();
    let mut altered = quiz.sign(&second, 40);
    altered[7] ^= 1;

    for (what, signature) in [
        ("none", Vec::new()),
        ("one byte", vec![1]),
        ("zeros", vec![0; 64]),
        ("of the session before", replayed),
        ("another key", strange),
        ("altered", altered),
        ("other points", quiz.sign(&second, 39)),
    ] {
        let started = start().await.unwrap();
        let started = if what == "of the session before" { started } else { second.clone() };
        let refused = quiz.submit(&started, 40, signature).await.unwrap_err();
        // The second session takes one run, so its first forgery ends it.
        match reason(&refused).as_str() {
            "SESSION_USED" => {}
            _ => assert_eq!(refusal(&refused), "BAD_SIGNATURE", "{what}"),
        }
    }
    assert_eq!(quiz.service.count("SELECT max(points)::bigint FROM best_run").await, 40);
    let scored = "SELECT count(*) FROM play_session WHERE points IS NOT NULL";
    assert_eq!(quiz.service.count(scored).await, 1);
}

#[tokio::test]
async fn a_game_with_neither_rules_nor_key_has_claimed_scores() {
    let service = Service::start().await;
    let game = service.apply_game(manifest("friendly"), Vec::new()).await;
    let (_, token) = service.tokens.player();
    for (points, best) in [(7, 7), (3, 7)] {
        let started = service.start_run(&token, &game, 0).await.unwrap();
        let score = service.submit(&started.session, &[], points).await.unwrap();
        assert_eq!((score.points, score.best, score.trust()), (points, best, Trust::Claimed));
    }
}

#[tokio::test]
async fn a_proven_score_takes_the_place_of_a_higher_claim() {
    let service = Service::start().await;
    let game = service.apply_game(manifest("counter"), Vec::new()).await;
    let (_, token) = service.tokens.player();
    let claimed = service.start_run(&token, &game, 0).await.unwrap();
    let late = service.start_run(&token, &game, 0).await.unwrap();
    service.submit(&claimed.session, &[], 1_000_000).await.unwrap();

    assert_eq!(service.apply_counter("counter").await, game);
    let proven = service.start_run(&token, &game, 0).await.unwrap();
    let score = service.submit(&proven.session, &[10, 0], 0).await.unwrap();
    assert_eq!((score.best, score.trust()), (0, Trust::Proven));
    let score = service.submit(&late.session, &[], 1_000_000).await.unwrap();
    assert_eq!((score.best, score.trust()), (0, Trust::Claimed));
}

#[tokio::test]
async fn a_key_is_one_of_ed25519_and_for_games_without_rules() {
    use proto::games::v1::ApplyGameRequest;
    use tonic_types::StatusExt as _;
    let service = Service::start().await;
    let rules = crate::harness::counter();
    let valid = hex::encode(SigningKey::from_bytes(&[5; 32]).verifying_key().to_bytes());
    let with_key = |key: &str| GameManifest { score_key: key.to_owned(), ..manifest("quiz") };
    let both = GameManifest { rules_sha256: crate::harness::sha256(&rules), ..with_key(&valid) };
    let neutral = format!("01{}", "0".repeat(62));
    for (game, rules) in [
        (with_key("key"), Vec::new()),
        (with_key(&valid[2..]), Vec::new()),
        (with_key(&neutral), Vec::new()),
        (both, rules),
    ] {
        let request = ApplyGameRequest { game: Some(game), rules, dry_run: false };
        let refused = service.admin.clone().apply_game(request).await.unwrap_err();
        let violations = refused.get_details_bad_request().unwrap().field_violations;
        assert_eq!(violations[0].field, "scoreKey", "{refused:?}");
    }
}

//! The traces of a top-up, a boost and a score: the parents of each span, the link between the trace of
//! the tap and that of the callback, and no personal data in any span.

use std::time::Duration;

use journeys::{
    Account, Browser, Collector, Consent, Mesh, Operator, Player, Reply, Span, collector,
    eventually, waterfall,
};
use proto::{timestamp, tournament::v1::TournamentManifest};
use reqwest::Method;
use serde_json::json;
use types::{Money, Msisdn};

const TOP_UP: &str = "playon.wallet.v1.WalletService/TopUp";
const DIRECTORY: &str = "playon.auth.v1.DirectoryService/BatchGetPublicPlayers";
const SUBMIT_SCORE: &str = "playon.games.v1.PlayService/SubmitScore";
const RECORD_SCORE: &str = "playon.tournament.v1.ScoreService/RecordScore";
const CALLBACK: &str = "playon.wallet.v1.CallbackService/ReceiveCallback";

/// A single test, because only one process can be the collector.
#[tokio::test]
async fn the_traces_of_tap_and_callback_are_linked_and_hold_no_personal_data() {
    let spans = collector();
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let mut used = send_private_data(&mesh, player).await;
    used.secrets.extend(sign_in_by_phone(&mesh).await);
    used.secrets.extend(sign_in_socially(&mesh).await);
    used.secrets.extend(follow_mailed_links(&mesh, &used.player).await);
    used.secrets.extend(upload_a_picture(&used.player).await);
    let player = &used.player;

    player.set_handset(json!({"stk": "approve", "delayMs": 300})).await;
    let body = player.top_up_body(100).await;
    let tap = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await;
    let (trace, payment) = (tap.trace_id.clone(), tap.ok());
    let id = payment["paymentId"].as_str().unwrap();
    let mut stream = player.watch(&[id]).await;
    while stream.payment().await.status() != proto::types::v1::PaymentStatus::Completed {}
    player.reconcile(Money::from_shillings(100)).await;

    assert_path_from_tap_to_ledger(spans, &trace).await;
    let callback = assert_path_from_hook_to_inbox(spans, &trace).await;
    assert_ne!(callback, trace, "the provider propagates no trace");
    assert_path_of_a_boost(spans, &mesh, player).await;
    assert_path_of_a_score(spans, &mesh, player).await;
    assert_calls_are_edges(spans);
    let secret = callback_secret(&mesh, player).await;
    assert_every_use_case_was_traced(spans).await;
    assert_no_private_data(&spans.all(), &used.all_secrets(&secret));
    if let Ok(path) = std::env::var("PLAYON_TRACE_PICTURE") {
        draw(spans, &trace, &callback, &path);
    }
}

/// Draws the traces of a top-up and of its callback, for docs/tracing.md.
fn draw(spans: &Collector, top_up: &str, callback: &str, path: &str) {
    let picture = |title: &str, trace: &str| {
        let spans = spans.trace(trace);
        assert!(spans.iter().all(|span| !span.failed), "a picture of a failure");
        waterfall(&format!("{title} · trace {trace}"), &spans)
    };
    std::fs::write(path, picture("Top-up of KES 100 by M-Pesa", top_up)).unwrap();
    let callback_path = path.replace(".svg", "-callback.svg");
    std::fs::write(callback_path, picture("Its callback", callback)).unwrap();
}

/// Asserts that the spans that could hold private data were exported, because absent spans would
/// pass the check for private data.
async fn assert_every_use_case_was_traced(spans: &Collector) {
    for name in [
        "auth.verify_phone_sign_in",
        "sms.send",
        "auth.finish_oauth",
        "google.exchange",
        "facebook.me",
        "auth.exchange_oauth",
        "auth.confirm_email",
        "auth.mail_reset",
        "mail.send",
        "auth.confirm_password_reset",
        "POST /api/upload",
        "GET /api/auth/oauth/{provider}/callback",
    ] {
        eventually(name, || async {
            spans.all().iter().any(|span| span.name == name).then_some(())
        })
        .await;
    }
}

/// A player, and the private values that were sent so far.
struct Used {
    player: Player,
    secrets: Vec<String>,
}

impl Used {
    fn all_secrets(&self, callback_secret: &str) -> Vec<String> {
        let mut secrets = self.secrets.clone();
        secrets.push(callback_secret.to_owned());
        secrets
    }
}

/// Makes the calls that carry private data: profile, passwords, tokens in a query,
/// email addresses in a path.
async fn send_private_data(mesh: &Mesh, mut player: Player) -> Used {
    let first = player.clone();
    let path = format!("/profile/{}", player.uid);
    let contact = format!("{}@example.com", mesh.unique_id());
    let fields = json!({"phone": player.phone, "email": contact, "name": "Wanjirũ wa Kamau"});
    player.put(&path, &fields).await.ok();
    player.sign_in().await;
    player.try_password("not-the-password").await;
    player.take_session(&player.refresh().await.ok());
    first.post("/auth/sign-out", &json!({"refreshToken": first.refresh_token})).await.ok();
    player.get(&format!("/wallets/balance?token={}", first.access_token)).await.ok();
    let by_name = player.get(&format!("/users/username/{}", player.email)).await;
    assert_eq!(by_name.status, 404);
    let unknown_path = format!("/api/no/{}", player.email);
    assert_eq!(Reply::to(mesh.call(Method::GET, &unknown_path)).await.status, 404);

    let msisdn = Msisdn::parse(&player.phone).unwrap();
    let secrets = vec![
        player.email.clone(),
        contact,
        "Kamau".to_owned(),
        "jambo-kenya".to_owned(),
        "not-the-password".to_owned(),
        // Every spelling of a phone number ends in these digits.
        msisdn.digits()[3..].to_owned(),
        first.access_token,
        first.refresh_token,
        player.access_token.clone(),
        player.refresh_token.clone(),
    ];
    Used { player, secrets }
}

/// Signs in by phone. Returns the number, the code and the tokens.
async fn sign_in_by_phone(mesh: &Mesh) -> Vec<String> {
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    assert_eq!(mesh.verify_phone(&challenge, "not-the-code").await.status, 401);
    let session = mesh.verify_phone(&challenge, &code).await.ok();
    let mut secrets = tokens(&session);
    secrets.extend([phone[1..].to_owned(), "not-the-code".to_owned()]);
    // Six digits may occur in an id by chance; after a space or a quote they do not.
    secrets.extend([format!(" {code}"), format!("\"{code}")]);
    secrets
}

/// Signs in with Google and Facebook. Returns the accounts' data, the values passed
/// between browser, gateway and provider, and the tokens.
async fn sign_in_socially(mesh: &Mesh) -> Vec<String> {
    let mut secrets = Vec::new();
    for provider in ["google", "facebook"] {
        let account = Account { name: "Nyakio Gathoni".to_owned(), ..Account::new(mesh) };
        let mut browser = Browser::new(mesh);
        let page = browser.start(provider).await;
        let back = browser.answer_consent(&page, Consent::NewAccount(&account)).await;
        let code = journeys::outcome(&browser.follow_callback(&back).await).unwrap();
        secrets.extend(tokens(&browser.exchange(&code).await.ok()));
        let parameters = page.query_pairs().chain(back.query_pairs());
        let private = ["state", "nonce", "code", "code_challenge"];
        secrets.extend(
            parameters
                .filter(|(name, _)| private.contains(&&**name))
                .map(|(_, value)| value.into_owned()),
        );
        secrets.extend(browser.secrets());
        secrets.extend([code, account.email, "Gathoni".to_owned()]);
    }
    secrets
}

/// Uses the links of both mails. Returns the tokens, the address and the password.
async fn follow_mailed_links(mesh: &Mesh, player: &Player) -> Vec<String> {
    let post = async |path: &str, body| mesh.post(path, &body).await.ok();
    let confirm =
        mesh.sandbox().tokens_mailed_to(&player.email, "confirm-email", 1).await.remove(0);
    player.post("/auth/email/confirm", &json!({"token": confirm})).await.ok();
    // The mail is another player's, because the reset revokes all sessions.
    let other = mesh.new_player().await;
    post("/auth/password/reset", json!({"email": other.email})).await;
    let reset = mesh.sandbox().tokens_mailed_to(&other.email, "reset-password", 1).await.remove(0);
    let new = "brand-new-password";
    post("/auth/password/reset/confirm", json!({"token": reset, "newPassword": new})).await;
    vec![confirm, reset, other.email, new.to_owned()]
}

/// Uploads a file. Returns its name, which may hold personal data.
async fn upload_a_picture(player: &Player) -> Vec<String> {
    let reply = player.upload("PROFILE_PICTURE", "Kamau-passport.png", b"not a picture").await;
    assert_eq!(reply.status, 415);
    vec!["Kamau-passport".to_owned()]
}

fn tokens(session: &serde_json::Value) -> Vec<String> {
    let token = |name: &str| session[name].as_str().unwrap().to_owned();
    vec![token("accessToken"), token("refreshToken")]
}

/// Asserts the path of spans from the tap at the gateway to the ledger row.
async fn assert_path_from_tap_to_ledger(spans: &Collector, trace: &str) {
    let tap = [
        "svc-wallet wallet.top_up".to_owned(),
        format!("svc-wallet {TOP_UP}"),
        format!("gateway {TOP_UP}"),
        "gateway POST /api/payments/top-up".to_owned(),
    ];
    for (name, between) in [
        ("db.payment.insert", &[][..]),
        ("daraja.stk_push", &["wallet.push", "outbox.deliver"][..]),
        ("db.journal.post", &["wallet.settle", "wallet.settle_callback"][..]),
    ] {
        let own = std::iter::once(&name).chain(between).map(|name| format!("svc-wallet {name}"));
        let expected: Vec<String> = own.chain(tap.iter().cloned()).collect();
        assert_eq!(ancestry(spans, trace, name).await, expected);
    }
}

/// Boosts a friend from the wallet, and asserts the paths from the tap to the ledger row
/// and to svc-auth, which knows a friend who has no wallet yet.
async fn assert_path_of_a_boost(spans: &Collector, mesh: &Mesh, player: &Player) {
    let friend = mesh.new_player().await;
    let method = mesh.method("WALLET").await;
    let body = json!({"paymentMethodId": method, "amount": 40, "userId": friend.uid});
    let tap = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await;
    let trace = tap.trace_id.clone();
    tap.ok();
    let path = [
        "svc-wallet wallet.top_up".to_owned(),
        format!("svc-wallet {TOP_UP}"),
        format!("gateway {TOP_UP}"),
        "gateway POST /api/payments/top-up".to_owned(),
    ];
    for (name, between) in [
        ("db.ledger.transfer", &["svc-wallet db.ledger.transfer".to_owned()][..]),
        (
            "auth.batch_get_public_players",
            &[
                "svc-auth auth.batch_get_public_players".to_owned(),
                format!("svc-auth {DIRECTORY}"),
                format!("svc-wallet {DIRECTORY}"),
            ],
        ),
    ] {
        let found = ancestry(spans, &trace, name).await;
        assert!(found.starts_with(between) && found.ends_with(&path), "{found:?}");
    }
}

/// Plays a run in a tournament, and asserts the path from the game's page to the board.
async fn assert_path_of_a_score(spans: &Collector, mesh: &Mesh, player: &Player) {
    let operator = Operator::of(mesh);
    let name = format!("t-{}", mesh.unique_id());
    let game = operator.apply_counter_game(&name).await;
    let now = mesh.clock().now();
    let tournament = TournamentManifest {
        key: name.clone(),
        name: name.clone(),
        description: "Ten ticks".to_owned(),
        game: name,
        starts: Some(timestamp(now - Duration::from_mins(1))),
        ends: Some(timestamp(now + Duration::from_hours(1))),
        rounds: 1,
        runs_per_round: 1,
        ..TournamentManifest::default()
    };
    let tournament = operator.apply_tournament(tournament).await;
    let body = json!({"tournamentId": tournament});
    let session = player.post(&format!("/games/{game}/sessions"), &body).await.ok();
    mesh.post("/runs", &json!({"session": session["session"]})).await.ok();
    // The run has ten ticks without a point.
    let run = json!({"session": session["session"], "inputs": "CgA=", "points": 0});
    let score = mesh.post("/scores", &run).await;
    let trace = score.trace_id.clone();
    assert_eq!(score.ok()["rank"], 1);
    let expected = [
        "svc-tournament tournament.record_score".to_owned(),
        format!("svc-tournament {RECORD_SCORE}"),
        format!("svc-games {RECORD_SCORE}"),
        "svc-games games.submit_score".to_owned(),
        format!("svc-games {SUBMIT_SCORE}"),
        format!("gateway {SUBMIT_SCORE}"),
        "gateway POST /api/scores".to_owned(),
    ];
    assert_eq!(ancestry(spans, &trace, "tournament.record_score").await, expected);
}

/// Asserts that every call between processes is on an edge of the mesh.
fn assert_calls_are_edges(spans: &Collector) {
    let calls = spans.calls();
    assert!(calls.len() > 50, "only {} calls were traced", calls.len());
    for (caller, span) in calls {
        let service = span.name.split('/').next().unwrap_or_default();
        assert!(mesh::edges::allow(&caller, service), "{caller} called {}", span.name);
    }
}

/// Asserts the path of spans from the hook to the inbox row, in the trace to which the
/// settlement in the tap's trace is linked. Returns that trace's id.
async fn assert_path_from_hook_to_inbox(spans: &Collector, tap: &str) -> String {
    let settling = spans.trace(tap).into_iter().find(|span| span.name == "wallet.settle_callback");
    let link = settling.unwrap().links.remove(0);
    let cause = eventually("the linked span", || async { spans.linked(&link) }).await;
    assert_eq!(cause.name, "wallet.apply_callback");
    assert_eq!(
        ancestry(spans, &link.trace_id, "db.callback.insert").await,
        [
            "svc-wallet db.callback.insert".to_owned(),
            "svc-wallet wallet.store_callback".to_owned(),
            format!("svc-wallet {CALLBACK}"),
            format!("gateway {CALLBACK}"),
            "gateway POST /hooks/stk/{secret}".to_owned(),
        ]
    );
    link.trace_id
}

/// Waits for a span and its ancestors: spans are exported in batches after they end.
async fn ancestry(spans: &Collector, trace: &str, name: &str) -> Vec<String> {
    eventually(&format!("{name} and its ancestors in trace {trace}"), || async {
        let names = spans.ancestry(trace, name);
        (!names.is_empty()).then_some(names)
    })
    .await
}

/// The secret at the end of the callback's path.
async fn callback_secret(mesh: &Mesh, player: &Player) -> String {
    let pushes = mesh.sandbox().pushes_to(&player.phone).await;
    pushes[0].callback_url.rsplit('/').next().unwrap().to_owned()
}

/// Asserts that no text of any span holds one of these private values, or looks like a token, an
/// email address or the path of a callback in another journey that runs at the same time.
fn assert_no_private_data(spans: &[Span], private: &[String]) {
    assert!(private.iter().all(|it| it.len() > 4), "a shorter value would match by chance");
    for service in ["gateway", "svc-auth", "svc-wallet"] {
        assert!(spans.iter().any(|span| span.service == service), "{service} sent nothing");
    }
    for span in spans {
        for text in &span.texts {
            let found = private.iter().find(|secret| text.contains(secret.as_str()));
            assert_eq!(found, None, "in {} {}: {text}", span.service, span.name);
            let looks_private = text.contains("eyJ")
                || text.contains('@')
                || text.contains("/hooks/stk/") && !text.contains("/hooks/stk/{secret}");
            assert!(!looks_private, "{} {} holds {text}", span.service, span.name);
        }
    }
}

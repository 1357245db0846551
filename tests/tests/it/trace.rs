//! One top-up is one story in the traces, and nobody is named in it.

use journeys::{
    Account, Browser, Collector, Consent, Mesh, Player, Reply, Span, collector, eventually,
};
use reqwest::Method;
use serde_json::json;
use types::{Money, Msisdn};

const TOP_UP: &str = "playon.wallet.v1.WalletService/TopUp";
const CALLBACK: &str = "playon.wallet.v1.CallbackService/ReceiveCallback";

/// One test for all of it, because only one process can be the collector.
#[tokio::test]
async fn the_tap_and_the_callback_are_two_linked_stories_that_name_nobody() {
    let spans = collector();
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let mut used = use_everything_private(&mesh, player).await;
    used.words.extend(come_in_by_phone(&mesh).await);
    used.words.extend(come_in_socially(&mesh).await);
    used.words.extend(follow_mailed_links(&mesh, &used.player).await);
    used.words.extend(keep_a_picture(&used.player).await);
    let player = &used.player;

    player.habit(json!({"stk": "approve", "delayMs": 300})).await;
    let body = player.top_up_body(100).await;
    let tap = Reply::to(player.top_up_call(&mesh.new_name(), &body)).await;
    let (trace, payment) = (tap.trace_id.clone(), tap.ok());
    let id = payment["paymentId"].as_str().unwrap();
    let mut stream = player.watch(&[id]).await;
    while stream.payment().await.status() != proto::types::v1::PaymentStatus::Completed {}
    player.reconcile(Money::from_shillings(100)).await;

    the_tap_leads_to_the_ledger(spans, &trace).await;
    let callback = the_callback_leads_to_the_inbox(spans, &trace).await;
    assert_ne!(callback, trace, "the provider passes no trace on");
    let secret = secret_of(&mesh, player).await;
    every_way_in_was_seen(spans).await;
    nobody_is_named(&spans.all(), &used.private(&secret));
}

/// What is not there names nobody either.
async fn every_way_in_was_seen(spans: &Collector) {
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

/// A player and all that was once private about them.
struct Used {
    player: Player,
    words: Vec<String>,
}

impl Used {
    fn private(&self, callback_secret: &str) -> Vec<String> {
        let mut words = self.words.clone();
        words.push(callback_secret.to_owned());
        words
    }
}

/// Calls whatever takes something private.
async fn use_everything_private(mesh: &Mesh, mut player: Player) -> Used {
    let first = player.clone();
    let path = format!("/profile/{}", player.uid);
    let contact = format!("{}@example.com", mesh.new_name());
    let told = json!({"phone": player.phone, "email": contact, "name": "Wanjirũ wa Kamau"});
    player.put(&path, &told).await.ok();
    player.sign_in().await;
    player.try_password("not-the-password").await;
    player.take_session(&player.refresh().await.ok());
    player.post("/auth/sign-out", &json!({"refreshToken": first.refresh_token})).await.ok();
    player.get(&format!("/wallets/balance?token={}", first.access_token)).await.ok();
    let by_name = player.get(&format!("/users/username/{}", player.email)).await;
    assert_eq!(by_name.status, 404);
    let nonsense = format!("/api/no/{}", player.email);
    assert_eq!(Reply::to(mesh.call(Method::GET, &nonsense)).await.status, 404);

    let msisdn = Msisdn::parse(&player.phone).unwrap();
    let words = vec![
        player.email.clone(),
        contact,
        "Kamau".to_owned(),
        "jambo-kenya".to_owned(),
        "not-the-password".to_owned(),
        // Every spelling of a number ends in these.
        msisdn.digits()[3..].to_owned(),
        first.access_token,
        first.refresh_token,
        player.access_token.clone(),
        player.refresh_token.clone(),
    ];
    Used { player, words }
}

/// A number, its code and its challenge's answer.
async fn come_in_by_phone(mesh: &Mesh) -> Vec<String> {
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    assert_eq!(mesh.verify_phone(&challenge, "not-the-code").await.status, 401);
    let session = mesh.verify_phone(&challenge, &code).await.ok();
    let mut words = tokens(&session);
    words.extend([phone[1..].to_owned(), "not-the-code".to_owned()]);
    // Six digits are found by rng in any id; between other words they are not.
    words.extend([format!(" {code}"), format!("\"{code}")]);
    words
}

/// An account at a provider, and all that is passed on to sign in by it.
async fn come_in_socially(mesh: &Mesh) -> Vec<String> {
    let mut words = Vec::new();
    for provider in ["google", "facebook"] {
        let account = Account { name: "Nyakio Gathoni".to_owned(), ..Account::new(mesh) };
        let mut browser = Browser::new(mesh);
        let page = browser.start(provider).await;
        let back = browser.decide(&page, Consent::First(&account)).await;
        let code = journeys::outcome(&browser.come_back(&back).await).unwrap();
        words.extend(tokens(&browser.exchange(&code).await.ok()));
        let told = page.query_pairs().chain(back.query_pairs());
        let private = ["state", "nonce", "code", "code_challenge"];
        words.extend(
            told.filter(|(name, _)| private.contains(&&**name)).map(|(_, told)| told.into_owned()),
        );
        words.extend(browser.secrets());
        words.extend([code, account.email, "Gathoni".to_owned()]);
    }
    words
}

/// The links of both mails.
async fn follow_mailed_links(mesh: &Mesh, player: &Player) -> Vec<String> {
    let post = async |path: &str, body| mesh.post(path, &body).await.ok();
    let confirm =
        mesh.sandbox().tokens_mailed_to(&player.email, "confirm-email", 1).await.remove(0);
    post("/auth/email/confirm", json!({"token": confirm})).await;
    // Another player's, because it ends their sessions.
    let other = mesh.newcomer().await;
    post("/auth/password/reset", json!({"email": other.email})).await;
    let reset = mesh.sandbox().tokens_mailed_to(&other.email, "reset-password", 1).await.remove(0);
    let new = "brand-new-password";
    post("/auth/password/reset/confirm", json!({"token": reset, "newPassword": new})).await;
    vec![confirm, reset, other.email, new.to_owned()]
}

/// A file's name may be anybody's.
async fn keep_a_picture(player: &Player) -> Vec<String> {
    let reply = player.upload("PROFILE_PICTURE", "Kamau-passport.png", b"no picture").await;
    assert_eq!(reply.status, 415);
    vec!["Kamau-passport".to_owned()]
}

fn tokens(session: &serde_json::Value) -> Vec<String> {
    let token = |name: &str| session[name].as_str().unwrap().to_owned();
    vec![token("accessToken"), token("refreshToken")]
}

/// From the tap at the gateway to the row, over every hop between.
async fn the_tap_leads_to_the_ledger(spans: &Collector, trace: &str) {
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

/// From the hook to the inbox, in a trace of its own, to which the settling is
/// linked. Gives that trace.
async fn the_callback_leads_to_the_inbox(spans: &Collector, tap: &str) -> String {
    let settling = spans.trace(tap).into_iter().find(|span| span.name == "wallet.settle_callback");
    let link = settling.unwrap().links.remove(0);
    let cause = eventually("the link's end", || async { spans.linked(&link) }).await;
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

/// Spans come in when they have ended and a moment has passed.
async fn ancestry(spans: &Collector, trace: &str, name: &str) -> Vec<String> {
    eventually(&format!("{name} and all above it in trace {trace}"), || async {
        let names = spans.ancestry(trace, name);
        (!names.is_empty()).then_some(names)
    })
    .await
}

/// What is at the end of a callback's path.
async fn secret_of(mesh: &Mesh, player: &Player) -> String {
    let pushes = mesh.sandbox().pushes_to(&player.phone).await;
    pushes[0].callback_url.rsplit('/').next().unwrap().to_owned()
}

/// No word of any span holds anything private: not what this test knows to be,
/// nor what looks like it, of whoever played meanwhile.
fn nobody_is_named(spans: &[Span], private: &[String]) {
    assert!(private.iter().all(|word| word.len() > 4), "a word so short is found by rng");
    for service in ["gateway", "svc-auth", "svc-wallet"] {
        assert!(spans.iter().any(|span| span.service == service), "{service} sent nothing");
    }
    for span in spans {
        for word in &span.words {
            let named = private.iter().find(|secret| word.contains(secret.as_str()));
            assert_eq!(named, None, "in {} {}: {word}", span.service, span.name);
            let looks_private = word.contains("eyJ")
                || word.contains('@')
                || word.contains("/hooks/stk/") && !word.contains("/hooks/stk/{secret}");
            assert!(!looks_private, "{} {} says {word}", span.service, span.name);
        }
    }
}

//! Rate limits.

use std::time::Duration;

use mesh::Fault;
use proto::{
    auth::v1::{IntroduceDeviceRequest, StartPhoneSignInRequest},
    games::v1::ListGamesRequest,
};
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::{
    stub::identity::KNOWN_DEVICE,
    world::{World, device_cookie, read},
};

const PROVIDERS: &str = "/api/auth/providers";
const BALANCE: &str = "/api/wallets/balance";
const SIGN_IN: &str = "/api/auth/sign-in";
const GAMES: &str = "/api/games/list";

#[tokio::test]
async fn guests_without_a_device_are_counted_by_address_over_all_their_calls() {
    let world = World::with(|args| args.rates.guest = "2/1m".parse().unwrap()).await;
    assert_eq!(read(world.get(PROVIDERS)).await.status, 200);
    assert_eq!(read(world.get(GAMES)).await.status, 200);
    let answer = read(world.get(GAMES)).await;
    assert_eq!(answer.refusal(), (429, "DEVICE_NEEDED".into()));
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait} s");
    // A player behind the same address is not limited by it, and learns that a token has expired.
    assert_eq!(read(world.get_signed_in(BALANCE)).await.status, 200);
    assert_eq!(read(world.get(BALANCE)).await.status, 401);
    // Probes, files and unknown paths have no limit.
    for (path, status) in [("/healthz", 200), ("/", 200), ("/api/nothing", 404)] {
        assert_eq!(read(world.get(path)).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn a_guest_with_a_device_is_counted_by_it_alone() {
    let world = World::with(|args| args.rates.guest = "2/1m".parse().unwrap()).await;
    let list = |device| read(world.get(GAMES).header("cookie", device_cookie(device)));
    for device in [1, 2] {
        assert_eq!(list(device).await.status, 200);
        assert_eq!(list(device).await.status, 200);
        let refused = list(device).await;
        assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    }
    // A cookie that was made up is none.
    let forged = || read(world.get(GAMES).header("cookie", "__Host-playon-device=x"));
    for _ in 0..2 {
        assert_eq!(forged().await.status, 200);
    }
    assert_eq!(forged().await.refusal(), (429, "DEVICE_NEEDED".into()));
}

#[tokio::test]
async fn a_browser_gets_one_device_for_a_captcha() {
    let world = World::new().await;
    let introduce = || world.send("POST", "/api/auth/device", r#"{"captcha":"solved"}"#);
    let introduced = read(introduce()).await;
    assert_eq!(introduced.status, 201);
    let cookie = introduced.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-playon-device=device-2;"), "{cookie}");
    // A browser that its player may be known on keeps its device.
    let again = read(introduce().header("cookie", device_cookie(1))).await;
    assert_eq!((again.status.as_u16(), again.header("set-cookie")), (201, None));
    let captchas = world.stub.received::<IntroduceDeviceRequest>();
    let captchas: Vec<_> = captchas.iter().map(|(_, request)| request.captcha.as_str()).collect();
    assert_eq!(captchas, ["solved"]);
}

#[tokio::test]
async fn players_are_counted_each_by_class() {
    let world = World::with(|args| {
        args.rates.read = "1/1m".parse().unwrap();
        args.rates.money = "1/1m".parse().unwrap();
    })
    .await;
    let (_, token) = world.tokens.player();
    let balance = || world.get(BALANCE).bearer_auth(&token);
    let top_up = || {
        let call = world.send("POST", "/api/payments/top-up", r#"{"amount":1}"#);
        call.bearer_auth(&token).header("idempotency-key", "attempt-1")
    };
    assert_eq!(read(balance()).await.status, 200);
    assert_eq!(read(balance()).await.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(read(top_up()).await.status, 200);
    assert_eq!(read(top_up()).await.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(read(world.get_signed_in(BALANCE)).await.status, 200);
}

#[tokio::test]
async fn only_failures_count_towards_their_limit() {
    let world = World::with(|args| args.rates.failures = "20/15m".parse().unwrap()).await;
    let sign_in = || world.send("POST", SIGN_IN, r#"{"email":"a@b.ke","password":"x"}"#);
    for _ in 0..30 {
        assert_eq!(read(sign_in()).await.status, 200);
    }
    world.stub.refuse(Fault::new(Code::Unauthenticated, "BAD_CREDENTIALS"));
    for _ in 0..20 {
        assert_eq!(read(sign_in()).await.refusal(), (401, "BAD_CREDENTIALS".into()));
    }
    assert_eq!(read(sign_in()).await.refusal(), (429, "DEVICE_NEEDED".into()));
    // A device has a tenth of what its address has.
    let on_device = || read(sign_in().header("cookie", device_cookie(1)));
    for _ in 0..2 {
        assert_eq!(on_device().await.refusal(), (401, "BAD_CREDENTIALS".into()));
    }
    assert_eq!(on_device().await.refusal(), (429, "RATE_LIMITED".into()));
    // Attempts with a code are counted apart.
    let verify =
        || world.send("POST", "/api/auth/phone/verify", r#"{"challengeId":"c","code":"1"}"#);
    world.stub.refuse(Fault::new(Code::Unauthenticated, "BAD_CODE"));
    for _ in 0..20 {
        assert_eq!(read(verify()).await.refusal(), (401, "BAD_CODE".into()));
    }
    assert_eq!(read(verify()).await.refusal(), (429, "DEVICE_NEEDED".into()));
}

#[tokio::test]
async fn wrong_passwords_of_a_player_are_counted_by_player_and_a_missing_token_is_not() {
    let world = World::with(|args| args.rates.failures = "2/15m".parse().unwrap()).await;
    let json = r#"{"email":"a@b.ke","oldPassword":"x","newPassword":"secret"}"#;
    for _ in 0..4 {
        let answer = read(world.send("PUT", "/api/auth/password", json)).await;
        assert_eq!(answer.refusal(), (401, "UNAUTHENTICATED".into()));
    }
    world.stub.refuse(Fault::new(Code::Unauthenticated, "REAUTH_FAILED"));
    let (_, token) = world.tokens.player();
    let change = || read(world.send("PUT", "/api/auth/password", json).bearer_auth(&token));
    for _ in 0..2 {
        assert_eq!(change().await.refusal(), (401, "REAUTH_FAILED".into()));
    }
    assert_eq!(change().await.refusal(), (429, "RATE_LIMITED".into()));
    let another = read(world.send_signed_in("PUT", "/api/auth/password", json)).await;
    assert_eq!(another.refusal(), (401, "REAUTH_FAILED".into()));
}

#[tokio::test]
async fn messages_have_a_limit_of_their_own_for_guests_and_players() {
    let world = World::with(|args| args.rates.message = "2/1m".parse().unwrap()).await;
    let start = || world.send("POST", "/api/auth/phone/start", "{}");
    let sign_up = || world.send_signed_in("POST", "/api/auth/sign-up", "{}");
    assert_eq!(read(start()).await.status, 200);
    assert_eq!(read(sign_up()).await.status, 201);
    assert_eq!(read(sign_up()).await.refusal(), (429, "DEVICE_NEEDED".into()));
    assert_eq!(read(start()).await.refusal(), (429, "DEVICE_NEEDED".into()));
    assert_eq!(read(start().header("cookie", device_cookie(1))).await.status, 200);
    // Other calls of that address are served.
    assert_eq!(read(world.get(PROVIDERS)).await.status, 200);
}

#[tokio::test]
async fn a_message_that_was_not_sent_is_not_counted() {
    let world = World::with(|args| args.rates.message = "2/1m".parse().unwrap()).await;
    let start = || world.send("POST", "/api/auth/phone/start", "{}");
    world.stub.refuse(Fault::new(Code::InvalidArgument, "CAPTCHA_EXPIRED"));
    for _ in 0..5 {
        assert_eq!(read(start()).await.refusal(), (400, "CAPTCHA_EXPIRED".into()));
        let malformed = world.send("POST", "/api/auth/phone/start", "{");
        assert_eq!(read(malformed).await.status, 400);
    }
    world.stub.refuse(Fault::new(Code::ResourceExhausted, "RATE_LIMITED"));
    for _ in 0..2 {
        assert_eq!(read(start()).await.refusal(), (429, "RATE_LIMITED".into()));
    }
    assert_eq!(read(start()).await.refusal(), (429, "DEVICE_NEEDED".into()));
}

#[tokio::test]
async fn an_address_has_its_share_of_codes_for_strange_devices() {
    let world = World::with(|args| args.rates.strange_code = "2/1h".parse().unwrap()).await;
    let start = async |device: &str| {
        let call = world.send("POST", "/api/auth/phone/start", "{}");
        read(call.header("cookie", format!("__Host-playon-device={device}"))).await.status
    };
    // Codes that are not sent, and those of known devices, cost nothing.
    world.stub.refuse(Fault::new(Code::InvalidArgument, "CAPTCHA_EXPIRED"));
    assert_eq!(start("strange").await, 400);
    world.stub.allow();
    for device in [KNOWN_DEVICE, KNOWN_DEVICE, "strange", "strange", "strange", KNOWN_DEVICE] {
        assert_eq!(start(device).await, 200);
    }
    let received = world.stub.received::<StartPhoneSignInRequest>();
    let spent: Vec<_> = received.iter().map(|(_, request)| request.address_spent).collect();
    assert_eq!(spent, [false, false, false, false, false, true, true]);
}

#[tokio::test]
async fn junk_of_one_phone_keeps_nobody_behind_its_address_out() {
    let world = World::with(|args| {
        let few = || "2/1m".parse().unwrap();
        args.rates.guest = few();
        args.rates.sign_in = few();
        args.rates.code = few();
        args.rates.message = few();
        args.rates.reset = few();
        args.rates.feedback = few();
    })
    .await;
    let calls = [
        ("GET", GAMES, ""),
        ("POST", SIGN_IN, r#"{"email":"a@b.ke","password":"x"}"#),
        ("POST", "/api/auth/phone/verify", r#"{"challengeId":"c","code":"1"}"#),
        ("POST", "/api/auth/password/reset", r#"{"email":"a@b.ke"}"#),
        ("POST", "/api/auth/phone/start", "{}"),
        ("POST", "/api/contact-us/feedback", "{}"),
    ];
    for (method, path, json) in calls {
        let call = || world.send(method, path, json);
        for _ in 0..3 {
            read(call()).await;
        }
        assert_eq!(read(call()).await.refusal(), (429, "DEVICE_NEEDED".into()), "{path}");
        // A known device, or one that solved a captcha, is served.
        let honest = read(call().header("cookie", device_cookie(1))).await;
        assert_ne!(honest.status, 429, "{path}");
    }
    // The calls that lead to a device have no limit by address, nor has the renewal of a session.
    for _ in 0..5 {
        assert_eq!(read(world.get("/api/auth/captcha")).await.status, 200);
        assert_eq!(read(world.call("HEAD", "/api/auth/login")).await.status, 200);
        assert_eq!(read(world.send("POST", "/api/auth/refresh", "{}")).await.status, 200);
        let introduce = world.send("POST", "/api/auth/device", r#"{"captcha":"solved"}"#);
        assert_eq!(read(introduce).await.status, 201);
    }
}

#[tokio::test]
async fn callbacks_from_a_providers_network_are_not_counted() {
    let hook = |world: &World| world.send("POST", "/hooks/stk/secret", "{}");
    let counted = World::with(|args| args.rates.hook = "1/1m".parse().unwrap()).await;
    read(hook(&counted)).await;
    assert_eq!(read(hook(&counted)).await.status, 429);
    let exempt = World::with(|args| {
        args.rates.hook = "1/1m".parse().unwrap();
        args.rates.hook_networks = "127.0.0.0/8".parse().unwrap();
    })
    .await;
    for _ in 0..5 {
        assert_ne!(read(hook(&exempt)).await.status, 429);
    }
}

#[tokio::test]
async fn a_forwarded_address_is_used_from_a_trusted_proxy_alone() {
    let limited = |args: &mut gateway::Args| args.rates.guest = "1/1m".parse().unwrap();
    let world = World::with(|args| {
        limited(args);
        args.trusted_proxies = "127.0.0.0/8".parse().unwrap();
    })
    .await;
    let from =
        |world: &World, client: &str| read(world.get(PROVIDERS).header("x-forwarded-for", client));
    assert_eq!(from(&world, "198.51.100.1").await.status, 200);
    assert_eq!(from(&world, "198.51.100.1").await.status, 429);
    assert_eq!(from(&world, "6.6.6.6, 198.51.100.1").await.status, 429);
    assert_eq!(from(&world, "198.51.100.2").await.status, 200);

    let world = World::with(limited).await;
    assert_eq!(from(&world, "198.51.100.1").await.status, 200);
    assert_eq!(from(&world, "198.51.100.2").await.status, 429);
}

#[tokio::test]
async fn replicas_count_money_together_and_reads_each_for_itself() {
    let redis = testkit::redis_url();
    let change = |args: &mut gateway::Args| {
        args.redis_url = Some(redis.clone());
        args.rates.money = "2/1m".parse().unwrap();
        args.rates.read = "2/1m".parse().unwrap();
    };
    let world = World::with(change).await;
    let replica = World::with(|args| {
        change(args);
        args.upstreams = world.upstreams.clone();
    })
    .await;
    let (_, token) = world.tokens.player();
    let top_up = |world: &World| {
        let call = world.send("POST", "/api/payments/top-up", r#"{"amount":1}"#);
        read(call.bearer_auth(&token).header("idempotency-key", "attempt-1"))
    };
    assert_eq!(top_up(&world).await.status, 200);
    assert_eq!(top_up(&replica).await.status, 200);
    assert_eq!(top_up(&world).await.status, 429);
    assert_eq!(top_up(&replica).await.status, 429);

    for replica in [&world, &replica] {
        let mut statuses = Vec::new();
        for _ in 0..3 {
            statuses.push(read(replica.get(BALANCE).bearer_auth(&token)).await.status);
        }
        assert_eq!(statuses, [200, 200, 429]);
    }
}

#[tokio::test]
async fn without_redis_each_replica_counts_by_itself() {
    let world = World::with(|args| {
        args.redis_url = Some("redis://127.0.0.1:1".parse().unwrap());
        args.rates.guest = "2/1m".parse().unwrap();
    })
    .await;
    assert_eq!(read(world.get(PROVIDERS)).await.status, 200);
    assert_eq!(read(world.get(PROVIDERS)).await.status, 200);
    assert_eq!(read(world.get(PROVIDERS)).await.status, 429);
}

#[tokio::test]
async fn a_service_that_refuses_calls_for_lack_of_capacity_gets_no_more_than_it_takes() {
    const ROOMS: &str = "/api/chat-rooms/list";
    let world = World::new().await;
    let mut overload = Status::from(Fault::overloaded());
    overload.metadata_mut().insert("refused", "overload".parse().unwrap());
    world.stub.refuse(overload);
    assert_eq!(read(world.get(GAMES)).await.refusal(), (503, "OVERLOADED".into()));
    world.stub.allow();
    // The gateway's limit is 32 calls in flight at least, of which reads get half.
    world.stub.delay(Duration::from_secs(20));
    let mut waiting = JoinSet::new();
    for _ in 0..16 {
        waiting.spawn(world.get(GAMES).send());
    }
    let received = || world.stub.received::<ListGamesRequest>().len();
    testkit::eventually("sixteen calls are in flight", async || (received() == 17).then_some(()))
        .await;
    let shed = read(world.get(GAMES)).await;
    assert_eq!(shed.refusal(), (503, "OVERLOADED".into()));
    assert_eq!(shed.header("retry-after"), Some("2"));
    assert_eq!(received(), 17, "the gateway refused it by itself");
    // Other services are called.
    world.stub.delay(Duration::ZERO);
    assert_eq!(read(world.get_signed_in(ROOMS)).await.status, 200);
}

#[tokio::test]
async fn a_run_is_counted_by_its_play_session_whatever_its_address_does() {
    let world = World::with(|args| {
        args.rates.guest = "2/1m".parse().unwrap();
        args.rates.score = "2/10s".parse().unwrap();
    })
    .await;
    for _ in 0..4 {
        read(world.get("/api/games/list")).await;
    }
    assert_eq!(read(world.get("/api/games/list")).await.status, 429);
    let submit = async |session: &str| {
        let body = format!(r#"{{"session":"{session}","inputs":"","points":1}}"#);
        read(world.send("POST", "/api/scores", &body)).await
    };
    let (one, another) = ("1".repeat(43), "2".repeat(43));
    let mut served = 0;
    let refused = loop {
        let reply = submit(&one).await;
        if reply.status != 200 {
            break reply;
        }
        served += 1;
    };
    assert!((2..=4).contains(&served), "{served}");
    assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!(wait <= 10, "{wait}");
    assert_eq!(submit(&another).await.status, 200);
}

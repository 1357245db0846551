//! The security headers of every reply.

use std::time::Duration;

use crate::world::{PICTURE, World, read};

const EVERYTHING: [&str; 8] = [
    "/",
    "/wallet",
    "/assets/app-1a2b.js",
    "/assets/missing.js",
    "/api/auth/providers",
    "/api/nothing",
    "/.well-known/jwks.json",
    "/healthz",
];

#[tokio::test]
async fn every_reply_has_the_security_headers() {
    let world = World::new().await;
    for path in EVERYTHING {
        let answer = read(world.get(path).header("accept", "text/html")).await;
        let policy = answer.header("content-security-policy").unwrap();
        for part in [
            "default-src 'self'",
            "script-src 'self';",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob: https:",
            "connect-src 'self'",
            "worker-src 'self';",
            "form-action 'self'",
            "frame-src https://*.playon-games.example https://www.youtube-nocookie.com;",
            "base-uri 'none'",
            "object-src 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {part}");
        }
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("strict-origin-when-cross-origin"));
        assert!(answer.header("permissions-policy").is_some(), "{path}");
        assert!(answer.header("cross-origin-opener-policy").is_some(), "{path}");
        let strict = answer.header("strict-transport-security");
        assert_eq!(strict, Some("max-age=31536000"), "{path}");
    }
}

#[tokio::test]
async fn hsts_is_sent_as_configured() {
    let day = Duration::from_hours(24);
    let world = World::with(|args| args.hsts_max_age = Some(day)).await;
    let answer = read(world.get("/")).await;
    assert_eq!(
        answer.header("strict-transport-security"),
        Some("max-age=86400; includeSubDomains")
    );
}

#[tokio::test]
async fn hsts_is_not_sent_without_https_or_when_it_is_switched_off() {
    let off = |args: &mut gateway::Args| args.hsts_max_age = Some(Duration::ZERO);
    let plain = |args: &mut gateway::Args| args.public_url = "http://127.0.0.1".parse().unwrap();
    for change in [off as fn(&mut gateway::Args), plain] {
        let world = World::with(change).await;
        assert_eq!(read(world.get("/")).await.header("strict-transport-security"), None);
    }
}

#[tokio::test]
async fn no_other_origin_is_allowed() {
    let world = World::new().await;
    let call = world
        .call("OPTIONS", "/api/auth/sign-in")
        .header("origin", "https://example.com")
        .header("access-control-request-method", "POST");
    let answer = read(call).await;
    assert_eq!(answer.status, 405);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let call = world.get("/api/auth/providers").header("origin", "https://example.com");
    assert_eq!(read(call).await.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_reply_without_its_own_caching_is_not_stored() {
    let world = World::new().await;
    for call in [
        world.call("HEAD", "/api/auth/login"),
        world.call("POST", "/api/games/list"),
        world.get(PICTURE).header("range", "bytes=999-"),
        world.get("/healthz"),
        world.send("POST", "/hooks/stk/0123456789abcdef0123456789abcdef", "{}"),
    ] {
        let answer = read(call).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
    }
}

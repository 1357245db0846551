//! The games' origin.

use proto::games::v1::GetRulesRequest;

use crate::{
    stub::OTHER_RULES,
    world::{World, read},
};

/// The SHA-256 of `tests/games/ajua/rules.wasm`.
const RULES: &str = "6c621d1a05138a7888d37d9269a9da8e2e11e4aced2f6cfd24b05ab1b9e61bb0";

async fn world() -> World {
    World::with(|args| {
        args.games.listen = Some(([127, 0, 0, 1], 0).into());
        args.public_url = "https://playon.example".parse().unwrap();
    })
    .await
}

#[tokio::test]
async fn a_game_has_a_page_that_knows_the_apps_origin() {
    let world = world().await;
    let page = read(world.get_game("/play/ajua/?username=p#session=s")).await;
    assert_eq!(page.status, 200);
    assert!(
        page.text().contains(r#"<meta name="playon-origin" content="https://playon.example">"#)
    );
    assert_eq!(page.header("content-type"), Some("text/html"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("connect-src 'self' https://playon.example;"), "{policy}");
    assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval';"), "{policy}");
    assert!(policy.ends_with("frame-ancestors https://playon.example"), "{policy}");
}

#[tokio::test]
async fn a_games_files_are_at_the_games_own_host_alone() {
    let world = world().await;
    for host in ["duma-dash.playon-games.example", "playon-games.example", "playon.example"] {
        for path in [
            "/play/ajua/?username=p",
            "/play/ajua/index.html",
            "/play/%61jua/index.html",
            "/play/ajua%2Findex.html",
            "/play/ajua/rules.wasm",
            "/play/ajua/assets/main-1a2b.js",
        ] {
            let page = read(world.get_game_at(host, path)).await;
            let own = format!("https://ajua.playon-games.example{path}");
            let reply = (page.status.as_u16(), page.header("location"));
            assert_eq!(reply, (307, Some(own.as_str())), "{host} {path}");
        }
    }
}

#[tokio::test]
async fn rules_are_cached_by_their_hash_and_bundles_by_their_name() {
    let world = world().await;
    let for_ever = Some("public, max-age=31536000, immutable");
    for (path, caching) in [
        (format!("/play/ajua/rules.wasm?{RULES}"), for_ever),
        ("/play/ajua/rules.wasm".to_owned(), Some("no-cache")),
        // These rules are of another version, which svc-games keeps.
        (format!("/play/ajua/rules.wasm?{OTHER_RULES}"), for_ever),
        ("/play/ajua/rules.wasm?v=2".to_owned(), Some("no-cache")),
        ("/play/ajua/assets/main-1a2b.js".to_owned(), for_ever),
    ] {
        let file = read(world.get_game(&path)).await;
        assert_eq!((file.status.as_u16(), file.header("cache-control")), (200, caching), "{path}");
    }
    let rules = read(world.get_game("/play/ajua/rules.wasm")).await;
    assert_eq!(rules.header("content-type"), Some("application/wasm"));
    let path = format!("/play/ajua/rules.wasm?{OTHER_RULES}");
    let others = read(world.get_game(&path)).await;
    assert_eq!(others.header("content-type"), Some("application/wasm"));
    assert_eq!(others.text(), "a module");
    assert_eq!(world.stub.received::<GetRulesRequest>().len(), 1, "it is kept");
    let unknown = path.replace(OTHER_RULES, &"0".repeat(64));
    assert_eq!(read(world.get_game(&unknown)).await.status, 404);
}

#[tokio::test]
async fn nothing_else_is_there() {
    let world = world().await;
    for path in [
        "/",
        "/play/",
        "/play/chess/",
        "/play/ajua/game.yaml",
        "/play/ajua/../../world.rs",
        "/api/games/list",
        "/index.html",
    ] {
        assert_eq!(read(world.get_game(path)).await.status, 404, "{path}");
    }
    // The app's origin has no games, so that none reads its storage.
    assert_ne!(read(world.get("/play/ajua/assets/main-1a2b.js")).await.status, 200);
}

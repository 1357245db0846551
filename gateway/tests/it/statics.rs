//! The web app's files.

use std::path::PathBuf;

use crate::world::{Answer, World, read};

async fn page(world: &World, path: &str) -> Answer {
    read(world.get(path).header("accept", "text/html,*/*;q=0.8")).await
}

#[tokio::test]
async fn the_page_is_given_for_every_path_that_a_reader_may_open() {
    let world = World::new().await;
    for path in ["/", "/index.html", "/account/wallet", "/waiting?payment=p-1", "/games/7"] {
        let answer = page(&world, path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.text().contains("<title>PlayOn</title>"), "{path}");
        assert_eq!(answer.header("content-type"), Some("text/html"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
    }
    assert_eq!(read(world.get("/")).await.status, 200);
}

#[tokio::test]
async fn bundles_are_kept_for_ever_and_others_asked_about() {
    let world = World::new().await;
    let answer = read(world.get("/assets/app-1a2b.js")).await;
    assert_eq!(answer.text(), "console.log(\"bundle\");\n");
    assert_eq!(answer.header("content-type"), Some("text/javascript"));
    assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let answer = read(world.get("/service-worker.js")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
}

#[tokio::test]
async fn what_is_missing_is_missing() {
    let world = World::new().await;
    for path in ["/assets/gone-9f9f.js", "/assets/", "/assets"] {
        let answer = page(&world, path).await;
        if path == "/assets" {
            assert_eq!(answer.header("cache-control"), Some("no-cache"));
        } else {
            assert_eq!(answer.status, 404, "{path}");
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        }
    }
    // A script's own request is not answered with a page.
    for path in ["/gone.js", "/manifest.json"] {
        assert_eq!(read(world.get(path)).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn nothing_outside_the_folder_and_nothing_hidden_is_given() {
    let world = World::new().await;
    for path in [
        "/.hidden",
        "/%2ehidden",
        "/%2Ehidden",
        "/assets/..%2f.hidden",
        "/assets%2f..%2f.hidden",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/..%2f..%2f..%2fCargo.toml",
    ] {
        let answer = read(world.get(path)).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn compressed_files_are_given_to_those_who_take_them() {
    let world = World::new().await;
    let call = world.get("/assets/app-1a2b.js").header("accept-encoding", "gzip");
    let answer = read(call).await;
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    assert_eq!(&answer.body[..2], [0x1f, 0x8b]);
    assert_eq!(answer.header("content-type"), Some("text/javascript"));
}

#[tokio::test]
async fn only_a_bundle_is_ever_unchanged() {
    let world = World::new().await;
    let bundle = read(world.get("/assets/app-1a2b.js")).await;
    let since = bundle.header("last-modified").unwrap();
    let again = read(world.get("/assets/app-1a2b.js").header("if-modified-since", since)).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));

    // The others' time and size say nothing.
    let tomorrow = "Fri, 01 Jan 2100 00:00:00 GMT";
    for path in ["/", "/index.html", "/account/wallet", "/service-worker.js"] {
        let call = world.get(path).header("accept", "text/html");
        let call = call.header("if-modified-since", tomorrow).header("if-none-match", "*");
        let answer = read(call.header("range", "bytes=0-3")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.body.len() > 4, "{path}");
        assert_eq!(answer.header("last-modified"), None, "{path}");
        assert_eq!(answer.header("etag"), None, "{path}");
    }
}

#[tokio::test]
async fn files_are_only_read() {
    let world = World::new().await;
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = read(world.call(method, "/account/wallet")).await;
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("allow"), Some("GET,HEAD"));
    }
    let answer = read(world.call("HEAD", "/").header("accept", "text/html")).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
}

#[tokio::test]
async fn an_app_that_is_not_built_is_said_to_be() {
    let nowhere = PathBuf::from("/nonexistent/web");
    let world = World::with(|args| args.web_root = nowhere).await;
    let answer = page(&world, "/").await;
    assert_eq!(answer.status, 503);
    assert!(answer.text().contains("not built"));
    assert_eq!(read(world.get("/api/auth/providers")).await.status, 200);
}

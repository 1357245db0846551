//! The web app's files.

use std::path::PathBuf;

use crate::world::{Answer, World, read};

async fn page(world: &World, path: &str) -> Answer {
    read(world.get(path).header("accept", "text/html,*/*;q=0.8")).await
}

#[tokio::test]
async fn every_path_that_a_player_may_open_is_the_page() {
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
async fn a_page_that_the_build_rendered_is_served_under_its_path() {
    let world = World::new().await;
    let answer = page(&world, "/privacy").await;
    assert!(answer.text().contains("<title>Privacy Policy</title>"));
    assert_eq!(answer.header("content-type"), Some("text/html"));
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    // A script's own request is not answered with a page.
    assert_eq!(read(world.get("/privacy")).await.status, 404);
}

#[tokio::test]
async fn a_page_that_the_build_rendered_for_a_folder_is_served_for_each_name_in_it() {
    let world = World::new().await;
    for path in ["/chat-room/7", "/chat-room/a%2Fb"] {
        assert!(page(&world, path).await.text().contains("<title>Chat rooms</title>"), "{path}");
    }
    for path in ["/chat-room", "/chat-room/", "/chat-room/7/8", "/"] {
        assert!(page(&world, path).await.text().contains("<title>PlayOn</title>"), "{path}");
    }
}

#[tokio::test]
async fn bundles_are_cached_for_ever_and_other_files_asked_for_again() {
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
async fn a_missing_file_is_not_found() {
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
async fn nothing_outside_the_folder_and_no_hidden_file_is_served() {
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
async fn a_file_is_served_compressed_to_a_client_that_accepts_it() {
    let world = World::new().await;
    let call = world.get("/assets/app-1a2b.js").header("accept-encoding", "gzip");
    let answer = read(call).await;
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    assert_eq!(&answer.body[..2], [0x1f, 0x8b]);
    assert_eq!(answer.header("content-type"), Some("text/javascript"));
    assert_eq!(answer.header("vary"), Some("accept-encoding"));
    let plain = read(world.get("/assets/app-1a2b.js")).await;
    assert_ne!(answer.header("etag"), plain.header("etag"));
    assert_eq!(read(world.get("/assets/app-1a2b.js.gz")).await.status, 404);
}

#[tokio::test]
async fn a_file_is_unchanged_by_its_content_and_never_by_its_time() {
    let world = World::new().await;
    let tomorrow = "Fri, 01 Jan 2100 00:00:00 GMT";
    for path in ["/", "/index.html", "/account/wallet", "/service-worker.js", "/assets/app-1a2b.js"]
    {
        let call = || world.get(path).header("accept", "text/html");
        let answer = read(call()).await;
        let tag = answer.header("etag").unwrap();
        for tags in [tag.to_owned(), format!("\"other\", W/{tag}")] {
            let again = read(call().header("if-none-match", tags)).await;
            assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
            assert_eq!(again.header("etag"), Some(tag), "{path}");
            assert_eq!(again.header("cache-control"), answer.header("cache-control"), "{path}");
        }

        // No date, range or tag `*` makes the gateway send less than the whole file.
        let call = call().header("if-modified-since", tomorrow).header("if-none-match", "*");
        let whole = read(call.header("range", "bytes=0-3")).await;
        assert_eq!(whole.status, 200, "{path}");
        assert_eq!(whole.body, answer.body, "{path}");
        assert_eq!(whole.header("last-modified"), None, "{path}");
    }
}

#[tokio::test]
async fn files_can_be_read_alone() {
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
async fn without_a_built_app_its_pages_are_unavailable() {
    let nowhere = PathBuf::from("/nonexistent/web");
    let world = World::with(|args| args.web_root = nowhere).await;
    let answer = page(&world, "/").await;
    assert_eq!(answer.status, 503);
    assert!(answer.text().contains("not built"));
    assert_eq!(read(world.get("/api/auth/providers")).await.status, 200);
}

//! Stored media, as a browser reads them.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use proto::{auth::v1::FindUnusedPicturesRequest, chat::v1::FindUnusedMediaRequest};
use reqwest::RequestBuilder;

use crate::world::{PICTURE, World, read, store};

fn file(world: &World, url: &str) -> PathBuf {
    world.media.join(url.strip_prefix("/media/").unwrap())
}

fn write(world: &World, url: &str, content: &str) {
    let file = file(world, url);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

fn picture(world: &World) -> RequestBuilder {
    world.get(PICTURE)
}

#[tokio::test]
async fn a_picture_is_cached_for_ever_and_executes_nothing() {
    let world = World::new().await;
    let answer = read(picture(&world)).await;
    assert_eq!((answer.status.as_u16(), answer.text()), (200, "0123456789"));
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("content-length", "10"),
        ("content-disposition", "inline"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("accept-ranges", "bytes"),
        ("etag", "\"0123456789abcdef0123456789abcdef\""),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
}

#[tokio::test]
async fn documents_are_attachments_and_media_are_inline() {
    let world = World::new().await;
    for (extension, content_type, disposition) in [
        ("mp4", "video/mp4", "inline"),
        ("mp3", "audio/mpeg", "inline"),
        ("pdf", "application/pdf", "attachment"),
        ("zip", "application/zip", "attachment"),
        ("txt", "text/plain; charset=utf-8", "attachment"),
    ] {
        let url = PICTURE.replace("profile", "chat").replace("jpg", extension);
        write(&world, &url, "content");
        let answer = read(world.get(&url)).await;
        assert_eq!(answer.header("content-type"), Some(content_type));
        assert_eq!(answer.header("content-disposition"), Some(disposition));
    }
}

#[tokio::test]
async fn a_range_of_a_file_can_be_read() {
    let world = World::new().await;
    for (range, status, content, content_range) in [
        ("bytes=0-3", 206, "0123", Some("bytes 0-3/10")),
        ("bytes=7-", 206, "789", Some("bytes 7-9/10")),
        ("bytes=-2", 206, "89", Some("bytes 8-9/10")),
        ("bytes=4-99", 206, "456789", Some("bytes 4-9/10")),
        ("bytes=10-", 416, "", Some("bytes */10")),
        ("bytes=0-1,4-5", 200, "0123456789", None),
        ("nonsense", 200, "0123456789", None),
    ] {
        let answer = read(picture(&world).header("range", range)).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (status, content), "{range}");
        assert_eq!(answer.header("content-range"), content_range, "{range}");
        let length = content.len().to_string();
        assert_eq!(answer.header("content-length"), Some(&*length), "{range}");
    }
    let call = picture(&world).header("range", "bytes=0-3").header("if-range", "\"older\"");
    assert_eq!(read(call).await.status, 200);
}

#[tokio::test]
async fn a_cached_file_is_not_sent_again() {
    let world = World::new().await;
    let tag = "\"0123456789abcdef0123456789abcdef\"";
    let answer = read(picture(&world).header("if-none-match", tag)).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0));
    assert_eq!(answer.header("etag"), Some(tag));
    let answer = read(picture(&world).header("if-none-match", "\"other\"")).await;
    assert_eq!(answer.status, 200);

    let answer = read(world.call("HEAD", PICTURE).header("range", "bytes=0-3")).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
    assert_eq!(answer.header("content-length"), Some("10"));
}

#[tokio::test]
async fn media_are_not_compressed() {
    let world = World::new().await;
    write(&world, PICTURE, &"0123456789".repeat(1_000));
    let answer = read(picture(&world).header("accept-encoding", "gzip")).await;
    assert_eq!(answer.header("content-encoding"), None);
    assert_eq!(answer.body.len(), 10_000);
}

#[tokio::test]
async fn no_other_file_can_be_read() {
    let world = World::new().await;
    fs::write(world.media.join("secret.jpg"), "secret").unwrap();
    fs::write(file(&world, PICTURE).with_file_name("evil.html"), "<script>").unwrap();
    let folder = "/media/profile/01234567-89ab-7def-8123-456789abcdef";
    for path in [
        "/media",
        "/media/",
        "/media/profile",
        "/media/profile/",
        folder,
        &format!("{folder}/"),
        "/media/secret.jpg",
        &format!("{folder}/evil.html"),
        &format!("{folder}/../../secret.jpg"),
        &format!("{folder}/..%2f..%2fsecret.jpg"),
        &format!("{folder}/%2e%2e%2f%2e%2e%2fsecret.jpg"),
        "/media/profile/../secret.jpg",
        "/media/profile/..%2f/secret.jpg",
        "/media/%2e%2e/%2e%2e/secret.jpg",
        "/media/profile/..%5c/secret.jpg",
        "/media//etc/passwd",
        "/media/%2fetc/passwd/x.jpg",
        &format!("{folder}/%00.jpg"),
        &format!("{folder}/%ff.jpg"),
        &PICTURE.replace("jpg", "png"),
        &PICTURE.replace("0123456789abcdef.", "0123456789abcdee."),
        &PICTURE.replace(".jpg", "%2ejpg%00"),
    ] {
        // The path is sent unchanged, because a client library would normalise it.
        let answer = world.raw_get(path).await;
        assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
        assert!(answer.contains("\"NOT_FOUND\"") && !answer.contains("secret"), "{path}");
    }
    let answer = read(world.call("POST", PICTURE)).await;
    assert_eq!(answer.refusal(), (405, "HTTP_METHOD_NOT_ALLOWED".into()));
}

#[tokio::test]
async fn unused_pictures_older_than_a_day_are_deleted() {
    let world = World::with(|args| args.media.media_sweep = Duration::from_millis(20)).await;
    let pictures = ["a", "b", "c", "d"]
        .map(|digit| PICTURE.replace("0123456789abcdef.", &format!("{}.", digit.repeat(16))));
    let [old, used, young, chat] = &pictures;
    // svc-chat is asked about this file, and does not call it unused.
    let chat = chat.replace("profile", "chat");
    let now = SystemTime::from(world.base.clock.now());
    let hour = Duration::from_hours(1);
    for (url, age) in [(old, 25 * hour), (used, 25 * hour), (young, 23 * hour), (&chat, 99 * hour)]
    {
        write_at(&world, url, now - age);
    }
    // svc-auth's reply names pictures that it was not asked about, too.
    world.stub.unuse_pictures(&[old, young, &chat]);
    world.stub.unuse_media(&[]);
    testkit::eventually("the old picture is deleted", async || {
        (!file(&world, old).exists()).then_some(())
    })
    .await;
    for left in [used, young, &chat, PICTURE] {
        assert!(file(&world, left).exists(), "{left}");
    }
    for (metadata, asked) in world.stub.received::<FindUnusedPicturesRequest>() {
        assert!(asked.urls.iter().all(|url| url == old || url == used), "{asked:?}");
        assert!(metadata.get("authorization").is_none());
    }
}

#[tokio::test]
async fn a_file_that_no_message_has_is_deleted_with_its_thumbnail() {
    let world = World::with(|args| args.media.media_sweep = Duration::from_millis(20)).await;
    let long_ago = SystemTime::from(world.base.clock.now()) - Duration::from_hours(25);
    let file_of = |digit: &str| {
        let shaped = format!("{}-640x480-{}.", digit.repeat(32), "4c".repeat(28));
        let name = "0123456789abcdef0123456789abcdef.";
        PICTURE.replace("profile", "chat").replace(name, &shaped)
    };
    let thumbnail_of = |url: &str| url.replace(".jpg", "-tjpg.jpg");
    let (gone, used) = (file_of("a"), file_of("b"));
    for url in [&gone, &used] {
        write_at(&world, url, long_ago);
        write_at(&world, &thumbnail_of(url), long_ago);
    }
    // A crash between the deletions of picture and thumbnail left this thumbnail.
    let orphan = thumbnail_of(&file_of("c"));
    write_at(&world, &orphan, long_ago);
    world.stub.unuse_media(&[&gone, &file_of("c"), "/media/chat/other"]);
    testkit::eventually("the unused files are deleted", async || {
        let all = [&gone, &thumbnail_of(&gone), &orphan];
        all.iter().all(|url| !file(&world, url).exists()).then_some(())
    })
    .await;
    for left in [&used, &thumbnail_of(&used)] {
        assert!(file(&world, left).exists(), "{left}");
    }
    for (_, asked) in world.stub.received::<FindUnusedMediaRequest>() {
        assert!(asked.urls.iter().all(|url| !url.contains("-tjpg")), "{asked:?}");
    }
}

#[tokio::test]
async fn no_picture_is_deleted_when_svc_auth_calls_all_of_them_unused() {
    let world = World::with(|args| args.media.media_sweep = Duration::from_millis(20)).await;
    let long_ago = SystemTime::from(world.base.clock.now()) - Duration::from_hours(25);
    let pictures: Vec<_> = (0..20)
        .map(|n| PICTURE.replace("0123456789abcdef.", &format!("{n:016}.")))
        .inspect(|url| write_at(&world, url, long_ago))
        .collect();
    world.stub.unuse_pictures(&pictures.iter().map(String::as_str).collect::<Vec<_>>());
    // The second call begins after the first sweep.
    testkit::eventually("two sweeps", async || {
        let all = world.stub.received::<FindUnusedPicturesRequest>();
        (all.iter().filter(|(_, asked)| asked.urls.len() == 20).count() >= 2).then_some(())
    })
    .await;
    assert!(pictures.iter().all(|url| file(&world, url).exists()));
}

/// Writes a picture with a modification time.
fn write_at(world: &World, url: &str, modified_at: SystemTime) {
    store(&file(world, url), "content", modified_at);
}

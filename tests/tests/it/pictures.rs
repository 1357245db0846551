//! Pictures and other files that players send, and what is served of them.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};
use journeys::{Answer, Mesh, Reply};
use reqwest::Method;
use serde_json::json;

const PICTURE: &str = "PROFILE_PICTURE";
const CHAT: &str = "CHAT_MEDIA";
const PICTURE_LIMIT: usize = 10 * 1024 * 1024;
const CHAT_LIMIT: usize = 15_728_640;
const KEPT: &str = "public, max-age=31536000, immutable";

/// Left half red, right half blue.
fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let half = |x, _| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) };
    encoded(&DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, half)), format)
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG whose EXIF says: turned a quarter, taken by this camera at this place.
fn photograph() -> Vec<u8> {
    let jpeg = picture(800, 600, ImageFormat::Jpeg);
    let camera = b"SpyCam 3000 at -1.2921,36.8219\0";
    let mut tiff = Vec::from(*b"II*\0\x08\0\0\0\x02\0");
    // Orientation (0x0112), one SHORT: 6, turned clockwise to be seen upright.
    tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
    // Model (0x0110), ASCII, behind the directory at offset 38.
    tiff.extend([0x10, 0x01, 2, 0, u8::try_from(camera.len()).unwrap(), 0, 0, 0, 38, 0, 0, 0]);
    tiff.extend([0; 4]);
    tiff.extend(camera);
    let length = u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, b"Exif\0\0", &tiff, &jpeg[2..]].concat()
}

/// A PNG that says it is `side` pixels wide and high, and is nothing.
fn claim(side: u32) -> Vec<u8> {
    let mut png = picture(1, 1, ImageFormat::Png);
    for place in [16, 20] {
        png[place..place + 4].copy_from_slice(&side.to_be_bytes());
    }
    let crc = crc32(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&crc);
    png
}

/// As PNG has it (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (0_u32.wrapping_sub(crc & 1)))
        })
    })
}

fn url_of(reply: Reply) -> String {
    reply.ok()["url"].as_str().unwrap().to_owned()
}

async fn fetch(mesh: &Mesh, url: &str) -> Answer {
    Answer::to(mesh.call(Method::GET, url)).await
}

#[tokio::test]
async fn a_photograph_becomes_a_square_that_tells_nothing_of_its_maker() {
    let mesh = Mesh::from_env();
    let (player, reader) = (mesh.newcomer().await, mesh.newcomer().await);
    let url = url_of(player.upload(PICTURE, "me.jpg", &photograph()).await);
    assert!(url.starts_with(&format!("/media/profile/{}/", player.uid)), "{url}");
    assert_eq!(url.rsplit('.').next(), Some("jpg"), "{url}");

    let kept = fetch(&mesh, &url).await;
    assert_eq!(kept.status, 200);
    assert_eq!(kept.header("content-type"), Some("image/jpeg"));
    let image = image::load_from_memory_with_format(&kept.body, ImageFormat::Jpeg).unwrap();
    assert_eq!((image.width(), image.height()), (512, 512));
    for secret in [&b"Exif"[..], b"SpyCam", b"36.8219"] {
        assert!(!contains(&kept.body, secret), "metadata is left");
    }
    // Turned a quarter clockwise, what was left is above.
    let (above, below) = (image.get_pixel(256, 40), image.get_pixel(256, 470));
    assert!(above[0] > above[2] && below[2] > below[0], "it lies on its side: {above:?} {below:?}");

    assert_eq!(player.profile().await["profilePic"], url.as_str());
    let public = reader.get(&format!("/users/public/{}", player.uid)).await.ok();
    assert_eq!(public["profilePic"], url.as_str());
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn the_common_formats_are_pictures_whatever_they_are_called() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for (name, format) in [
        ("me.png", ImageFormat::Png),
        ("me.webp", ImageFormat::WebP),
        ("me.gif", ImageFormat::Gif),
        ("me.txt", ImageFormat::Jpeg),
        ("../../etc/passwd.html", ImageFormat::Png),
    ] {
        let url = url_of(player.upload(PICTURE, name, &picture(40, 30, format)).await);
        let kept = fetch(&mesh, &url).await;
        assert_eq!(kept.header("content-type"), Some("image/jpeg"), "{name}");
        let image = image::load_from_memory_with_format(&kept.body, ImageFormat::Jpeg).unwrap();
        assert_eq!(image.width(), image.height(), "{name}");
    }
}

#[tokio::test]
async fn what_is_no_picture_is_not_kept() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    let half = &picture(400, 400, ImageFormat::Png)[..200];
    for (what, bytes) in [
        ("a page", b"<!doctype html><script>alert(1)</script>".as_slice()),
        ("an SVG", svg.as_bytes()),
        ("a GIF in name alone", b"GIF89a/*<script>*/=1;alert(1)"),
        ("a program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
        ("half a picture", half),
        ("a claim", &claim(64)),
        ("nothing", b""),
    ] {
        let reply = player.upload(PICTURE, "me.png", bytes).await;
        let refused = matches!(reply.refusal(), (415, "UNSUPPORTED_MEDIA") | (400, _));
        assert!(refused, "{what}: {reply:?}");
    }
    assert_eq!(player.profile().await["profilePic"], json!(null));
}

#[tokio::test]
async fn a_picture_with_a_page_behind_it_is_kept_as_a_picture_alone() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let page = b"<html><script>alert(document.domain)</script></html>";
    let zip = b"PK\x03\x04\x14\0\0\0\0\0evil.js";
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif] {
        let polyglot = [&picture(64, 64, format), page.as_slice(), zip].concat();
        let kept = fetch(&mesh, &url_of(player.upload(PICTURE, "me.html", &polyglot).await)).await;
        assert_eq!(kept.header("content-type"), Some("image/jpeg"));
        assert!(!contains(&kept.body, b"<script>") && !contains(&kept.body, b"PK\x03\x04"));
    }
}

#[tokio::test]
async fn a_bomb_is_refused() {
    // 120 megabytes of nothing in a file of some hundred kilobytes.
    let bomb = encoded(&DynamicImage::new_luma8(11_000, 11_000), ImageFormat::Png);
    assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for bytes in [bomb, claim(u32::MAX >> 1), claim(60_000)] {
        let reply = player.upload(PICTURE, "me.png", &bytes).await;
        assert!(matches!(reply.refusal(), (413 | 415, _)), "{reply:?}");
    }
    assert_eq!(player.profile().await["profilePic"], json!(null));
}

#[tokio::test]
async fn a_file_has_a_limit() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for (kind, limit) in [(PICTURE, PICTURE_LIMIT), (CHAT, CHAT_LIMIT)] {
        let over = player.upload(kind, "big.jpg", &padded(limit + 1)).await;
        assert_eq!(over.refusal(), (413, "FILE_TOO_LARGE"), "{kind}");
        assert_eq!(over.message, "File size cannot exceed 10MB");
        let full = player.upload(kind, "big.jpg", &padded(limit)).await;
        assert_eq!(full.status, 200, "{kind}: {}", full.message);
    }
}

/// A picture with so many bytes: what follows a JPEG's end belongs to nobody.
fn padded(length: usize) -> Vec<u8> {
    let mut bytes = picture(32, 32, ImageFormat::Jpeg);
    bytes.resize(length, 0);
    bytes
}

#[tokio::test]
async fn nobody_sends_in_anothers_name() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.newcomer().await, mesh.newcomer().await);
    let file = picture(32, 32, ImageFormat::Png);
    let foreign = stranger.upload_as(&player.uid, PICTURE, "me.png", &file).await;
    assert_eq!(foreign.refusal(), (403, "PERMISSION_DENIED"));
    assert_eq!(player.profile().await["profilePic"], json!(null));
    assert_eq!(stranger.profile().await["profilePic"], json!(null));

    // Whatever id it came with, what is kept of chats is kept under the sender's.
    let sent = url_of(stranger.upload_as(&stranger.uid, CHAT, "me.png", &file).await);
    assert!(sent.starts_with(&format!("/media/chat/{}/", stranger.uid)), "{sent}");
    // Nor can the form make the picture another's.
    let reply = stranger.edit(&json!({"profilePic": sent})).await;
    assert_eq!(reply.status, 400);
}

#[tokio::test]
async fn a_form_that_is_none_is_told_so() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let json_body = player.post("/upload", &json!({"file": "x"})).await;
    assert!(matches!(json_body.status, 400 | 415), "{json_body:?}");
    let unknown = player.upload("PASSPORT", "me.png", &picture(8, 8, ImageFormat::Png)).await;
    assert_eq!(unknown.status, 400, "{}", unknown.message);
    for body in ["", "--x\r\n", "--x\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nhalf"]
    {
        let call = player.call(Method::POST, "/upload").body(body);
        let call = call.header("content-type", "multipart/form-data; boundary=x");
        assert_eq!(Reply::to(call).await.status, 400, "{body:?}");
    }
}

#[tokio::test]
async fn what_is_served_is_never_an_active_document() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let page = b"<!doctype html><html><script>alert(document.domain)</script></html>";
    let svg =
        br#"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#;
    let pdf = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF";
    for (name, bytes) in [
        ("a.html", page.as_slice()),
        ("a.png", page),
        ("a.svg", svg),
        ("a.pdf", pdf),
        ("a.js", b"alert(1)"),
    ] {
        let reply = player.upload(CHAT, name, bytes).await;
        if reply.status == 415 {
            continue;
        }
        let kept = fetch(&mesh, &url_of(reply)).await;
        let kind = kept.header("content-type").unwrap();
        let shown = ["image/png", "image/jpeg", "image/webp", "image/gif", "audio/", "video/"];
        assert!(
            !kind.contains("html") && !kind.contains("xml") && !kind.contains("javascript"),
            "{name}: {kind}"
        );
        let attached =
            kept.header("content-disposition").is_some_and(|word| word.starts_with("attachment"));
        assert!(attached || shown.iter().any(|start| kind.starts_with(start)), "{name}: {kind}");
        harmless(&kept, name);
    }
}

fn harmless(kept: &Answer, name: &str) {
    assert_eq!(kept.header("x-content-type-options"), Some("nosniff"), "{name}");
    assert_eq!(
        kept.header("content-security-policy"),
        Some("default-src 'none'; sandbox"),
        "{name}"
    );
    assert_eq!(kept.header("cache-control"), Some(KEPT), "{name}");
    assert_eq!(kept.header("access-control-allow-origin"), None, "{name}");
}

#[tokio::test]
async fn media_is_served_in_ranges_and_kept_for_a_year() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let file = picture(300, 200, ImageFormat::Png);
    let url = url_of(player.upload(CHAT, "board.png", &file).await);
    assert_eq!(url.rsplit('.').next(), Some("png"), "{url}");
    let whole = fetch(&mesh, &url).await;
    assert_eq!((whole.status, &whole.body), (200, &file), "kept as it came");
    assert_eq!(whole.header("content-type"), Some("image/png"));
    harmless(&whole, "whole");

    let range =
        |range: &'static str| Answer::to(mesh.call(Method::GET, &url).header("range", range));
    let part = range("bytes=10-19").await;
    assert_eq!((part.status, part.body.as_slice()), (206, &file[10..20]));
    let told = format!("bytes 10-19/{}", file.len());
    assert_eq!(part.header("content-range"), Some(told.as_str()));
    harmless(&part, "part");
    assert_eq!(range("bytes=-5").await.body, file[file.len() - 5..]);
    assert_eq!(range("bytes=99999999-").await.status, 416);
    let head = Answer::to(mesh.call(Method::HEAD, &url)).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[tokio::test]
async fn nothing_but_what_was_kept_is_served() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for path in [
        format!("/media/profile/{}/", player.uid),
        format!("/media/profile/{}", player.uid),
        format!("/media/profile/{}/no-such.jpg", player.uid),
        "/media/".to_owned(),
        "/media".to_owned(),
        "/media/..%2f..%2fsecrets".to_owned(),
        "/media/%00".to_owned(),
        "/media//etc/passwd".to_owned(),
    ] {
        let answer = fetch(&mesh, &path).await;
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
    }
}

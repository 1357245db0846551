//! Uploading pictures and other files, and how media is served.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};
use journeys::{Mesh, RawReply, Reply};
use reqwest::Method;
use serde_json::json;

const PICTURE: &str = "PROFILE_PICTURE";
const CHAT: &str = "CHAT_MEDIA";
const PICTURE_LIMIT: usize = 10 * 1024 * 1024;
const CHAT_LIMIT: usize = 15_728_640;
const CACHED_FOR_A_YEAR: &str = "public, max-age=31536000, immutable";

/// A picture whose left half is red and right half blue.
fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let half = |x, _| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) };
    encoded(&DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, half)), format)
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG with EXIF data: an orientation of a quarter turn, a camera and a place.
fn photograph() -> Vec<u8> {
    let jpeg = picture(800, 600, ImageFormat::Jpeg);
    let camera = b"SpyCam 3000 at -1.2921,36.8219\0";
    let mut tiff = Vec::from(*b"II*\0\x08\0\0\0\x02\0");
    // Orientation (0x0112), one SHORT: 6, to be rotated clockwise by a quarter.
    tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
    // Model (0x0110), ASCII, at offset 38 after the directory.
    tiff.extend([0x10, 0x01, 2, 0, u8::try_from(camera.len()).unwrap(), 0, 0, 0, 38, 0, 0, 0]);
    tiff.extend([0; 4]);
    tiff.extend(camera);
    let length = u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, b"Exif\0\0", &tiff, &jpeg[2..]].concat()
}

/// A PNG whose header claims to be `side` pixels wide and high, with the data of one
/// pixel.
fn png_claiming(side: u32) -> Vec<u8> {
    let mut png = picture(1, 1, ImageFormat::Png);
    for place in [16, 20] {
        png[place..place + 4].copy_from_slice(&side.to_be_bytes());
    }
    let crc = crc32(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&crc);
    png
}

/// The CRC of PNG chunks (ISO 3309).
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

async fn fetch(mesh: &Mesh, url: &str) -> RawReply {
    RawReply::to(mesh.call(Method::GET, url)).await
}

#[tokio::test]
async fn a_photograph_becomes_an_upright_square_without_metadata() {
    let mesh = Mesh::from_env();
    let (player, reader) = (mesh.new_player().await, mesh.new_player().await);
    let url = url_of(player.upload(PICTURE, "me.jpg", &photograph()).await);
    assert!(url.starts_with(&format!("/media/profile/{}/", player.uid)), "{url}");
    assert_eq!(url.rsplit('.').next(), Some("jpg"), "{url}");

    let stored = fetch(&mesh, &url).await;
    assert_eq!(stored.status, 200);
    assert_eq!(stored.header("content-type"), Some("image/jpeg"));
    let image = image::load_from_memory_with_format(&stored.body, ImageFormat::Jpeg).unwrap();
    assert_eq!((image.width(), image.height()), (512, 512));
    for secret in [&b"Exif"[..], b"SpyCam", b"36.8219"] {
        assert!(!contains(&stored.body, secret), "metadata remains");
    }
    // After a quarter turn clockwise the left half is the upper half.
    let (above, below) = (image.get_pixel(256, 40), image.get_pixel(256, 470));
    assert!(above[0] > above[2] && below[2] > below[0], "it was not rotated: {above:?} {below:?}");

    assert_eq!(player.profile().await["profilePic"], url.as_str());
    let public = reader.get(&format!("/users/public/{}", player.uid)).await.ok();
    assert_eq!(public["profilePic"], url.as_str());
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn common_picture_formats_are_accepted_under_any_file_name() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    for (name, format) in [
        ("me.png", ImageFormat::Png),
        ("me.webp", ImageFormat::WebP),
        ("me.gif", ImageFormat::Gif),
        ("me.txt", ImageFormat::Jpeg),
        ("../../etc/passwd.html", ImageFormat::Png),
    ] {
        let url = url_of(player.upload(PICTURE, name, &picture(40, 30, format)).await);
        let stored = fetch(&mesh, &url).await;
        assert_eq!(stored.header("content-type"), Some("image/jpeg"), "{name}");
        let image = image::load_from_memory_with_format(&stored.body, ImageFormat::Jpeg).unwrap();
        assert_eq!(image.width(), image.height(), "{name}");
    }
}

#[tokio::test]
async fn a_file_that_is_not_a_picture_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    let half = &picture(400, 400, ImageFormat::Png)[..200];
    for (what, bytes) in [
        ("a page", b"<!doctype html><script>alert(1)</script>".as_slice()),
        ("an SVG", svg.as_bytes()),
        ("a script with a GIF's signature", b"GIF89a/*<script>*/=1;alert(1)"),
        ("a program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
        ("half a picture", half),
        ("a PNG without its data", &png_claiming(64)),
        ("nothing", b""),
    ] {
        let reply = player.upload(PICTURE, "me.png", bytes).await;
        let refused = matches!(reply.refusal(), (415, "UNSUPPORTED_MEDIA") | (400, _));
        assert!(refused, "{what}: {reply:?}");
    }
    assert_eq!(player.profile().await["profilePic"], json!(null));
}

#[tokio::test]
async fn a_page_appended_to_a_picture_is_removed() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let page = b"<html><script>alert(document.domain)</script></html>";
    let zip = b"PK\x03\x04\x14\0\0\0\0\0evil.js";
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif] {
        let polyglot = [&picture(64, 64, format), page.as_slice(), zip].concat();
        let stored =
            fetch(&mesh, &url_of(player.upload(PICTURE, "me.html", &polyglot).await)).await;
        assert_eq!(stored.header("content-type"), Some("image/jpeg"));
        assert!(!contains(&stored.body, b"<script>") && !contains(&stored.body, b"PK\x03\x04"));
    }
}

#[tokio::test]
async fn decompression_bombs_are_refused() {
    // A file of some hundred kilobytes, which takes 120 MB decoded.
    let bomb = encoded(&DynamicImage::new_luma8(11_000, 11_000), ImageFormat::Png);
    assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    for bytes in [bomb, png_claiming(u32::MAX >> 1), png_claiming(60_000)] {
        let reply = player.upload(PICTURE, "me.png", &bytes).await;
        assert!(matches!(reply.refusal(), (413 | 415, _)), "{reply:?}");
    }
    assert_eq!(player.profile().await["profilePic"], json!(null));
}

#[tokio::test]
async fn a_file_over_the_limit_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    for (kind, limit) in [(PICTURE, PICTURE_LIMIT), (CHAT, CHAT_LIMIT)] {
        let over = player.upload(kind, "big.jpg", &padded(limit + 1)).await;
        assert_eq!(over.refusal(), (413, "FILE_TOO_LARGE"), "{kind}");
        assert_eq!(over.message, "File size cannot exceed 10MB");
        let full = player.upload(kind, "big.jpg", &padded(limit)).await;
        assert_eq!(full.status, 200, "{kind}: {}", full.message);
    }
}

/// A JPEG followed by zeros up to `length` bytes; decoders ignore what follows the end.
fn padded(length: usize) -> Vec<u8> {
    let mut bytes = picture(32, 32, ImageFormat::Jpeg);
    bytes.resize(length, 0);
    bytes
}

#[tokio::test]
async fn an_upload_under_another_players_id_is_refused() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.new_player().await, mesh.new_player().await);
    let file = picture(32, 32, ImageFormat::Png);
    let foreign = stranger.upload_as(&player.uid, PICTURE, "me.png", &file).await;
    assert_eq!(foreign.refusal(), (403, "PERMISSION_DENIED"));
    assert_eq!(player.profile().await["profilePic"], json!(null));
    assert_eq!(stranger.profile().await["profilePic"], json!(null));

    // Chat media is stored under the sender's id.
    let sent = url_of(stranger.upload_as(&stranger.uid, CHAT, "me.png", &file).await);
    assert!(sent.starts_with(&format!("/media/chat/{}/", stranger.uid)), "{sent}");
    // The profile form cannot set a picture.
    let reply = stranger.edit(&json!({"profilePic": sent})).await;
    assert_eq!(reply.status, 400);
}

#[tokio::test]
async fn a_malformed_upload_form_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
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
async fn media_is_never_served_as_an_active_document() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
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
        let stored = fetch(&mesh, &url_of(reply)).await;
        let kind = stored.header("content-type").unwrap();
        let shown = ["image/png", "image/jpeg", "image/webp", "image/gif", "audio/", "video/"];
        assert!(
            !kind.contains("html") && !kind.contains("xml") && !kind.contains("javascript"),
            "{name}: {kind}"
        );
        let attached =
            stored.header("content-disposition").is_some_and(|it| it.starts_with("attachment"));
        assert!(attached || shown.iter().any(|start| kind.starts_with(start)), "{name}: {kind}");
        assert_harmless_headers(&stored, name);
    }
}

fn assert_harmless_headers(stored: &RawReply, name: &str) {
    assert_eq!(stored.header("x-content-type-options"), Some("nosniff"), "{name}");
    assert_eq!(
        stored.header("content-security-policy"),
        Some("default-src 'none'; sandbox"),
        "{name}"
    );
    assert_eq!(stored.header("cache-control"), Some(CACHED_FOR_A_YEAR), "{name}");
    assert_eq!(stored.header("access-control-allow-origin"), None, "{name}");
}

#[tokio::test]
async fn media_is_served_in_ranges_and_cached_for_a_year() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let file = picture(300, 200, ImageFormat::Png);
    let url = url_of(player.upload(CHAT, "board.png", &file).await);
    // The picture was encoded again, without its metadata.
    assert_eq!(url.rsplit('.').next(), Some("jpg"), "{url}");
    let whole = fetch(&mesh, &url).await;
    assert_eq!(whole.status, 200);
    assert_eq!(whole.header("content-type"), Some("image/jpeg"));
    assert_eq!(image::load_from_memory(&whole.body).unwrap().dimensions(), (300, 200));
    assert_harmless_headers(&whole, "whole");
    let file = whole.body;

    let range =
        |range: &'static str| RawReply::to(mesh.call(Method::GET, &url).header("range", range));
    let part = range("bytes=10-19").await;
    assert_eq!((part.status, part.body.as_slice()), (206, &file[10..20]));
    let expected = format!("bytes 10-19/{}", file.len());
    assert_eq!(part.header("content-range"), Some(expected.as_str()));
    assert_harmless_headers(&part, "part");
    assert_eq!(range("bytes=-5").await.body, file[file.len() - 5..]);
    assert_eq!(range("bytes=99999999-").await.status, 416);
    let head = RawReply::to(mesh.call(Method::HEAD, &url)).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[tokio::test]
async fn unknown_media_paths_are_not_served() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
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

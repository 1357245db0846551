use std::io::Cursor;

use image::{GrayAlphaImage, ImageBuffer, ImageFormat, Luma, LumaA, RgbaImage};

use super::*;

const RED: Rgb<u8> = Rgb([255, 0, 0]);
const BLUE: Rgb<u8> = Rgb([0, 0, 255]);
const GREEN: Rgb<u8> = Rgb([0, 255, 0]);

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

async fn made(bytes: Vec<u8>) -> Result<Portrait, PictureError> {
    let file = ReceivedFile::of(&bytes);
    let made = UploadMemory::new().unwrap().profile_picture(file).await.unwrap();
    made.map(|made| made.value)
}

/// Checks the format of the stored picture, and decodes it.
async fn pixels(bytes: Vec<u8>) -> RgbImage {
    let Portrait { picture, thumbnail } = made(bytes).await.unwrap();
    let [picture, thumbnail] = [picture, thumbnail].map(|jpeg| {
        assert_eq!(image::guess_format(&jpeg).unwrap(), ImageFormat::Jpeg);
        image::load_from_memory(&jpeg).unwrap().to_rgb8()
    });
    assert_eq!(picture.dimensions(), (SIDE, SIDE));
    assert_eq!(thumbnail.dimensions(), (THUMBNAIL_SIDE, THUMBNAIL_SIDE));
    picture
}

fn is_near(pixel: Rgb<u8>, expected: Rgb<u8>) -> bool {
    pixel.0.iter().zip(expected.0).all(|(&one, other)| one.abs_diff(other) < 24)
}

#[tokio::test]
async fn every_kind_and_size_becomes_a_square_jpeg() {
    for (width, height) in [(1, 1), (64, 48), (1_300, 1_100)] {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
            let image = RgbImage::from_pixel(width, height, BLUE);
            let picture = pixels(encoded(image, format)).await;
            assert!(picture.pixels().all(|&pixel| is_near(pixel, BLUE)), "{format:?} {width}");
        }
    }
    let grey = ImageBuffer::<Luma<u16>, _>::from_pixel(40, 40, Luma([32_768]));
    let picture = pixels(encoded(DynamicImage::ImageLuma16(grey), ImageFormat::Png)).await;
    assert!(is_near(*picture.get_pixel(9, 9), Rgb([128; 3])));
}

#[tokio::test]
async fn the_middle_is_kept() {
    let in_thirds = |length: u32| move |at: u32| (length..2 * length).contains(&at);
    let wide = RgbImage::from_fn(600, 200, |x, _| if in_thirds(200)(x) { RED } else { GREEN });
    let high = RgbImage::from_fn(700, 2_100, |_, y| if in_thirds(700)(y) { RED } else { GREEN });
    for image in [wide, high] {
        let picture = pixels(encoded(image, ImageFormat::Png)).await;
        assert!(is_near(*picture.get_pixel(4, 4), RED));
        assert!(is_near(*picture.get_pixel(SIDE - 4, SIDE - 4), RED));
    }
}

#[tokio::test]
async fn what_is_transparent_lies_on_white_paper() {
    let glass = RgbaImage::from_pixel(64, 64, Rgba([0, 0, 0, 0]));
    let half = GrayAlphaImage::from_pixel(64, 64, LumaA([0, 128]));
    for (image, expected) in
        [(DynamicImage::from(glass), [255; 3]), (DynamicImage::from(half), [127; 3])]
    {
        for format in [ImageFormat::Png, ImageFormat::WebP] {
            let image = DynamicImage::from(image.to_rgba8());
            let picture = pixels(encoded(image, format)).await;
            assert!(is_near(*picture.get_pixel(256, 256), Rgb(expected)), "{format:?}");
        }
    }
}

/// EXIF (TIFF, little-endian) that says which way is up and where it was.
fn exif(orientation: u8) -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
    tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    tiff.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0]);
    tiff.extend([0, 0, 0, 0]);
    // The GPS directory: latitude 1° 17′ south.
    tiff.extend(b"\x01\0\x01\0\x02\0\x02\0\0\0S\0\0\0\0\0\0\0");
    tiff.extend(b"GPS 1.2921 S, 36.8219 E");
    let mut segment = b"Exif\0\0".to_vec();
    segment.extend(tiff);
    segment
}

fn jpeg_with_exif(image: RgbImage, orientation: u8) -> Vec<u8> {
    let jpeg = encoded(image, ImageFormat::Jpeg);
    let exif = exif(orientation);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn it_stands_upright_and_does_not_say_where_it_was_taken() {
    // The picture is red on the left. The point is red once the EXIF orientation is applied.
    let halves = RgbImage::from_fn(300, 200, |x, _| if x < 150 { RED } else { BLUE });
    for (orientation, (x, y)) in
        [(1, (8, 256)), (2, (504, 256)), (3, (504, 256)), (6, (256, 8)), (8, (256, 504))]
    {
        let sent = jpeg_with_exif(halves.clone(), orientation);
        assert!(contains(&sent, b"GPS 1.2921"));
        let Portrait { picture, thumbnail } = made(sent.clone()).await.unwrap();
        let made = [picture, thumbnail];
        for part in [&b"Exif"[..], b"GPS", b"36.8219"] {
            assert!(made.iter().all(|jpeg| !contains(jpeg, part)), "{orientation}");
        }
        let picture = pixels(sent).await;
        assert!(is_near(*picture.get_pixel(x, y), RED), "{orientation}");
        assert!(is_near(*picture.get_pixel(511 - x, 511 - y), BLUE), "{orientation}");
    }
}

#[tokio::test]
async fn what_hides_behind_a_picture_stays_behind() {
    const SCRIPT: &[u8] = b"<script>alert(document.domain)</script>";
    const ARCHIVE: &[u8] = b"PK\x03\x04 a whole archive";
    let image = RgbImage::from_pixel(80, 80, GREEN);
    let jpeg = encoded(image.clone(), ImageFormat::Jpeg);
    let comment = [&[0xff, 0xfe, 0, u8::try_from(SCRIPT.len() + 2).unwrap()], SCRIPT].concat();
    let gif = encoded(image.clone(), ImageFormat::Gif);
    let mut png = encoded(image, ImageFormat::Png);
    png.extend(SCRIPT);
    for polyglot in [
        [&jpeg, SCRIPT, ARCHIVE].concat(),
        [&jpeg[..2], &comment, &jpeg[2..]].concat(),
        // The header's size field opens a comment, so that browsers read the rest as a script.
        [&gif, b"*/=alert(1);".as_slice(), SCRIPT].concat(),
        png,
    ] {
        let Portrait { picture, thumbnail } = made(polyglot).await.unwrap();
        for clean in [picture, thumbnail] {
            assert!(!contains(&clean, b"script") && !contains(&clean, b"PK\x03\x04"));
            assert!(clean.ends_with(&[0xff, 0xd9]));
        }
    }
}

/// A PNG whose header claims a size, with next to no data in it.
fn lying_png(width: u32, height: u32, colour: u8) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, colour, 0, 0, 0]].concat();
    // A zlib stream of one empty block.
    let data = [0x78, 0x9c, 0x03, 0, 0, 0, 0, 1];
    for (name, content) in [(b"IHDR", &header[..]), (b"IDAT", &data), (b"IEND", &[])] {
        let named = [&name[..], content].concat();
        png.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        png.extend(&named);
        png.extend(crc32(&named).to_be_bytes());
    }
    png
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

#[tokio::test]
async fn a_bomb_is_not_unpacked() {
    let mut gif = encoded(RgbImage::from_pixel(4, 4, RED), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    let mut webp = b"RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\x2f".to_vec();
    webp.extend((16_000_u32 + (16_000 << 14)).to_le_bytes());
    webp.extend([0; 5]);
    let mut jpeg = encoded(RgbImage::from_pixel(8, 8, RED), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
    for (what, bomb) in [
        ("png, too wide", lying_png(30_000, 30_000, 2)),
        ("png, too many pixels", lying_png(11_000, 11_000, 2)),
        ("png, too many grey ones", lying_png(7_000, 6_000, 0)),
        ("gif", gif),
        ("webp", webp),
        ("jpeg", jpeg),
    ] {
        assert_eq!(made(bomb).await, Err(PictureError::TooManyPixels), "{what}");
    }
}

#[tokio::test]
async fn one_that_is_only_well_packed_is_unpacked() {
    let plain = encoded(RgbImage::from_pixel(3_000, 2_000, BLUE), ImageFormat::Png);
    assert!(plain.len() < 200_000);
    assert!(is_near(*pixels(plain).await.get_pixel(0, 0), BLUE));
}

#[tokio::test]
async fn a_strip_is_cut_before_it_is_scaled() {
    for (width, height) in [(1, 11_000), (11_000, 1), (3, 9_000)] {
        let strip = RgbImage::from_pixel(width, height, GREEN);
        let picture = pixels(encoded(strip, ImageFormat::Png)).await;
        assert!(is_near(*picture.get_pixel(256, 256), GREEN));
    }
}

#[tokio::test]
async fn what_is_no_picture_is_said_to_be_none() {
    let image = RgbImage::from_pixel(64, 64, RED);
    let png = encoded(image.clone(), ImageFormat::Png);
    let mut broken = png.clone();
    broken[40..60].fill(0);
    for (what, bytes) in [
        ("nothing", Vec::new()),
        ("text", b"not a picture".to_vec()),
        ("a drawing", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec()),
        ("a page", b"<!doctype html><img src=x>".to_vec()),
        ("a document", b"%PDF-1.7".to_vec()),
        ("a kind that is not read", b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0".to_vec()),
        ("its first bytes", png[..20].to_vec()),
        ("a broken one", broken),
        ("a lie", lying_png(4_000, 3_000, 2)),
    ] {
        assert_eq!(made(bytes).await, Err(PictureError::Unreadable), "{what}");
    }
}

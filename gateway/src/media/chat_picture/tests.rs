//! Tests of the files that are stored of a picture.

use std::io::Cursor;

use image::{Frame, GenericImageView as _, Rgb, Rgba, RgbaImage, codecs::gif::GifEncoder};

use super::*;

async fn made(file: Vec<u8>) -> Result<ChatPicture, PictureError> {
    let made = UploadMemory::new().unwrap().chat_picture(ReceivedFile::of(&file)).await.unwrap();
    made.map(|made| made.value)
}

fn photo(width: u32, height: u32) -> RgbImage {
    // The picture is red on the left, blue on the right.
    RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 { Rgb([220, 0, 0]) } else { Rgb([0, 0, 220]) }
    })
}

/// An EXIF segment with an orientation, and a place that stands for GPS.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    exif.extend(b"GPS -1.2921 36.8219");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], b"\xff\xe1", &length, &exif, &jpeg[2..]].concat()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn a_photo_is_turned_upright_and_keeps_nothing_but_pixels() {
    let file = with_exif(&jpeg(&photo(400, 200), QUALITY).unwrap(), 6);
    assert!(contains(&file, b"GPS"));
    let made = made(file).await.unwrap();
    assert_eq!((made.kind.extension, made.shape.width, made.shape.height), ("jpg", 200, 400));
    assert!(!contains(&made.bytes, b"GPS") && !contains(&made.bytes, b"Exif"));
    let picture = image::load_from_memory(&made.bytes).unwrap();
    assert_eq!(picture.dimensions(), (200, 400));
    // The picture is turned clockwise, so that its left is on top.
    let Rgba([red, _, blue, _]) = picture.get_pixel(100, 50);
    assert!(red > 180 && blue < 60, "{red} {blue}");
    let thumbnail = image::load_from_memory(&made.thumbnail).unwrap();
    assert_eq!(thumbnail.width() * 2, thumbnail.height());
    assert_eq!(made.shape.blur_hash().len(), 28);
}

#[tokio::test]
async fn a_large_photo_is_made_smaller_with_its_thumbnail() {
    let file = jpeg(&photo(4_000, 3_000), 30).unwrap();
    let made = made(file).await.unwrap();
    assert_eq!((made.shape.width, made.shape.height), (2_048, 1_536));
    let thumbnail = image::load_from_memory(&made.thumbnail).unwrap();
    assert_eq!(thumbnail.dimensions(), (480, 360));
    assert!(made.thumbnail.len() < 50_000);
}

#[tokio::test]
async fn a_small_picture_is_not_made_larger() {
    for (width, height) in [(3, 2), (1, 1), (1, 900), (900, 1)] {
        let file = jpeg(&photo(width, height), QUALITY).unwrap();
        let made = made(file).await.unwrap();
        let shape = (u32::from(made.shape.width), u32::from(made.shape.height));
        assert_eq!(shape, (width, height));
    }
}

#[tokio::test]
async fn only_a_see_through_picture_stays_a_png() {
    for (alpha, extension) in [(255, "jpg"), (100, "png")] {
        let mut png = Cursor::new(Vec::new());
        RgbaImage::from_pixel(20, 20, Rgba([1, 2, 3, alpha]))
            .write_to(&mut png, ImageFormat::Png)
            .unwrap();
        let made = made(png.into_inner()).await.unwrap();
        assert_eq!(made.kind.extension, extension);
    }
}

#[tokio::test]
async fn an_animation_keeps_its_frames() {
    let mut gif = Vec::new();
    let frames = [1, 2, 3].map(|n| Frame::new(RgbaImage::from_pixel(30, 20, Rgba([n, 0, 0, 255]))));
    GifEncoder::new(&mut gif).encode_frames(frames).unwrap();
    let made = made(gif).await.unwrap();
    assert_eq!((made.kind.extension, made.shape.width, made.shape.height), ("gif", 30, 20));
    assert_eq!(made.bytes.split(|&byte| byte == 0x2c).count(), 4);
}

#[tokio::test]
async fn too_many_pixels_are_refused_before_they_are_decoded() {
    let refused = async |file: Vec<u8>| made(file).await.err();
    let large = jpeg(&photo(5_000, 4_000), 10).unwrap();
    assert_eq!(refused(large).await, Some(PictureError::TooManyPixels));
    // The size of a GIF's screen is in its header.
    let mut gif = Vec::new();
    let frames = [1, 2].map(|n| Frame::new(RgbaImage::from_pixel(3, 2, Rgba([n, 0, 0, 255]))));
    GifEncoder::new(&mut gif).encode_frames(frames).unwrap();
    gif[6..10].copy_from_slice(&[0xff, 0x10, 0xff, 0x10]);
    assert_eq!(refused(gif).await, Some(PictureError::TooManyPixels));
}

#[tokio::test]
async fn a_format_without_a_decoder_is_refused() {
    for brand in ["avif", "heic"] {
        let file = [b"\0\0\0\x18ftyp", brand.as_bytes()].concat();
        assert_eq!(made(file).await.err(), Some(PictureError::Unreadable), "{brand}");
    }
}

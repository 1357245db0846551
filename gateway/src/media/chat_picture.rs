//! Pictures of rooms: decoded and encoded again, so that a file holds pixels and nothing
//! else, with a thumbnail and a blur hash that stand for it until it is there.
//!
//! Animations keep their frames: only what is no frame is taken out of them.

use std::io::Cursor;

use anyhow::Context as _;
use image::{
    DynamicImage, ImageDecoder, ImageEncoder as _, ImageFormat, ImageReader, ImageResult, Limits,
    RgbImage, codecs::jpeg::JpegEncoder, codecs::png::PngEncoder,
};
use mesh::Fault;

use super::{
    animation,
    kind::{JPEG, Kind},
    path::Shape,
    picture::{PictureError, Pictures, classify, on_white},
};

/// Longest side of a stored picture. Phones show less, and players pay for each megabyte.
const SIDE: u32 = 2_048;
/// Longest side of a thumbnail.
const THUMBNAIL_SIDE: u32 = 480;
/// Longest side of what the blur hash is made of.
const BLUR_SIDE: u32 = 32;
/// Of 100.
const QUALITY: u8 = 85;
const THUMBNAIL_QUALITY: u8 = 75;
/// Longest side that is decoded.
const LONGEST_SIDE: u32 = 12_000;
/// Bytes that a decoded picture may take: 16 megapixels in colour.
const DECODED_LIMIT: u64 = 48 * 1024 * 1024;
/// Bytes of a pixel in colour.
const COLOURS: u64 = 3;
/// How much more a progressive JPEG takes while it is decoded: all its coefficients.
const PROGRESSIVE: u64 = 3;
/// Most pixels of an animation, each frame of which browsers decode.
const ANIMATED_PIXELS: u64 = 4_000_000;

/// A picture as it is stored.
pub(crate) struct ChatPicture {
    pub(crate) kind: &'static Kind,
    pub(crate) shape: Shape,
    pub(crate) bytes: Vec<u8>,
    /// A small JPEG of it.
    pub(crate) thumbnail: Vec<u8>,
}

impl Pictures {
    /// The picture of a room, from a file of this kind.
    #[mesh::instrument(name = "media.chat_picture", skip_all, fields(bytes = bytes.len()))]
    pub(crate) async fn make_for_chat(
        &self,
        kind: &'static Kind,
        bytes: Vec<u8>,
    ) -> Result<Result<ChatPicture, PictureError>, Fault> {
        self.work(move || chat_picture(kind, bytes)).await
    }
}

fn chat_picture(kind: &'static Kind, bytes: Vec<u8>) -> Result<ChatPicture, PictureError> {
    let format = match kind.extension {
        "jpg" => ImageFormat::Jpeg,
        "png" => ImageFormat::Png,
        "gif" => ImageFormat::Gif,
        "webp" => ImageFormat::WebP,
        // No decoder here: they could keep the place where they were taken.
        _ => return Err(PictureError::Unreadable),
    };
    let animation = match format {
        ImageFormat::Gif => animation::clean_gif(&bytes),
        ImageFormat::WebP => animation::clean_webp(&bytes),
        _ => None,
    };
    let image = decode(format, &bytes, animation.is_some()).map_err(|error| classify(&error))?;
    drop(bytes);
    let encoded = encode(&image, kind, animation);
    encoded.map_err(|error| {
        tracing::error!(error = format!("{error:#}"), "a picture was not encoded");
        PictureError::Unreadable
    })
}

/// The picture upright, at most [`SIDE`] long; an animation's first frame as it is.
fn decode(format: ImageFormat, bytes: &[u8], is_animated: bool) -> ImageResult<DynamicImage> {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(DECODED_LIMIT);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let needed = decoder.total_bytes().max(pixels * COLOURS);
    let times = if is_progressive(format, bytes) { PROGRESSIVE } else { 1 };
    limits.reserve(needed * times)?;
    if is_animated && pixels > ANIMATED_PIXELS {
        limits.reserve(u64::MAX)?;
    }
    let orientation = decoder.orientation()?;
    let image = DynamicImage::from_decoder(decoder)?;
    if is_animated {
        return Ok(image);
    }
    let mut image =
        if image.width().max(image.height()) > SIDE { image.thumbnail(SIDE, SIDE) } else { image };
    // After scaling, because turning a small picture takes less.
    image.apply_orientation(orientation);
    Ok(image)
}

fn encode(
    image: &DynamicImage,
    kind: &'static Kind,
    animation: Option<Vec<u8>>,
) -> anyhow::Result<ChatPicture> {
    let small = image.thumbnail(THUMBNAIL_SIDE.min(image.width()), THUMBNAIL_SIDE);
    let small = opaque(&small);
    let blur = DynamicImage::from(small.clone()).thumbnail(BLUR_SIDE, BLUR_SIDE).to_rgba8();
    let (across, down) = if image.width() < image.height() { (3, 4) } else { (4, 3) };
    let hash =
        blurhash::encode(across, down, blur.width(), blur.height(), &blur).context("a BlurHash")?;
    let (kind, bytes) = match animation {
        Some(bytes) => (kind, bytes),
        None if is_see_through(image) => {
            let png = Kind::of_extension("png").context("the kind of PNG")?;
            let (rgba, mut bytes) = (image.to_rgba8(), Vec::new());
            let (width, height) = rgba.dimensions();
            let colours = image::ExtendedColorType::Rgba8;
            PngEncoder::new(&mut bytes).write_image(&rgba, width, height, colours)?;
            (png, bytes)
        }
        None => (JPEG, jpeg(&image.to_rgb8(), QUALITY)?),
    };
    let shape = Shape::new(image.width(), image.height(), hash.as_bytes());
    let thumbnail = jpeg(&small, THUMBNAIL_QUALITY)?;
    Ok(ChatPicture { kind, shape: shape.context("the shape of a picture")?, bytes, thumbnail })
}

fn jpeg(image: &RgbImage, quality: u8) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality))?;
    Ok(bytes)
}

/// On white where it is see-through.
fn opaque(image: &DynamicImage) -> RgbImage {
    let rgba = image.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let image::Rgba([red, green, blue, alpha]) = *rgba.get_pixel(x, y);
        image::Rgb([red, green, blue].map(|ink| on_white(ink, alpha)))
    })
}

fn is_see_through(image: &DynamicImage) -> bool {
    image.color().has_alpha() && image.to_rgba8().pixels().any(|pixel| pixel.0[3] < u8::MAX)
}

/// Whether a JPEG has a progressive frame (SOF2, ITU-T T.81, table B.1), or one of the kinds
/// beyond it, which take no less.
fn is_progressive(format: ImageFormat, bytes: &[u8]) -> bool {
    if format != ImageFormat::Jpeg {
        return false;
    }
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let [0xff, marker, tail @ ..] = rest {
        match marker {
            // Fill bytes.
            0xff => rest = &rest[1..],
            0xc0 | 0xc1 | 0xda | 0xd9 => return false,
            0xc2..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => return true,
            _ => {
                let [high, low, ..] = tail else { return false };
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                rest = tail.get(length..).unwrap_or_default();
            }
        }
    }
    false
}

#[cfg(test)]
mod tests;

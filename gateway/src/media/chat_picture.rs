//! Pictures of rooms: decoded and encoded again, so that a file holds pixels and nothing else, with
//! a thumbnail and a blur hash that stand for the picture until it is loaded.
//!
//! Animations keep their frames; everything else is removed from them.

use anyhow::Context as _;
use image::{
    DynamicImage, ImageFormat, ImageResult, RgbImage, codecs::jpeg::JpegEncoder,
    codecs::png::PngEncoder,
};
use mesh::Fault;

use super::{
    animation,
    decode::{Header, Making, decode},
    kind::{JPEG, MediaKind},
    memory::{Made, UploadMemory},
    path::Shape,
    picture::{PictureError, classify, on_white},
    received::ReceivedFile,
};

/// Longest side of a stored picture. Phones show less, and players pay for each megabyte.
const SIDE: u32 = 2_048;
/// Longest side of a thumbnail.
const THUMBNAIL_SIDE: u32 = 480;
/// Longest side of the picture that the blur hash is computed from.
const BLUR_SIDE: u32 = 32;
/// The quality of a JPEG, of 100.
const QUALITY: u8 = 85;
const THUMBNAIL_QUALITY: u8 = 75;
/// Longest side of a stored picture with transparency: usually a drawing, and as a PNG several
/// times as long as a photo.
const CLEAR_SIDE: u32 = 1_280;
/// Bytes for each pixel of the stored picture while it is encoded: the pixel, its copy without
/// alpha, and the JPEG. With transparency (`CLEAR`): the pixel and the PNG, twice and with room to
/// grow.
const ENCODING: u64 = 10;
const CLEAR: u64 = 20;
/// Bytes for each pixel of the thumbnail: the pixel, its copy with alpha, and its copy on white.
const THUMBNAIL: u64 = 11;
/// Most pixels of an animation, each frame of which browsers decode.
const ANIMATED_PIXELS: u64 = 4_000_000;

/// A picture as it is stored.
pub(crate) struct ChatPicture {
    pub(crate) kind: &'static MediaKind,
    pub(crate) shape: Shape,
    pub(crate) bytes: Vec<u8>,
    /// A small JPEG of the picture.
    pub(crate) thumbnail: Vec<u8>,
}

impl UploadMemory {
    /// Makes the stored picture of a room from a received file.
    #[mesh::instrument(name = "media.chat_picture", skip_all, fields(bytes = file.size()))]
    pub(crate) async fn chat_picture(
        &self,
        file: ReceivedFile,
    ) -> Result<Result<Made<ChatPicture>, PictureError>, Fault> {
        let length = |made: &ChatPicture| made.bytes.len() + made.thumbnail.len();
        self.make_of_picture(file, making, length, |file, header| chat_picture(file, &header)).await
    }
}

pub(super) fn making(header: &Header) -> Making {
    let (smaller, thumbnail) = (header.scaled(SIDE), header.scaled(THUMBNAIL_SIDE));
    let clear = if header.has_alpha { header.scaled(CLEAR_SIDE) * CLEAR } else { 0 };
    Making { smaller, bytes: clear.max(smaller * ENCODING) + thumbnail * THUMBNAIL }
}

fn chat_picture(file: ReceivedFile, header: &Header) -> Result<ChatPicture, PictureError> {
    let animation = animation(&file, header.format)
        .map_err(|error| classify(&image::ImageError::IoError(error)))?;
    if animation.is_some() && header.pixels() > ANIMATED_PIXELS {
        return Err(PictureError::TooManyPixels);
    }
    let image = small(&file, header, animation.is_some()).map_err(|error| classify(&error))?;
    drop(file);
    let encoded = encode(&image, animation);
    encoded.map_err(|error| {
        tracing::error!(error = format!("{error:#}"), "a picture was not encoded");
        PictureError::Unreadable
    })
}

/// An animation with its frames alone, and its kind; `None` for a still picture.
fn animation(
    file: &ReceivedFile,
    format: ImageFormat,
) -> std::io::Result<Option<(&'static MediaKind, Vec<u8>)>> {
    Ok(match format {
        ImageFormat::Gif => MediaKind::of_extension("gif").zip(animation::clean_gif(&file.read()?)),
        ImageFormat::WebP => {
            MediaKind::of_extension("webp").zip(animation::clean_webp(&file.read()?))
        }
        _ => None,
    })
}

/// Decodes the picture: upright, at most [`SIDE`] long and with a byte for each colour. An
/// animation's first frame stays as it is.
fn small(file: &ReceivedFile, header: &Header, is_animated: bool) -> ImageResult<DynamicImage> {
    let (image, orientation) = decode(file, header)?;
    if is_animated {
        return Ok(image);
    }
    let image =
        if image.width().max(image.height()) > SIDE { image.thumbnail(SIDE, SIDE) } else { image };
    let mut image = if image.color().has_alpha() {
        DynamicImage::from(image.into_rgba8())
    } else {
        DynamicImage::from(image.into_rgb8())
    };
    if is_see_through(&image) && image.width().max(image.height()) > CLEAR_SIDE {
        image = image.thumbnail(CLEAR_SIDE, CLEAR_SIDE);
    }
    // Turning comes after scaling, because turning a small picture costs less.
    image.apply_orientation(orientation);
    Ok(image)
}

fn encode(
    image: &DynamicImage,
    animation: Option<(&'static MediaKind, Vec<u8>)>,
) -> anyhow::Result<ChatPicture> {
    let small = image.thumbnail(THUMBNAIL_SIDE.min(image.width()), THUMBNAIL_SIDE);
    let small = opaque(&small);
    let blur = DynamicImage::from(small.clone()).thumbnail(BLUR_SIDE, BLUR_SIDE).to_rgba8();
    let (across, down) = if image.width() < image.height() { (3, 4) } else { (4, 3) };
    let hash =
        blurhash::encode(across, down, blur.width(), blur.height(), &blur).context("a BlurHash")?;
    let (kind, bytes) = match animation {
        Some(animation) => animation,
        None if is_see_through(image) => {
            let png = MediaKind::of_extension("png").context("the kind of PNG")?;
            let mut bytes = Vec::new();
            image.write_with_encoder(PngEncoder::new(&mut bytes))?;
            (png, bytes)
        }
        None => match image.as_rgb8() {
            Some(image) => (JPEG, jpeg(image, QUALITY)?),
            None => (JPEG, jpeg(&image.to_rgb8(), QUALITY)?),
        },
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

/// Paints the picture on white where it is transparent.
fn opaque(image: &DynamicImage) -> RgbImage {
    let rgba = image.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let image::Rgba([red, green, blue, alpha]) = *rgba.get_pixel(x, y);
        image::Rgb([red, green, blue].map(|ink| on_white(ink, alpha)))
    })
}

fn is_see_through(image: &DynamicImage) -> bool {
    image.as_rgba8().is_some_and(|image| image.pixels().any(|pixel| pixel.0[3] < u8::MAX))
}

#[cfg(test)]
mod tests;

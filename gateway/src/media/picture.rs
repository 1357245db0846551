//! Makes profiles' pictures: a square of 512 pixels and one of 96, as JPEGs that contain those
//! pixels and nothing else.

use image::{
    DynamicImage, GenericImageView, ImageError, ImageResult, Rgb, RgbImage, Rgba,
    codecs::jpeg::JpegEncoder,
    imageops::{self, FilterType},
};
use mesh::{Fault, instrument};
use thiserror::Error;
use tracing::info;

use super::{
    decode::{HEADER_LIMIT, Header, Making, decode},
    memory::{Made, UploadMemory},
    received::ReceivedFile,
};

/// The width and height of a picture, in pixels.
const SIDE: u32 = 512;
/// The width and height of a thumbnail, in pixels: lists show players at 48 points at most, on
/// screens with two pixels a point.
const THUMBNAIL_SIDE: u32 = 96;
/// Longest side of the square from which the picture is scaled.
const MIDDLE_SIDE: u32 = 2 * SIDE;
/// Bytes for each pixel: of that square, of the intermediate picture while the square is scaled
/// (`RESIZING`), and of the picture while it is encoded (`ENCODING`).
const MIDDLE: u64 = 3;
const RESIZING: u64 = 16;
const ENCODING: u64 = 12;
/// The quality of the JPEG, of 100; above this a JPEG grows without a visible difference.
const QUALITY: u8 = 85;

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum PictureError {
    /// The file is no picture, is broken, or has a format that is not supported.
    #[error("not a picture that can be read")]
    Unreadable,
    /// The picture has more pixels than are decoded.
    #[error("too many pixels")]
    TooManyPixels,
}

/// A profile's picture and its thumbnail, as JPEGs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Portrait {
    pub(crate) picture: Vec<u8>,
    pub(crate) thumbnail: Vec<u8>,
}

impl UploadMemory {
    /// A profile's picture.
    #[instrument(name = "media.picture", skip_all, fields(bytes = file.size()))]
    pub(crate) async fn profile_picture(
        &self,
        file: ReceivedFile,
    ) -> Result<Result<Made<Portrait>, PictureError>, Fault> {
        let length = |made: &Portrait| made.picture.len() + made.thumbnail.len();
        self.make_of_picture(file, making, length, |file, header| {
            portrait(&file, &header).map_err(|error| classify(&error))
        })
        .await
    }

    /// Makes something of a picture, once there is memory for both. Memory is held until the work in
    /// it ends, which may be after its call was cancelled.
    pub(super) async fn make_of_picture<T: Send + 'static>(
        &self,
        file: ReceivedFile,
        making: impl FnOnce(&Header) -> Making,
        length: fn(&T) -> usize,
        make: impl FnOnce(ReceivedFile, Header) -> Result<T, PictureError> + Send + 'static,
    ) -> Result<Result<Made<T>, PictureError>, Fault> {
        let reading = self.reserve(HEADER_LIMIT).await?;
        let read = move || {
            let _reading = reading;
            match Header::read(&file) {
                Ok(header) => Ok((file, header)),
                Err(error) => Err(classify(&error)),
            }
        };
        let (file, header) = match self.work(read).await.unwrap_or(Err(PictureError::Unreadable)) {
            Ok(read) => read,
            Err(error) => return Ok(Err(error)),
        };
        let Some(mut memory) = self.reserve(header.needed(making(&header))).await? else {
            info!(?header, "a picture was refused");
            return Ok(Err(PictureError::TooManyPixels));
        };
        let work = move || {
            let value = make(file, header)?;
            memory.shrink(length(&value));
            Ok(memory.holding(value))
        };
        Ok(self.work(work).await.unwrap_or(Err(PictureError::Unreadable)))
    }
}

pub(super) fn making(header: &Header) -> Making {
    let (side, picture) = (header.shorter_side(MIDDLE_SIDE), u64::from(SIDE));
    let bytes = side * side * MIDDLE + side * picture * RESIZING + picture * picture * ENCODING;
    Making { smaller: side * side, bytes }
}

fn portrait(file: &ReceivedFile, header: &Header) -> ImageResult<Portrait> {
    let (image, orientation) = decode(file, header)?;
    let middle = middle(&image);
    drop(image);
    let square = imageops::resize(&middle, SIDE, SIDE, FilterType::CatmullRom);
    let mut picture = DynamicImage::from(square);
    // Turning comes after scaling, because turning a small square costs less.
    picture.apply_orientation(orientation);
    let thumbnail = picture.thumbnail(THUMBNAIL_SIDE, THUMBNAIL_SIDE);
    Ok(Portrait { picture: jpeg(&picture)?, thumbnail: jpeg(&thumbnail)? })
}

fn jpeg(picture: &DynamicImage) -> ImageResult<Vec<u8>> {
    let mut jpeg = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY))?;
    Ok(jpeg)
}

/// The middle of an image, at most [`MIDDLE_SIDE`] long: a box filter reads each pixel once, and a
/// good filter finishes the rest. The image is cropped before it is scaled: scaling a strip of one
/// by ten thousand pixels up to cover the square would take gigabytes.
fn middle(image: &DynamicImage) -> RgbImage {
    let middle = Middle::of(image);
    let side = middle.side.min(MIDDLE_SIDE);
    imageops::thumbnail(&middle, side, side)
}

/// The largest square in the middle of an image, on a white background, without a copy.
struct Middle<'a> {
    image: &'a DynamicImage,
    left: u32,
    top: u32,
    side: u32,
}

impl<'a> Middle<'a> {
    fn of(image: &'a DynamicImage) -> Self {
        let side = image.width().min(image.height());
        Self { image, left: (image.width() - side) / 2, top: (image.height() - side) / 2, side }
    }
}

impl GenericImageView for Middle<'_> {
    type Pixel = Rgb<u8>;

    fn dimensions(&self) -> (u32, u32) {
        (self.side, self.side)
    }

    fn get_pixel(&self, x: u32, y: u32) -> Rgb<u8> {
        let Rgba([red, green, blue, alpha]) = self.image.get_pixel(self.left + x, self.top + y);
        Rgb([red, green, blue].map(|ink| on_white(ink, alpha)))
    }
}

pub(super) fn on_white(ink: u8, alpha: u8) -> u8 {
    let (ink, alpha) = (u16::from(ink), u16::from(alpha));
    // Both terms together are 255 · 255 at most.
    let mixed = (ink * alpha + 255 * (255 - alpha)) / 255;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}

pub(super) fn classify(error: &ImageError) -> PictureError {
    info!(%error, "a picture was refused");
    match error {
        ImageError::Limits(_) => PictureError::TooManyPixels,
        ImageError::Decoding(_)
        | ImageError::Encoding(_)
        | ImageError::Parameter(_)
        | ImageError::Unsupported(_)
        | ImageError::IoError(_) => PictureError::Unreadable,
    }
}

#[cfg(test)]
mod tests;

//! Makes profiles' pictures: a square of 512 pixels, as a JPEG that contains those pixels
//! and nothing else.

use std::{io::Cursor, sync::Arc};

use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageError, ImageReader, ImageResult, Limits,
    Rgb, RgbImage, Rgba,
    codecs::jpeg::JpegEncoder,
    imageops::{self, FilterType},
};
use mesh::{Fault, instrument};
use thiserror::Error;
use tokio::sync::Semaphore;
use tracing::{info, warn};

/// The width and height of a picture, in pixels.
const SIDE: u32 = 512;
/// Of 100; above this a JPEG grows without a visible difference.
const QUALITY: u8 = 85;
/// Longest side that is decoded, in pixels.
const LONGEST_SIDE: u32 = 12_000;
/// Bytes that a decoded picture may take: 33 megapixels in colour. Phones take 12;
/// a decoder takes up to three times as much while it works.
const DECODED_LIMIT: u64 = 100 * 1024 * 1024;
/// Bytes of a pixel in colour.
const COLOURS: u64 = 3;

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

/// Makes pictures, a few at the same time, so that memory is bounded. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Pictures(Arc<Semaphore>);

impl Pictures {
    /// Makes `at_a_time` pictures at the same time.
    pub(crate) fn new(at_a_time: usize) -> Self {
        Self(Arc::new(Semaphore::new(at_a_time)))
    }

    /// The picture, as a JPEG.
    #[instrument(name = "media.picture", skip_all, fields(bytes = bytes.len()))]
    pub(crate) async fn make(
        &self,
        bytes: Vec<u8>,
    ) -> Result<Result<Vec<u8>, PictureError>, Fault> {
        self.work(move || portrait(&bytes).map_err(|error| classify(&error))).await
    }

    /// Works on a picture once there is room for one more, off the threads of calls.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> Result<T, PictureError> + Send + 'static,
    ) -> Result<Result<T, PictureError>, Fault> {
        let permit = Arc::clone(&self.0).acquire_owned().await;
        let permit = permit.map_err(|closed| Fault::failure(&closed.into()))?;
        let work = move || {
            let outcome = make();
            // Held until the work ends, which may be after its call was cancelled.
            drop(permit);
            outcome
        };
        Ok(match tokio::task::spawn_blocking(work).await {
            Ok(outcome) => outcome,
            Err(error) => {
                warn!(%error, "a decoder panicked over a picture");
                Err(PictureError::Unreadable)
            }
        })
    }
}

fn portrait(bytes: &[u8]) -> ImageResult<Vec<u8>> {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(DECODED_LIMIT);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    // Not every decoder counts the buffer that it fills. A grey pixel counts like one in
    // colour: it is smaller, but takes as long, and a small file can demand a hundred
    // passes over all of them.
    let (width, height) = decoder.dimensions();
    let in_colour = u64::from(width) * u64::from(height) * COLOURS;
    limits.reserve(decoder.total_bytes().max(in_colour))?;
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from(square(&DynamicImage::from_decoder(decoder)?));
    // After scaling, because turning a small square costs less.
    picture.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY))?;
    Ok(jpeg)
}

/// The middle of an image at [`SIDE`]. Cropped before it is scaled: scaling a strip of one
/// by ten thousand pixels up to cover the square would take gigabytes.
fn square(image: &DynamicImage) -> RgbImage {
    let middle = Middle::of(image);
    if middle.side > 2 * SIDE {
        // A box filter reads each pixel once; the good filter finishes the rest.
        let smaller = imageops::thumbnail(&middle, 2 * SIDE, 2 * SIDE);
        imageops::resize(&smaller, SIDE, SIDE, FilterType::CatmullRom)
    } else {
        imageops::resize(&middle, SIDE, SIDE, FilterType::CatmullRom)
    }
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

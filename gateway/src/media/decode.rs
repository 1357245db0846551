//! Decodes pictures within bounds: the memory that a decoder will take is known from the file's
//! header, before the decoder is started.

use std::io;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits,
    error::{ImageFormatHint, LimitError, LimitErrorKind},
    metadata::Orientation,
};

use super::{jpeg_frame::JpegFrame, received::ReceivedFile, webp_frames::WebpFrames};

/// Longest side that is decoded, in pixels.
const LONGEST_SIDE: u32 = 12_000;
/// Bytes that reading a header may take: colour profiles are part of it.
pub(super) const HEADER_LIMIT: u64 = 4 * 1024 * 1024;
/// Bytes of a pixel in colour. A grey pixel counts as much: it is smaller, but takes as long, and a
/// small file can demand a hundred passes over all pixels.
const COLOURS: u64 = 3;
/// Bytes that the decoders of GIF and WebP take for a pixel: a canvas, a frame and their result.
const CANVAS: u64 = 12;
/// Bytes of tables that a byte of a lossless WebP can demand: 4 KiB for a code of some 100 bits.
const TABLES: u64 = 400;

/// The properties of a picture, as its header states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) format: ImageFormat,
    /// Bytes of the file.
    size: u64,
    width: u32,
    height: u32,
    /// Bytes of the picture once it is decoded.
    decoded: u64,
    /// Further bytes that the decoder takes: all coefficients of a JPEG whose colours are in
    /// several scans, which are kept until the last scan, or the tables of a lossless WebP.
    besides: u64,
    pub(super) has_alpha: bool,
}

impl Header {
    /// Reads the header of a file in one of the formats that are decoded here.
    pub(super) fn read(file: &ReceivedFile) -> ImageResult<Self> {
        let format = ImageReader::new(file.reader()?).with_guessed_format()?.format();
        let size = file.size();
        match format {
            Some(ImageFormat::Jpeg) => {
                let frame = JpegFrame::read(&mut file.reader()?).map_err(unreadable)?;
                Ok(Self::of_jpeg(frame.ok_or_else(invalid)?, size))
            }
            Some(ImageFormat::WebP) => {
                let header =
                    Self::of(ImageFormat::WebP, &decoder(file, ImageFormat::WebP, HEADER_LIMIT)?);
                let frames = WebpFrames::read(&mut file.reader()?).map_err(unreadable)?;
                // The decoder takes memory for a frame before it compares it with the canvas.
                if frames.width > header.width || frames.height > header.height {
                    return Err(invalid());
                }
                Ok(Self { size, besides: frames.lossless * TABLES, ..header })
            }
            Some(format @ (ImageFormat::Png | ImageFormat::Gif)) => {
                Ok(Self { size, ..Self::of(format, &decoder(file, format, HEADER_LIMIT)?) })
            }
            _ => Err(invalid()),
        }
    }

    fn of(format: ImageFormat, decoder: &impl ImageDecoder) -> Self {
        let (width, height) = decoder.dimensions();
        let has_alpha = decoder.color_type().has_alpha();
        let header = Self { format, size: 0, width, height, decoded: 0, besides: 0, has_alpha };
        let decoded = decoder.total_bytes().max(header.pixels().saturating_mul(COLOURS));
        Self { decoded, ..header }
    }

    fn of_jpeg(frame: JpegFrame, size: u64) -> Self {
        let (width, height) = (frame.width.into(), frame.height.into());
        let format = ImageFormat::Jpeg;
        let header = Self { format, size, width, height, decoded: 0, besides: 0, has_alpha: false };
        let pixels = header.pixels();
        // Coefficients have two bytes.
        let each = if frame.has_scans { 2 * u64::from(frame.components) } else { 0 };
        Self { decoded: pixels * COLOURS, besides: pixels * each, ..header }
    }

    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Pixels of the picture once its longest side is scaled to `side`.
    pub(super) fn scaled(&self, side: u32) -> u64 {
        let longest = u64::from(self.width.max(self.height).max(1));
        let side = u64::from(side).min(longest);
        let scale = |length| (u64::from(length) * side).div_ceil(longest);
        scale(self.width) * scale(self.height)
    }

    /// The shorter side, but at most `most`.
    pub(super) fn shorter_side(&self, most: u32) -> u64 {
        self.width.min(self.height).min(most).into()
    }

    /// Most bytes that the picture takes at once: while it is decoded, while it is made smaller,
    /// and while the result is made.
    pub(super) fn needed(&self, Making { smaller, bytes: making }: Making) -> u64 {
        let pixels = self.pixels();
        // The decoded picture, and the file twice: the decoder of JPEG copies metadata out of the
        // file, and an animation is written again without metadata.
        let decoding = match self.format {
            ImageFormat::Gif | ImageFormat::WebP => {
                pixels.saturating_mul(CANVAS).max(self.decoded).saturating_add(2 * self.size)
            }
            ImageFormat::Jpeg => self.decoded.saturating_add(2 * self.size),
            _ => self.decoded,
        };
        let each = self.decoded / pixels.max(1);
        let smaller = smaller.min(pixels);
        // Colours of 16 bits become 8 once the picture is smaller.
        let making = making.max(smaller * (each + 4));
        decoding
            .saturating_add(self.besides)
            .max(self.decoded.saturating_add(smaller * each))
            .max(making)
    }
}

/// The memory of the steps that follow the decoding of a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Making {
    /// Pixels of a smaller picture, which is made before the decoded one is dropped.
    pub(super) smaller: u64,
    /// Bytes that are taken from then on, including the smaller picture.
    pub(super) bytes: u64,
}

/// Decodes a picture with this header, and returns it with its orientation.
pub(super) fn decode(
    file: &ReceivedFile,
    header: &Header,
) -> ImageResult<(DynamicImage, Orientation)> {
    let mut decoder = decoder(file, header.format, header.decoded.max(HEADER_LIMIT))?;
    // The header was read by other means, so its sizes must be those that will be decoded.
    let found = Header::of(header.format, &decoder);
    if (found.width, found.height, found.decoded) != (header.width, header.height, header.decoded) {
        return Err(ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError)));
    }
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
}

/// The error for a header that cannot be read: the file ends before it does, or the disk fails.
fn unreadable(error: io::Error) -> ImageError {
    if error.kind() == io::ErrorKind::UnexpectedEof { invalid() } else { error.into() }
}

/// The error for a file that is not valid in its format.
fn invalid() -> ImageError {
    ImageError::Unsupported(ImageFormatHint::Unknown.into())
}

fn decoder(
    file: &ReceivedFile,
    format: ImageFormat,
    memory: u64,
) -> ImageResult<impl ImageDecoder + '_> {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(memory);
    let mut reader = ImageReader::with_format(file.reader()?, format);
    reader.limits(limits);
    reader.into_decoder()
}

#[cfg(test)]
mod tests;

//! Decoding of pictures within bounds: what a decoder will take is known from the file's header,
//! before it is started.

use std::io::{self, BufRead, Seek};

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits,
    error::{LimitError, LimitErrorKind, UnsupportedError},
    metadata::Orientation,
};

use super::received::ReceivedFile;

/// Longest side that is decoded, in pixels.
const LONGEST_SIDE: u32 = 12_000;
/// Bytes that a header may take: colour profiles are part of it.
const HEADER_LIMIT: u64 = 4 * 1024 * 1024;
/// Bytes of a pixel in colour. A grey one counts as much: it is smaller, but takes as long, and
/// a small file can demand a hundred passes over all of them.
const COLOURS: u64 = 3;
/// Bytes that the decoders of GIF and WebP take for a pixel: a canvas, a frame and their result.
const CANVAS: u64 = 9;

/// What the header of a picture says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) format: ImageFormat,
    /// Bytes of the file.
    size: u64,
    width: u32,
    height: u32,
    /// Bytes of the picture once it is decoded.
    decoded: u64,
    /// Bytes that a JPEG takes besides, when its colours are in several scans: all coefficients
    /// are kept until the last of them.
    coefficients: u64,
}

impl Header {
    /// Reads it, of one of the formats that are decoded here.
    pub(super) fn read(file: &ReceivedFile) -> ImageResult<Self> {
        let reader = ImageReader::new(file.reader()?).with_guessed_format()?;
        let size = file.size();
        match reader.format() {
            Some(ImageFormat::Jpeg) => {
                let frame = JpegFrame::read(&mut file.reader()?)?;
                let frame = frame.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
                Ok(frame.header(size))
            }
            Some(format @ (ImageFormat::Png | ImageFormat::Gif | ImageFormat::WebP)) => {
                let decoder = decoder(file, format, HEADER_LIMIT)?;
                Ok(Self { size, ..Self::of(format, &decoder) })
            }
            _ => Err(ImageError::Unsupported(UnsupportedError::from(
                image::error::ImageFormatHint::Unknown,
            ))),
        }
    }

    fn of(format: ImageFormat, decoder: &impl ImageDecoder) -> Self {
        let (width, height) = decoder.dimensions();
        let header = Self { format, size: 0, width, height, decoded: 0, coefficients: 0 };
        let decoded = decoder.total_bytes().max(header.pixels().saturating_mul(COLOURS));
        Self { decoded, ..header }
    }

    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Pixels of the picture once it is scaled to a longest side.
    pub(super) fn scaled(&self, side: u32) -> u64 {
        let longest = u64::from(self.width.max(self.height).max(1));
        let side = u64::from(side).min(longest);
        let scale = |length| (u64::from(length) * side).div_ceil(longest);
        scale(self.width) * scale(self.height)
    }

    /// The shorter side, at most this long.
    pub(super) fn shorter_side(&self, most: u32) -> u64 {
        self.width.min(self.height).min(most).into()
    }

    /// Bytes that the picture takes at most, from the first byte of the decoder until it is made
    /// smaller and what is made of that.
    pub(super) fn needed(&self, Making { smaller, bytes: making }: Making) -> u64 {
        let Self { format, size, decoded, coefficients, .. } = *self;
        let pixels = self.pixels();
        let decoding = match format {
            ImageFormat::Gif | ImageFormat::WebP => {
                // Without its metadata the file is a second one.
                pixels.saturating_mul(CANVAS).max(decoded).saturating_add(2 * size)
            }
            ImageFormat::Jpeg => decoded.saturating_add(coefficients).saturating_add(size),
            _ => decoded,
        };
        let scaling = decoded.saturating_add(decoded / pixels.max(1) * smaller.min(pixels));
        decoding.max(scaling).max(making)
    }
}

/// What is made of a picture once it is decoded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Making {
    /// Pixels of a smaller picture, which is made before the decoded one is dropped.
    pub(super) smaller: u64,
    /// Bytes that are taken from then on, with that of the smaller picture.
    pub(super) bytes: u64,
}

/// Decodes a picture that has the header, and says which way is up.
pub(super) fn decode(
    file: &ReceivedFile,
    header: &Header,
) -> ImageResult<(DynamicImage, Orientation)> {
    let mut decoder = decoder(file, header.format, header.decoded.max(HEADER_LIMIT))?;
    // The header was read in another way: what it said must be what is decoded.
    let found = Header::of(header.format, &decoder);
    if (found.width, found.height, found.decoded) != (header.width, header.height, header.decoded) {
        return Err(ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError)));
    }
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
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

/// The frame of a JPEG (ITU-T T.81, B.2.2), and how its first scan divides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct JpegFrame {
    width: u16,
    height: u16,
    components: u8,
    /// The components are not all complete after the first scan: it is progressive, or has a
    /// scan for each.
    has_scans: bool,
}

impl JpegFrame {
    /// Reads the segments up to the first scan; `None` without a frame before it. What is no
    /// segment is skipped, as decoders do.
    fn read(reader: &mut (impl BufRead + Seek)) -> io::Result<Option<Self>> {
        let mut frame = None;
        loop {
            while byte(reader)? != 0xff {}
            let mut marker = byte(reader)?;
            while marker == 0xff {
                marker = byte(reader)?;
            }
            match marker {
                // No segments.
                0x00 | 0x01 | 0xd0..=0xd8 => {}
                0xd9 => return Ok(None),
                0xda => {
                    let [_, _, components] = array(reader)?;
                    return Ok(frame.map(|frame: Self| Self {
                        has_scans: frame.has_scans || components < frame.components,
                        ..frame
                    }));
                }
                0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                    let segment: [u8; 8] = array(reader)?;
                    let [l1, l2, _, h1, h2, w1, w2, components] = segment;
                    skip(reader, [l1, l2], segment.len())?;
                    frame = Some(Self {
                        width: u16::from_be_bytes([w1, w2]),
                        height: u16::from_be_bytes([h1, h2]),
                        components,
                        has_scans: marker > 0xc1,
                    });
                }
                _ => {
                    let length: [u8; 2] = array(reader)?;
                    skip(reader, length, length.len())?;
                }
            }
        }
    }

    fn header(self, size: u64) -> Header {
        let (width, height) = (self.width.into(), self.height.into());
        let pixels = u64::from(self.width) * u64::from(self.height);
        let decoded = pixels * COLOURS;
        // Coefficients have two bytes.
        let coefficients = if self.has_scans { pixels * 2 * u64::from(self.components) } else { 0 };
        Header { format: ImageFormat::Jpeg, size, width, height, decoded, coefficients }
    }
}

fn byte(reader: &mut impl BufRead) -> io::Result<u8> {
    array(reader).map(|[byte]: [u8; 1]| byte)
}

fn array<const N: usize>(reader: &mut impl BufRead) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Skips the rest of a segment of this length, of which some was read.
fn skip(reader: &mut impl Seek, length: [u8; 2], read: usize) -> io::Result<()> {
    let rest = usize::from(u16::from_be_bytes(length)).saturating_sub(read);
    reader.seek_relative(i64::try_from(rest).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn jpeg_frame(segments: &[&[u8]]) -> io::Result<Option<JpegFrame>> {
        let file = [&b"\xff\xd8\xff\xe0\0\x04\0\0"[..], &segments.concat()].concat();
        JpegFrame::read(&mut Cursor::new(file))
    }

    #[test]
    fn a_jpeg_is_known_by_its_frame_and_its_first_scan() {
        const SCAN_OF_3: &[u8] = b"\xff\xda\0\x0c\x03";
        const SCAN_OF_1: &[u8] = b"\xff\xda\0\x08\x01";
        for (marker, scan, has_scans) in [
            (0xc0, SCAN_OF_3, false),
            (0xc1, SCAN_OF_3, false),
            (0xc2, SCAN_OF_3, true),
            (0xc0, SCAN_OF_1, true),
        ] {
            let frame = [&[0xff, marker, 0, 17, 8, 0, 30, 0, 40, 3][..], &[0; 9]].concat();
            let found = jpeg_frame(&[b"junk\xff", &frame, b"\xff\xc4\0\x02", scan]).unwrap();
            let expected = JpegFrame { width: 40, height: 30, components: 3, has_scans };
            assert_eq!(found, Some(expected), "{marker:x}");
        }
        assert_eq!(jpeg_frame(&[SCAN_OF_3]).unwrap(), None);
        assert_eq!(jpeg_frame(&[b"\xff\xd9"]).unwrap(), None);
        assert!(jpeg_frame(&[b"\xff\xc0\0"]).is_err(), "it ends before its frame");
    }

    #[test]
    fn photos_of_phones_fit() {
        const FITS: u64 = 47 * 1024 * 1024;
        let needed = |width, height, has_scans, size| {
            let frame = JpegFrame { width, height, components: 3, has_scans };
            let header = frame.header(size);
            header.needed(Making { smaller: header.scaled(2_048), bytes: 0 })
        };
        assert!(needed(4_032, 3_024, false, 11_000_000) < FITS);
        assert!(needed(4_160, 3_120, false, 9_000_000) < FITS);
        assert!(needed(5_000, 4_000, false, 8_000_000) > FITS);
        assert!(needed(2_304, 1_728, true, 5_000_000) < FITS);
        assert!(needed(3_264, 2_448, true, 5_000_000) > FITS);
    }
}

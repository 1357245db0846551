//! The frame of a JPEG, read as strictly as it takes to know what its decoder will do: a file in
//! which another parser could find another frame is refused.

use std::io::{self, BufRead, Seek};

use super::segment::{array, byte, skip};

/// The frame (ITU-T T.81, B.2.2), and how the first scan divides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JpegFrame {
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) components: u8,
    /// Whether the components are incomplete after the first scan: the JPEG is progressive, or has
    /// a scan for each component.
    pub(super) has_scans: bool,
}

impl JpegFrame {
    /// Reads the segments up to the first scan; `None` if they are not what a camera or an
    /// editor writes.
    pub(super) fn read(reader: &mut (impl BufRead + Seek)) -> io::Result<Option<Self>> {
        let mut frame: Option<Self> = None;
        if array(reader)? != [0xff, 0xd8] {
            return Ok(None);
        }
        loop {
            if byte(reader)? != 0xff {
                return Ok(None);
            }
            let mut marker = byte(reader)?;
            // Skips fill bytes.
            while marker == 0xff {
                marker = byte(reader)?;
            }
            let length = u16::from_be_bytes(array(reader)?);
            let Some(content) = length.checked_sub(2) else { return Ok(None) };
            let is_valid = match marker {
                // Decoders disagree about an APP0 segment that consists of its name alone.
                0xe0 if length == 6 => false,
                0xe0..=0xef | 0xfe => skip(reader, content.into()).map(|()| true)?,
                // The restart interval.
                0xdd => content == 2 && array::<2>(reader).is_ok(),
                0xdb => are_tables(reader, content, |head, reader| {
                    let quantities = 64 * (1 + u16::from(head >> 4));
                    skip(reader, quantities.into())?;
                    Ok(quantities)
                })?,
                0xc4 => are_tables(reader, content, |_, reader| {
                    let counts: [u8; 16] = array(reader)?;
                    let symbols: u16 = counts.iter().copied().map(u16::from).sum();
                    skip(reader, symbols.into())?;
                    Ok(16 + symbols)
                })?,
                0xc0..=0xc2 if frame.is_none() => {
                    let [_, h1, h2, w1, w2, components] = array(reader)?;
                    skip(reader, 3 * i64::from(components))?;
                    frame = Some(Self {
                        width: u16::from_be_bytes([w1, w2]),
                        height: u16::from_be_bytes([h1, h2]),
                        components,
                        has_scans: marker == 0xc2,
                    });
                    content == 6 + 3 * u16::from(components)
                }
                0xda => {
                    let components = byte(reader)?;
                    let is_valid = content == 4 + 2 * u16::from(components);
                    return Ok(frame.filter(|_| is_valid).map(|frame| Self {
                        has_scans: frame.has_scans || components < frame.components,
                        ..frame
                    }));
                }
                // Refuses arithmetic coding, lossless and hierarchical frames, and markers that
                // begin no segment.
                _ => false,
            };
            if !is_valid {
                return Ok(None);
            }
        }
    }
}

/// Whether a segment consists of tables, each with a byte before it. `table` reads a table and
/// returns its length.
fn are_tables<R: BufRead + Seek>(
    reader: &mut R,
    content: u16,
    mut table: impl FnMut(u8, &mut R) -> io::Result<u16>,
) -> io::Result<bool> {
    let mut left = content;
    while left > 0 {
        let head = byte(reader)?;
        let length = table(head, reader)?;
        let Some(rest) = left.checked_sub(1 + length) else { return Ok(false) };
        left = rest;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const SCAN_OF_3: &[u8] = b"\xff\xda\0\x0c\x03";
    const SCAN_OF_1: &[u8] = b"\xff\xda\0\x08\x01";

    fn read(segments: &[&[u8]]) -> io::Result<Option<JpegFrame>> {
        let file = [&b"\xff\xd8\xff\xe0\0\x04\0\0"[..], &segments.concat()].concat();
        JpegFrame::read(&mut Cursor::new(file))
    }

    /// A frame of 40 by 30 with three colours.
    fn frame(marker: u8) -> Vec<u8> {
        [&[0xff, marker, 0, 17, 8, 0, 30, 0, 40, 3][..], &[0; 9]].concat()
    }

    #[test]
    fn a_jpeg_is_known_by_its_frame_and_its_first_scan() {
        for (marker, scan, has_scans) in [
            (0xc0, SCAN_OF_3, false),
            (0xc1, SCAN_OF_3, false),
            (0xc2, SCAN_OF_3, true),
            (0xc0, SCAN_OF_1, true),
        ] {
            let quantities = [&[0xff, 0xdb, 0, 67, 0][..], &[1; 64]].concat();
            let codes = [&[0xff, 0xc4, 0, 22, 0, 3][..], &[0; 15], &[1, 2, 3]].concat();
            let found = read(&[&quantities, &frame(marker), b"\xff", &codes, scan]).unwrap();
            let expected = JpegFrame { width: 40, height: 30, components: 3, has_scans };
            assert_eq!(found, Some(expected), "{marker:x}");
        }
        assert!(read(&[b"\xff\xc0\0"]).is_err(), "it ends before its frame");
    }

    #[test]
    fn one_that_another_parser_could_read_in_another_way_is_refused() {
        let (frame, hidden) = (frame(0xc0), b"\xff\xd0\0\x07\xff\xda\0\x0c\x03");
        let long_codes = [&[0xff, 0xc4, 0, 20, 0, 3][..], &[0; 15], &[1, 2, 3]].concat();
        for segments in [
            &[SCAN_OF_3][..],
            &[b"\xff\xd9"],
            &[b"junk", &frame, SCAN_OF_3],
            &[&frame, hidden, SCAN_OF_1],
            &[&frame, b"\xff\0\xda", SCAN_OF_1],
            &[&frame, &frame, SCAN_OF_3],
            &[&frame, b"\xff\xe0\0\x06AVI1", SCAN_OF_3],
            &[&frame, b"\xff\xda\0\x0d\x03"],
            &[&frame, &long_codes, SCAN_OF_3],
        ] {
            assert!(!matches!(read(segments), Ok(Some(_))), "{segments:x?}");
        }
    }
}

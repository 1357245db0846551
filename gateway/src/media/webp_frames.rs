//! The frames of a WebP (RFC 9649), still or animated.

use std::io::{self, BufRead, Seek};

use super::segment::{array, skip};

/// The largest values among the frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WebpFrames {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Bytes of the longest chunk that is compressed without loss.
    pub(super) lossless: u64,
}

impl WebpFrames {
    /// Reads the chunks to the end of the file, whatever length its header claims.
    pub(super) fn read(reader: &mut (impl BufRead + Seek)) -> io::Result<Self> {
        let mut all = Self::default();
        skip(reader, 12)?;
        while !reader.fill_buf()?.is_empty() {
            let Ok(name) = array::<4>(reader) else { break };
            let Ok(length) = array(reader).map(u32::from_le_bytes) else { break };
            let padded = i64::from(length) + i64::from(length % 2);
            let read = match &name {
                // The header of a frame, which precedes the frame's chunks.
                b"ANMF" => {
                    skip(reader, 16)?;
                    continue;
                }
                b"VP8 " => {
                    let [_, _, _, _, _, _, w1, w2, h1, h2] = array(reader)?;
                    all.add(u16::from_le_bytes([w1, w2]), u16::from_le_bytes([h1, h2]));
                    10
                }
                b"VP8L" => {
                    let [_, bits @ ..] = array::<5>(reader)?;
                    let bits = u32::from_le_bytes(bits);
                    all.width = all.width.max((bits & 0x3fff) + 1);
                    all.height = all.height.max(((bits >> 14) & 0x3fff) + 1);
                    all.lossless = all.lossless.max(length.into());
                    5
                }
                b"ALPH" => {
                    all.lossless = all.lossless.max(length.into());
                    0
                }
                _ => 0,
            };
            skip(reader, padded - read)?;
        }
        Ok(all)
    }

    /// Adds a lossy frame. Two bits of each side, which say how to scale it, are ignored.
    fn add(&mut self, width: u16, height: u16) {
        self.width = self.width.max((width & 0x3fff).into());
        self.height = self.height.max((height & 0x3fff).into());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read(chunks: &[u8]) -> WebpFrames {
        let file = [b"RIFF\0\0\0\0WEBP", chunks].concat();
        WebpFrames::read(&mut Cursor::new(file)).unwrap()
    }

    #[test]
    fn the_largest_frame_counts_wherever_it_is() {
        let lossy = b"VP8 \x0b\0\0\0\0\0\0\x9d\x01\x2a\x28\0\x1e\0\0\0";
        let lossless = b"VP8L\x06\0\0\0\x2f\x31\x40\0\0\0";
        assert_eq!(read(lossy), WebpFrames { width: 40, height: 30, lossless: 0 });
        assert_eq!(read(lossless), WebpFrames { width: 50, height: 2, lossless: 6 });
        let canvas = b"VP8X\x0a\0\0\0\x12\0\0\0\0\0\0\0\0\0";
        let frame = b"ANMF\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        let alpha = b"ALPH\x07\0\0\0\0\0\0\0\0\0\0\0";
        let animated = [&canvas[..], frame, alpha, lossy, frame, lossless].concat();
        assert_eq!(read(&animated), WebpFrames { width: 50, height: 30, lossless: 7 });
        assert_eq!(read(b"VP8"), WebpFrames::default());
    }
}

//! The memory that a picture takes, by its header.

use super::{
    super::{chat_picture, memory::TOTAL, picture},
    *,
};

/// Whether a JPEG fits as a file of a room and as a profile's picture.
fn fits(width: u16, height: u16, has_scans: bool, size: u64) -> [bool; 2] {
    let header = Header::of_jpeg(JpegFrame { width, height, components: 3, has_scans }, size);
    [chat_picture::making, picture::making].map(|making| header.needed(making(&header)) <= TOTAL)
}

#[test]
fn photos_of_phones_fit() {
    assert_eq!(fits(4_032, 3_024, false, 6_000_000), [true; 2]);
    assert_eq!(fits(4_160, 3_120, false, 5_000_000), [true; 2]);
    assert_eq!(fits(3_000, 3_000, false, 5_000_000), [true; 2]);
    // The picture that the web app makes of the largest square.
    assert_eq!(fits(2_048, 2_048, false, 1_500_000), [true; 2]);
    assert_eq!(fits(5_000, 4_000, false, 6_000_000), [false; 2]);
    assert_eq!(fits(2_304, 1_728, true, 5_000_000), [true; 2]);
    assert_eq!(fits(3_264, 2_448, true, 5_000_000), [false; 2]);
}

#[test]
fn a_frame_that_is_larger_than_its_canvas_is_refused() {
    let canvas = b"RIFF\x2a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let frame = b"VP8 \x0c\0\0\0\x10\x02\0\x9d\x01\x2a\xff\x3f\xff\x3f\0\0";
    let read = |file: &[u8]| Header::read(&ReceivedFile::of(file));
    assert!(read(&[&canvas[..], frame].concat()).is_err());
    let frame = b"VP8 \x0c\0\0\0\x10\x02\0\x9d\x01\x2a\x01\0\x01\0\0\0";
    assert_eq!(read(&[&canvas[..], frame].concat()).unwrap().pixels(), 1);
}

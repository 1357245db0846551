//! Properties of the parsers of uploaded files, for any bytes. `PROPTEST_CASES=100000` tries more.

use std::io::{BufReader, Cursor};

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    animation::{clean_gif, clean_webp},
    jpeg_frame::JpegFrame,
    kind::MediaKind,
    path::MediaPath,
    recording,
    webp_frames::WebpFrames,
};

/// The beginnings of files that a parser of ours reads on from.
const BEGINNINGS: [&[u8]; 10] = [
    b"",
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff",
    b"GIF89a\x01\x00\x01\x00\x00\x00\x00!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00,",
    b"RIFF\x40\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00",
    b"RIFF\x40\x00\x00\x00WEBPANMF\x20\x00\x00\x00",
    b"RIFF\x40\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f",
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff",
    b"\xff\xd8\xff\xc0\x00\x11\x08",
    b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom\x00\x00\x00\x20moov\x00\x00\x00\x18udta",
    b"ID3\x04\x00\x00",
];

/// A file that begins as one of a kind does, and goes on with any bytes.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    (select(&BEGINNINGS[..]), vec(any::<u8>(), 0..600))
        .prop_map(|(beginning, rest)| [beginning, &rest].concat())
}

proptest! {
    #[test]
    fn an_animation_is_cleaned_to_no_more_bytes_and_stays_clean(file in any_file()) {
        for clean in [clean_gif, clean_webp] {
            if let Some(cleaned) = clean(&file) {
                prop_assert!(cleaned.len() <= file.len() + 1);
                prop_assert_eq!(clean(&cleaned), Some(cleaned));
            }
        }
    }

    #[test]
    fn frames_are_read_from_any_bytes_to_the_end(file in any_file()) {
        let reader = || BufReader::new(Cursor::new(&file));
        let _ = WebpFrames::read(&mut reader());
        let _ = JpegFrame::read(&mut reader());
    }

    #[test]
    fn a_recording_keeps_its_length_and_has_nothing_left_to_clean(file in any_file()) {
        for extension in ["mp4", "mp3"] {
            let kind = MediaKind::of_extension(extension).unwrap();
            let mut cleaned = file.clone();
            recording::clean(kind, &mut cleaned);
            prop_assert_eq!(cleaned.len(), file.len());
            let mut again = cleaned.clone();
            recording::clean(kind, &mut again);
            prop_assert_eq!(again, cleaned);
        }
    }

    #[test]
    fn a_path_has_one_spelling(path in "/?(media/)?(chat|profile)/[-0-9a-f]{0,36}/[-.0-9a-zA-Zx]{0,60}") {
        if let Some(parsed) = MediaPath::from_url(&path) {
            prop_assert_eq!(parsed.url(), path);
        }
    }
}

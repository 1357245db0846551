//! Removes metadata from videos and voice recordings: where and with what they were recorded is
//! overwritten in place, so that no offset in the file changes.

use super::kind::MediaKind;

/// Boxes of ISO 14496-12 with other boxes in them, on the way to metadata.
const PARENTS: [&[u8; 4]; 2] = [b"moov", b"trak"];
/// Boxes of metadata: places are in `udta`, XMP is in a `uuid`.
const METADATA: [&[u8; 4]; 3] = [b"udta", b"meta", b"uuid"];
/// How deep nested boxes are followed: moov, trak and their content.
const DEPTH: u32 = 4;
/// The header of an `ID3v2` tag.
const ID3_HEADER: usize = 10;

/// Overwrites the metadata of a recording, as far as its container is known.
pub(super) fn clean(kind: &MediaKind, bytes: &mut [u8]) {
    match kind.extension {
        "mp4" | "mov" | "m4a" | "3gp" => clean_boxes(bytes, DEPTH),
        "mp3" => clean_id3(bytes),
        _ => {}
    }
}

/// Turns each box of metadata into a box of free space, of the same length.
fn clean_boxes(mut bytes: &mut [u8], depth: u32) {
    while let Some((header, _)) = bytes.split_first_chunk::<8>() {
        let [a, b, c, d, name @ ..] = *header;
        let (length, begin) = match u32::from_be_bytes([a, b, c, d]) {
            // The box extends to the end of the file.
            0 => (bytes.len(), 8),
            1 => {
                let Some(long) = bytes.get(8..16).and_then(|long| long.try_into().ok()) else {
                    return;
                };
                (usize::try_from(u64::from_be_bytes(long)).unwrap_or(usize::MAX), 16)
            }
            length => (usize::try_from(length).unwrap_or(usize::MAX), 8),
        };
        if length < begin {
            return;
        }
        // A truncated box ends with the file.
        let (this, rest) = bytes.split_at_mut(length.min(bytes.len()));
        if let Some(content) = this.get_mut(begin..)
            && METADATA.contains(&&name)
        {
            content.fill(0);
            this[4..8].copy_from_slice(b"free");
        } else if depth > 0
            && PARENTS.contains(&&name)
            && let Some(content) = this.get_mut(begin..)
        {
            clean_boxes(content, depth - 1);
        }
        bytes = rest;
    }
}

/// Turns the tag at the beginning into padding.
fn clean_id3(bytes: &mut [u8]) {
    let Some((header, rest)) = bytes.split_first_chunk_mut::<ID3_HEADER>() else { return };
    let [b'I', b'D', b'3', _, _, flags, size @ ..] = header else { return };
    // Nothing but padding follows: no extended header, no footer.
    *flags = 0;
    let length = size.iter().fold(0, |sum, digit| (sum << 7) | usize::from(*digit & 0x7f));
    let end = length.min(rest.len());
    rest[..end].fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(name: [u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len() + 8).unwrap();
        [&length.to_be_bytes(), name.as_slice(), content].concat()
    }

    #[test]
    fn where_a_video_was_recorded_is_overwritten_and_the_rest_stays() {
        let place = boxed(*b"udta", &boxed(*b"\xa9xyz", b"\0\x12\x15\xc7-01.2921+036.8219/"));
        let track = boxed(*b"trak", &[boxed(*b"mdia", b"stays"), place.clone()].concat());
        let moov = boxed(*b"moov", &[boxed(*b"mvhd", b"stays"), track, place].concat());
        let file = [
            boxed(*b"ftyp", b"isom"),
            moov,
            boxed(*b"uuid", b"xmp"),
            boxed(*b"mdat", b"udta film"),
        ]
        .concat();
        let mut clean = file.clone();
        super::clean(MediaKind::of_extension("mp4").unwrap(), &mut clean);
        assert_eq!(clean.len(), file.len());
        let text = String::from_utf8_lossy(&clean);
        for gone in ["-01.2921", "xmp", "xyz", "uuid"] {
            assert!(!text.contains(gone), "{gone}");
        }
        assert_eq!(text.matches("stays").count(), 2);
        assert!(text.ends_with("udta film"));
    }

    #[test]
    fn the_tag_of_a_song_becomes_padding() {
        let mut song = b"ID3\x04\0\x40\0\0\x01\x02GEOB".to_vec();
        song.resize(10 + 130, b'x');
        song.extend(b"\xff\xfb song");
        clean(MediaKind::of_extension("mp3").unwrap(), &mut song);
        assert!(song[10..140].iter().all(|&byte| byte == 0), "{song:?}");
        assert!(song.ends_with(b"\xff\xfb song"));
    }

    #[test]
    fn broken_boxes_end_the_work() {
        for file in [
            &b""[..],
            b"\0\0\0",
            b"\0\0\0\x07moov",
            b"\0\0\0\x01moov\xff",
            b"\0\0\0\x01moov\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\xff\xff\xff\xffmoov\0\0\0\0udta",
            b"\0\0\0\0udta gps",
        ] {
            let mut clean = file.to_vec();
            super::clean(MediaKind::of_extension("mp4").unwrap(), &mut clean);
            assert_eq!(clean.len(), file.len());
            assert!(!String::from_utf8_lossy(&clean).contains("gps"));
        }
    }
}

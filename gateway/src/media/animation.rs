//! Removes metadata from animations: only frames are kept, and nothing is decoded.

/// The blocks of a GIF (`GIF89a`, appendix A).
const IMAGE: u8 = 0x2c;
const EXTENSION: u8 = 0x21;
const TRAILER: u8 = 0x3b;
/// The extensions that are kept. A control extension says how long a frame stays.
const CONTROL: u8 = 0xf9;
const APPLICATION: u8 = 0xff;
/// The application extension that says how often an animation repeats.
const LOOP: &[u8] = b"\x0bNETSCAPE2.0";

/// Returns an animated GIF with its frames alone; `None` if it has a single frame or is broken.
/// Bytes after its end are left out, too.
pub(super) fn clean_gif(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut at = 6;
    let flags = *bytes.get(10)?;
    at += 7 + table(flags);
    let mut clean = bytes.get(..at)?.to_vec();
    let mut frames = 0_u32;
    loop {
        match *bytes.get(at)? {
            IMAGE => {
                let flags = *bytes.get(at + 9)?;
                // The image's descriptor, colour table and code size precede its data.
                let data = at + 10 + table(flags) + 1;
                let end = blocks_end(bytes, data)?;
                clean.extend_from_slice(bytes.get(at..end)?);
                (at, frames) = (end, frames + 1);
            }
            EXTENSION => {
                let label = *bytes.get(at + 1)?;
                let end = blocks_end(bytes, at + 2)?;
                let is_loop = label == APPLICATION && bytes.get(at + 2..)?.starts_with(LOOP);
                if label == CONTROL || is_loop {
                    clean.extend_from_slice(bytes.get(at..end)?);
                }
                at = end;
            }
            TRAILER => {
                clean.push(TRAILER);
                return (frames > 1).then_some(clean);
            }
            _ => return None,
        }
    }
}

/// Bytes of the colour table.
fn table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// The end of a chain of blocks: the position after the empty block. Each block has its length
/// before it.
fn blocks_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

/// The chunks of an animated WebP that are kept (RFC 9649).
const CHUNKS: [&[u8; 4]; 3] = [b"VP8X", b"ANIM", b"ANMF"];
/// The flags of VP8X that are kept: animation and alpha.
const FLAGS: u8 = 0x12;
const ANIMATED: u8 = 0x02;

/// Returns an animated WebP with its frames alone; `None` if it is still or broken.
pub(super) fn clean_webp(bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, mut rest) = bytes.split_at_checked(12)?;
    if !rest.starts_with(b"VP8X") || rest.get(8)? & ANIMATED == 0 {
        return None;
    }
    let mut clean = head.to_vec();
    while let Some((name, tail)) = rest.split_first_chunk::<4>() {
        let (length, tail) = tail.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let padded = length.checked_add(length % 2)?;
        let chunk = tail.get(..padded)?;
        if CHUNKS.contains(&name) {
            let begin = clean.len();
            clean.extend_from_slice(rest.get(..8)?);
            clean.extend_from_slice(chunk);
            if name == b"VP8X" {
                let flags = clean.get_mut(begin + 8)?;
                *flags &= FLAGS;
            }
        }
        rest = tail.get(padded..)?;
    }
    let size = u32::try_from(clean.len() - 8).ok()?;
    clean.get_mut(4..8)?.copy_from_slice(&size.to_le_bytes());
    Some(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A GIF of one pixel, with a comment, a script behind its end, and this many frames.
    fn gif(frames: usize) -> Vec<u8> {
        let mut gif = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
        gif.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0");
        gif.extend(b"\x21\xfe\x05-1.29\0");
        gif.extend(b"\x21\xff\x0bXMP DataXMP\x03gps\0");
        for _ in 0..frames {
            gif.extend(b"\x21\xf9\x04\0\x0a\0\0\0");
            gif.extend(b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0");
        }
        gif.extend(b"\x3b<script>alert(1)</script>");
        gif
    }

    #[test]
    fn an_animated_gif_keeps_its_frames_and_nothing_else() {
        let clean = clean_gif(&gif(2)).unwrap();
        let text = String::from_utf8_lossy(&clean);
        for gone in ["1.29", "gps", "XMP", "script"] {
            assert!(!text.contains(gone), "{gone}");
        }
        assert!(text.contains("NETSCAPE2.0"));
        assert_eq!(clean.split(|&byte| byte == IMAGE).count(), 3);
        // The animation is clean already.
        assert_eq!(clean_gif(&clean), Some(clean));
    }

    #[test]
    fn a_still_or_broken_gif_is_no_animation() {
        assert_eq!(clean_gif(&gif(1)), None);
        let whole = gif(2);
        let end = whole.iter().rposition(|&byte| byte == TRAILER).unwrap();
        for length in 0..end {
            assert_eq!(clean_gif(&whole[..length]), None, "{length}");
        }
    }

    #[test]
    fn an_animated_webp_keeps_its_frames_and_nothing_else() {
        let mut webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x3e\0\0\0\0\0\0\0\0\0".to_vec();
        webp.extend(b"ICCP\x03\0\0\0icc\0ANIM\x06\0\0\0\0\0\0\0\0\0ANMF\x02\0\0\0ab");
        webp.extend(b"EXIF\x03\0\0\0gps\0XMP \x02\0\0\0xm");
        let clean = clean_webp(&webp).unwrap();
        assert_eq!(
            clean,
            b"RIFF\x2e\0\0\0WEBPVP8X\x0a\0\0\0\x12\0\0\0\0\0\0\0\0\0ANIM\x06\0\0\0\0\0\0\0\0\0ANMF\x02\0\0\0ab"
        );
        assert_eq!(clean_webp(&webp[..webp.len() - 1]), None);
        assert_eq!(clean_webp(b"RIFF\0\0\0\0WEBPVP8 "), None);
    }
}

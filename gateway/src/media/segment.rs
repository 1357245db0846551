//! Reading the segments of a file.

use std::io::{self, BufRead, Seek};

pub(super) fn byte(reader: &mut impl BufRead) -> io::Result<u8> {
    array(reader).map(|[byte]: [u8; 1]| byte)
}

pub(super) fn array<const N: usize>(reader: &mut impl BufRead) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Skips bytes, or goes back by them; the end of the file may be passed.
pub(super) fn skip(reader: &mut impl Seek, bytes: i64) -> io::Result<()> {
    reader.seek_relative(bytes)
}

//! Reads lines up to a maximum length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};
use tokio::net::tcp::OwnedReadHalf;

/// Longest line including its end: RFC 5321's minimum for text. A command is
/// shorter.
const MAX_LINE: usize = 1_000;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    /// A line up to and including its line feed.
    Whole(&'l [u8]),
    /// A line beyond the maximum; its bytes are dropped.
    TooLong,
    /// The client has disconnected.
    End,
}

pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
}

impl Lines<BufReader<OwnedReadHalf>> {
    pub(super) fn new(client: OwnedReadHalf) -> Self {
        Self { reader: BufReader::new(client), line: Vec::new() }
    }
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) async fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let mut too_long = false;
        loop {
            let buffer = self.reader.fill_buf().await?;
            if buffer.is_empty() {
                return Ok(Line::End);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(buffer.len(), |end| end + 1);
            too_long |= self.line.len() + taken > MAX_LINE;
            if !too_long {
                self.line.extend_from_slice(&buffer[..taken]);
            }
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(if too_long { Line::TooLong } else { Line::Whole(&self.line) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn drops_a_line_beyond_the_maximum_and_reads_the_next() {
        let long = "a".repeat(999);
        let text = format!("{}\r\n{long}\r\nb\n", "a".repeat(998));
        // A small buffer, so that lines arrive in pieces.
        let reader = BufReader::with_capacity(7, text.as_bytes());
        let mut lines = Lines { reader, line: Vec::new() };
        assert!(matches!(lines.next().await, Ok(Line::Whole(line)) if line.len() == 1_000));
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
        assert_eq!(lines.next().await.unwrap(), Line::Whole(b"b\n"));
        assert_eq!(lines.next().await.unwrap(), Line::End);
    }
}

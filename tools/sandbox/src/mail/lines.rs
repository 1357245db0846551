//! Reads lines up to a maximum length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::tcp::OwnedReadHalf;

/// Longest line including its end: RFC 5321's minimum for text. A command is
/// shorter.
const MAX_LINE: u64 = 1_000;

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
        let mut too_long = false;
        loop {
            self.line.clear();
            let mut limited = (&mut self.reader).take(MAX_LINE);
            limited.read_until(b'\n', &mut self.line).await?;
            let limit_reached = limited.limit() == 0;
            return Ok(match (self.line.ends_with(b"\n"), too_long) {
                (true, false) => Line::Whole(&self.line),
                (true, true) => Line::TooLong,
                (false, _) if limit_reached => {
                    too_long = true;
                    continue;
                }
                (false, _) => Line::End,
            });
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

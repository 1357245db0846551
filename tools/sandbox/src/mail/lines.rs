//! Lines off the wire, none longer than the bound.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};
use tokio::net::tcp::OwnedReadHalf;

/// Longest line with its end. The standard's least for text; a command is
/// shorter, and a server in the wild may refuse whatever is longer.
const LONGEST: usize = 1_000;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    /// A line with its end, whatever that is.
    Whole(&'l [u8]),
    /// A line that was too long to be kept.
    TooLong,
    /// The client is gone.
    End,
}

pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
}

impl Lines<BufReader<OwnedReadHalf>> {
    pub(super) fn of(client: OwnedReadHalf) -> Self {
        Self { reader: BufReader::new(client), line: Vec::new() }
    }
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) async fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let mut too_long = false;
        loop {
            let come = self.reader.fill_buf().await?;
            if come.is_empty() {
                return Ok(Line::End);
            }
            let end = come.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(come.len(), |at| at + 1);
            too_long |= self.line.len() + taken > LONGEST;
            if !too_long {
                self.line.extend_from_slice(&come[..taken]);
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
    async fn a_line_beyond_the_bound_is_dropped_and_the_next_one_is_read() {
        let long = "a".repeat(999);
        let text = format!("{}\r\n{long}\r\nb\n", "a".repeat(998));
        // A small buffer, so that lines come in pieces.
        let reader = BufReader::with_capacity(7, text.as_bytes());
        let mut lines = Lines { reader, line: Vec::new() };
        assert!(matches!(lines.next().await, Ok(Line::Whole(line)) if line.len() == 1_000));
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
        assert_eq!(lines.next().await.unwrap(), Line::Whole(b"b\n"));
        assert_eq!(lines.next().await.unwrap(), Line::End);
    }
}

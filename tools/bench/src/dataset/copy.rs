//! PostgreSQL's binary COPY format (the manual's page on COPY, "Binary Format").

use anyhow::{Context as _, Result};
use sqlx::{PgConnection, postgres::PgCopyIn};
use uuid::Uuid;

/// Signature, flags and the length of the header's extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// Ends the data; it stands where a row has its number of fields.
const TRAILER: [u8; 2] = (-1_i16).to_be_bytes();
/// The length of a field that is NULL.
const NULL: [u8; 4] = (-1_i32).to_be_bytes();
/// 2000-01-01T00:00:00Z, where PostgreSQL's timestamps begin, in milliseconds.
const POSTGRES_EPOCH: i64 = 946_684_800_000;
/// Bytes that are sent at once.
const CHUNK: usize = 256 * 1024;

/// One `COPY … FROM STDIN (FORMAT binary)`.
pub(crate) struct CopyIn<'c> {
    copy: PgCopyIn<&'c mut PgConnection>,
    rows: Rows,
}

/// Encoded rows.
pub(crate) struct Rows(Vec<u8>);

/// The fields of a row, to be added in the order of the columns.
pub(crate) struct Row<'r>(&'r mut Vec<u8>);

impl<'c> CopyIn<'c> {
    /// Begins to fill these columns of a table.
    pub(crate) async fn begin(
        conn: &'c mut PgConnection,
        table: &'static str,
        columns: &'static str,
    ) -> Result<Self> {
        let statement = format!("COPY {table} ({columns}) FROM STDIN (FORMAT binary)");
        let copy = conn.copy_in_raw(&statement).await;
        let copy = copy.with_context(|| format!("cannot copy into {table}"))?;
        Ok(Self { copy, rows: Rows(HEADER.to_vec()) })
    }

    /// The buffer to add rows to. Call [`Self::flush`] after each row.
    pub(crate) const fn rows(&mut self) -> &mut Rows {
        &mut self.rows
    }

    /// Sends the rows when they fill a chunk.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        if self.rows.0.len() >= CHUNK {
            self.copy.send(self.rows.0.as_slice()).await?;
            self.rows.0.clear();
        }
        Ok(())
    }

    /// Sends the remaining rows and ends the statement; returns the number of rows.
    pub(crate) async fn finish(mut self) -> Result<u64> {
        self.rows.0.extend_from_slice(&TRAILER);
        self.copy.send(self.rows.0.as_slice()).await?;
        Ok(self.copy.finish().await?)
    }
}

impl Rows {
    /// Begins a row of `fields` fields.
    pub(crate) fn row(&mut self, fields: i16) -> Row<'_> {
        self.0.extend_from_slice(&fields.to_be_bytes());
        Row(&mut self.0)
    }
}

impl Row<'_> {
    pub(crate) fn uuid(self, value: Uuid) -> Self {
        self.bytes(value.as_bytes())
    }

    pub(crate) fn integer(self, value: i32) -> Self {
        self.bytes(&value.to_be_bytes())
    }

    pub(crate) fn bigint(self, value: i64) -> Self {
        self.bytes(&value.to_be_bytes())
    }

    pub(crate) fn text(self, value: &str) -> Self {
        self.bytes(value.as_bytes())
    }

    pub(crate) fn bytea(self, value: &[u8]) -> Self {
        self.bytes(value)
    }

    /// Adds a time, given in milliseconds since the Unix epoch.
    pub(crate) fn timestamptz(self, millis: u64) -> Self {
        let millis = i64::try_from(millis).unwrap_or(i64::MAX / 1_000);
        self.bigint((millis - POSTGRES_EPOCH) * 1_000)
    }

    pub(crate) fn null(self) -> Self {
        self.0.extend_from_slice(&NULL);
        self
    }

    fn bytes(self, value: &[u8]) -> Self {
        // A longer value than 2 GiB does not occur; PostgreSQL would refuse its length.
        let length = i32::try_from(value.len()).unwrap_or(i32::MAX);
        self.0.extend_from_slice(&length.to_be_bytes());
        self.0.extend_from_slice(value);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_encoded_with_their_lengths() {
        let mut rows = Rows(Vec::new());
        rows.row(3).bigint(-2).null().text("ab");
        let expected = [
            &[0, 3][..],
            &[0, 0, 0, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe],
            &[0xff, 0xff, 0xff, 0xff],
            &[0, 0, 0, 2, b'a', b'b'],
        ];
        assert_eq!(rows.0, expected.concat());
    }

    #[test]
    fn timestamps_count_microseconds_from_the_year_2000() {
        let mut rows = Rows(Vec::new());
        rows.row(1).timestamptz(946_684_800_001);
        assert_eq!(rows.0, [0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0x03, 0xe8]);
    }
}

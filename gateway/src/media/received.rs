//! A file as it was received: on disk, so that a slow upload takes no memory.

use std::{
    fs::File,
    io::{self, BufReader, Read as _, Seek as _, SeekFrom},
    os::unix::fs::FileExt as _,
};

use tokio::io::AsyncWriteExt as _;

use super::MediaKind;

/// Leading bytes by which a picture is recognised.
const HEAD: usize = 1024;

/// A file without a name, which the system removes once this is dropped.
#[derive(Debug)]
pub(crate) struct ReceivedFile {
    file: File,
    size: u64,
}

/// A file that is being received.
pub(crate) struct Receiving {
    file: tokio::fs::File,
    size: u64,
}

impl Receiving {
    /// Begins a file in the folder for temporary files (`TMPDIR`).
    pub(crate) async fn begin() -> io::Result<Self> {
        let file = tokio::task::spawn_blocking(tempfile::tempfile).await??;
        Ok(Self { file: tokio::fs::File::from_std(file), size: 0 })
    }

    /// The bytes that were received so far.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await?;
        self.size += bytes.len() as u64;
        Ok(())
    }

    pub(crate) async fn end(mut self) -> io::Result<ReceivedFile> {
        self.file.flush().await?;
        Ok(ReceivedFile { file: self.file.into_std().await, size: self.size })
    }
}

impl ReceivedFile {
    /// The file's size, in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// Whether the file begins as a picture.
    pub(crate) fn is_picture(&self) -> io::Result<bool> {
        let length = usize::try_from(self.size).unwrap_or(usize::MAX).min(HEAD);
        let mut head = vec![0; length];
        self.file.read_exact_at(&mut head, 0)?;
        Ok(MediaKind::sniff(&head).is_some_and(MediaKind::is_picture))
    }

    /// Reads the whole file.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
        self.reader()?.into_inner().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A reader from the beginning on. Two readers at the same time would disturb each other.
    pub(super) fn reader(&self) -> io::Result<BufReader<&File>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::new(file))
    }
}

#[cfg(test)]
impl ReceivedFile {
    /// A file with these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        use std::io::Write as _;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Self { file, size: bytes.len() as u64 }
    }
}

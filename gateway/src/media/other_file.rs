//! Files of chat rooms that are no pictures: recordings and documents.

use anyhow::Context as _;
use mesh::Fault;

use super::{
    kind::MediaKind,
    memory::{Made, UploadMemory},
    received::ReceivedFile,
    recording,
};

/// A file with its kind; `None` if its kind is not stored.
type OtherFile = Option<(&'static MediaKind, Vec<u8>)>;

impl UploadMemory {
    /// Makes a recording without its metadata, or a document, once there is memory for it; `None`
    /// for a kind that is not stored. A file that proves to be a picture only by the bytes after
    /// its head is not decoded, so it is not stored either.
    pub(crate) async fn other_file(&self, file: ReceivedFile) -> Result<Made<OtherFile>, Fault> {
        let failed = |error: anyhow::Error| Fault::failure(&error);
        let memory = self.reserve(file.size()).await?;
        let memory = memory.context("a file is larger than all memory").map_err(failed)?;
        let work = move || {
            let mut bytes = file.read()?;
            let kind = MediaKind::sniff(&bytes).filter(|kind| !kind.is_picture());
            let value = kind.map(|kind| {
                recording::clean(kind, &mut bytes);
                (kind, bytes)
            });
            Ok(memory.holding(value))
        };
        self.work(work).await.context("a received file was not read").flatten().map_err(failed)
    }
}

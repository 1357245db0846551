//! The store of media: a folder, or a bucket of an S3 service.

use std::{fmt, fs, ops::Range, path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use anyhow::Context as _;
use axum::body::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use mesh::instrument;
use object_store::{
    ClientOptions, Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore,
    ObjectStoreExt as _,
    aws::AmazonS3Builder,
    client::{HttpClient, HttpConnector},
    local::LocalFileSystem,
    path::Path,
    prefix::PrefixStore,
};

use super::path::{MediaPath, Shelf};

/// Longest time in which S3 may send nothing. A whole transfer may take longer, since it is as slow
/// as its reader.
const SILENCE_LIMIT: Duration = Duration::from_mins(1);

/// `file:///absolute/folder` or `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaUrl {
    /// A folder, which is created if it does not exist.
    Folder(PathBuf),
    /// A bucket of the S3 service that the `AWS_…` variables describe.
    S3 {
        /// The bucket's name.
        bucket: String,
        /// The prefix of all names; may be empty.
        prefix: String,
    },
}

impl FromStr for MediaUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a media store looks like file:///folder or s3://bucket/prefix";
        if let Some(folder) = text.strip_prefix("file://") {
            let folder = PathBuf::from(folder);
            return if folder.is_absolute() { Ok(Self::Folder(folder)) } else { Err(FORM) };
        }
        let location = text.strip_prefix("s3://").ok_or(FORM)?;
        let (bucket, prefix) = location.split_once('/').unwrap_or((location, ""));
        let prefix = Path::parse(prefix).map_err(|_| FORM)?.to_string();
        if bucket.is_empty() {
            Err(FORM)
        } else {
            Ok(Self::S3 { bucket: bucket.to_owned(), prefix })
        }
    }
}

/// Writes the URL as it is configured.
impl fmt::Display for MediaUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "file://{}", folder.display()),
            Self::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

/// Stores media. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct MediaStore(Arc<dyn ObjectStore>);

impl MediaStore {
    /// Opens the store; S3 is not called yet.
    pub(crate) fn open(url: &MediaUrl) -> anyhow::Result<Self> {
        match url {
            MediaUrl::Folder(folder) => Self::folder(folder),
            MediaUrl::S3 { bucket, prefix } => {
                let builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
                Self::s3(builder, prefix)
            }
        }
        .with_context(|| format!("the media store {url}"))
    }

    fn folder(folder: &PathBuf) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        // A file whose URL was returned must survive a power cut.
        let files = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self(Arc::new(files.with_automatic_cleanup(true))))
    }

    fn s3(builder: AmazonS3Builder, prefix: &str) -> anyhow::Result<Self> {
        let bucket = builder.with_http_connector(MeshConnector).build()?;
        Ok(Self(Arc::new(PrefixStore::new(bucket, Path::parse(prefix)?))))
    }

    /// Stores a file under its new name.
    #[instrument(name = "media.put", skip_all, fields(player.id = %path.owner, bytes = bytes.len()))]
    pub(crate) async fn put(&self, path: &MediaPath, bytes: Bytes) -> anyhow::Result<()> {
        let put = self.0.put(&location(path), bytes.into()).await;
        put.map(|_| ()).context("store a media file")
    }

    /// The metadata of a file; `None` if it does not exist.
    #[instrument(name = "media.find", skip_all)]
    pub(crate) async fn find(&self, path: &MediaPath) -> anyhow::Result<Option<ObjectMeta>> {
        found(self.0.head(&location(path)).await)
    }

    /// A file or a part of it, as a stream; `None` if it does not exist.
    #[instrument(name = "media.read", skip_all)]
    pub(crate) async fn read(
        &self,
        path: &MediaPath,
        part: Option<Range<u64>>,
    ) -> anyhow::Result<Option<GetResult>> {
        let options = GetOptions { range: part.map(GetRange::Bounded), ..GetOptions::default() };
        found(self.0.get_opts(&location(path), options).await)
    }

    /// Deletes a file; no error if it does not exist.
    #[instrument(name = "media.delete", skip_all)]
    pub(crate) async fn delete(&self, path: &MediaPath) -> anyhow::Result<()> {
        found(self.0.delete(&location(path)).await).map(|_| ())
    }

    /// All files of a shelf, in no order, each with the Unix time at which it was stored.
    /// Files whose names have another form are skipped.
    pub(crate) fn list(&self, on: Shelf) -> BoxStream<'_, anyhow::Result<(MediaPath, i64)>> {
        let prefix = Path::from(on.as_str());
        let entries = self
            .0
            .list(Some(&prefix))
            .map_err(|error| anyhow::Error::from(error).context("list the media store"));
        let ours = entries.try_filter_map(|entry| async move {
            let path = MediaPath::from_location(entry.location.as_ref());
            Ok(path.map(|path| (path, entry.last_modified.timestamp())))
        });
        ours.boxed()
    }
}

fn location(path: &MediaPath) -> Path {
    Path::from(path.to_string())
}

fn found<T>(outcome: object_store::Result<T>) -> anyhow::Result<Option<T>> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error).context("the media store"),
    }
}

/// Makes `object_store` use PlayOn's one HTTP client.
#[derive(Debug)]
struct MeshConnector;

impl HttpConnector for MeshConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        match mesh::http::streaming_client(SILENCE_LIMIT) {
            Ok(client) => Ok(HttpClient::new(client)),
            Err(error) => Err(Error::Generic { store: "S3", source: error.into() }),
        }
    }
}

#[cfg(test)]
mod tests;

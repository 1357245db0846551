//! Where media are: a folder, or a bucket of anything that speaks S3.

use std::{fmt, fs, ops::Range, path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use anyhow::Context as _;
use axum::body::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use object_store::{
    ClientOptions, Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore,
    ObjectStoreExt as _,
    aws::AmazonS3Builder,
    client::{HttpClient, HttpConnector},
    local::LocalFileSystem,
    path::Path,
    prefix::PrefixStore,
};
use tracing::instrument;

use super::path::{MediaPath, Shelf};

/// Longest that an S3 may say nothing. What it sends may take longer: it goes at the
/// pace of whoever reads it.
const SILENCE_LIMIT: Duration = Duration::from_mins(1);

/// `file:///absolute/folder` or `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaUrl {
    /// A folder, which is made if it is not there.
    Folder(PathBuf),
    /// A bucket of the S3 that the usual `AWS_…` variables describe.
    S3 {
        /// Its name.
        bucket: String,
        /// What all names in it begin with; may be empty.
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
        let place = text.strip_prefix("s3://").ok_or(FORM)?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix = Path::parse(prefix).map_err(|_| FORM)?.to_string();
        if bucket.is_empty() {
            Err(FORM)
        } else {
            Ok(Self::S3 { bucket: bucket.to_owned(), prefix })
        }
    }
}

/// As it is configured.
impl fmt::Display for MediaUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "file://{}", folder.display()),
            Self::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

/// Keeps media. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct MediaStore(Arc<dyn ObjectStore>);

impl MediaStore {
    /// Opens it; an S3 is not asked anything yet.
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
        // A reply with its url is a promise that a power cut does not break.
        let files = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self(Arc::new(files.with_automatic_cleanup(true))))
    }

    fn s3(builder: AmazonS3Builder, prefix: &str) -> anyhow::Result<Self> {
        let bucket = builder.with_http_connector(OurClient).build()?;
        Ok(Self(Arc::new(PrefixStore::new(bucket, Path::parse(prefix)?))))
    }

    /// Keeps a file under its new name.
    #[instrument(name = "media.put", skip_all, fields(player.id = %path.owner, bytes = bytes.len()))]
    pub(crate) async fn put(&self, path: &MediaPath, bytes: Bytes) -> anyhow::Result<()> {
        let put = self.0.put(&location(path), bytes.into()).await;
        put.map(|_| ()).context("keep a media file")
    }

    /// What is known of a file, if it is there.
    #[instrument(name = "media.find", skip_all)]
    pub(crate) async fn find(&self, path: &MediaPath) -> anyhow::Result<Option<ObjectMeta>> {
        found(self.0.head(&location(path)).await)
    }

    /// A file or a part of it, to be streamed, if it is there.
    #[instrument(name = "media.read", skip_all)]
    pub(crate) async fn read(
        &self,
        path: &MediaPath,
        part: Option<Range<u64>>,
    ) -> anyhow::Result<Option<GetResult>> {
        let options = GetOptions { range: part.map(GetRange::Bounded), ..GetOptions::default() };
        found(self.0.get_opts(&location(path), options).await)
    }

    /// Forgets a file. One that is not there is forgotten already.
    #[instrument(name = "media.delete", skip_all)]
    pub(crate) async fn delete(&self, path: &MediaPath) -> anyhow::Result<()> {
        found(self.0.delete(&location(path)).await).map(|_| ())
    }

    /// All of a shelf, as it comes, each with the second it was kept in. What has no
    /// name of ours is passed over.
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

/// The house's one HTTP client, rather than one that `object_store` would make.
#[derive(Debug)]
struct OurClient;

impl HttpConnector for OurClient {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        match mesh::http::streaming_client(SILENCE_LIMIT) {
            Ok(client) => Ok(HttpClient::new(client)),
            Err(error) => Err(Error::Generic { store: "S3", source: error.into() }),
        }
    }
}

#[cfg(test)]
mod tests;

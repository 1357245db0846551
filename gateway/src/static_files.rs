//! Built files, served from memory.
//!
//! A file's entity tag is a hash of its content, so it says exactly whether a release
//! changed the file. Times and sizes do not: images are built with one time for all
//! files, and a page's hashed names are equally long.

use std::{collections::HashMap, fs, path::Path};

use anyhow::{Context as _, ensure};
use axum::{
    body::{Body, Bytes},
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{
        ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
        IF_NONE_MATCH, VARY,
    },
};
use percent_encoding::percent_decode_str;
use sha2::{Digest as _, Sha256};

/// Caches for ever: a bundle's name changes with its content.
pub(crate) const FOR_EVER: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");
/// Cached, but revalidated at each use, so that a release reaches every player at once.
pub(crate) const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");
/// Caches nothing: while a release is rolled out, a missing file may exist a moment later.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The encodings that a build has beside a file, by their suffix; the best first.
const ENCODINGS: [(&str, &str); 2] = [(".br", "br"), (".gz", "gzip")];

/// The files of a folder, by path with the leading slash.
pub(crate) struct StaticFiles(HashMap<String, File>);

/// A file, in all encodings that the build made.
pub(crate) struct File {
    content_type: HeaderValue,
    caching: HeaderValue,
    plain: Content,
    /// The encoded contents, each with the name of its encoding, in the order of [`ENCODINGS`].
    encoded: Vec<(&'static str, Content)>,
}

struct Content {
    bytes: Bytes,
    sha256: [u8; 32],
    tag: HeaderValue,
}

impl StaticFiles {
    /// Reads the files of a folder, hidden ones excepted; a missing folder has none. Fails when the
    /// files have more than `limit` bytes together. A path says how long its file may be cached.
    pub(crate) fn load(
        root: &Path,
        limit: usize,
        caching: impl Fn(&str) -> HeaderValue,
    ) -> anyhow::Result<Self> {
        let contents = read(root, limit)?;
        let mut files = HashMap::new();
        let paths: Vec<String> = contents.keys().cloned().collect();
        for path in paths.iter().filter(|path| !is_encoded(path, &paths)) {
            let encoded = ENCODINGS.iter().filter_map(|(suffix, name)| {
                Some((*name, Content::new(contents.get(&format!("{path}{suffix}"))?)?))
            });
            let encoded = encoded.collect();
            if let Some(plain) = contents.get(path).and_then(Content::new) {
                files.insert(path.clone(), File::new(path, caching(path), plain, encoded));
            }
        }
        Ok(Self(files))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The file at a path, which may be percent-encoded.
    pub(crate) fn find(&self, path: &str) -> Option<&File> {
        if path.contains('%') {
            let decoded = percent_decode_str(path).decode_utf8().ok()?;
            self.0.get(&*decoded)
        } else {
            self.0.get(path)
        }
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut File)> {
        self.0.iter_mut()
    }
}

impl File {
    fn new(
        path: &str,
        caching: HeaderValue,
        plain: Content,
        encoded: Vec<(&'static str, Content)>,
    ) -> Self {
        let kind = mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream");
        Self { content_type: HeaderValue::from_static(kind), caching, plain, encoded }
    }

    /// The SHA-256 of the file's bytes.
    pub(crate) fn sha256(&self) -> &[u8; 32] {
        &self.plain.sha256
    }

    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.plain.bytes
    }

    /// Puts other bytes in place of the file's, and drops its encodings.
    pub(crate) fn replace(&mut self, bytes: Bytes) {
        if let Some(plain) = Content::new(&bytes) {
            self.plain = plain;
            self.encoded.clear();
        }
    }

    /// Replies with the file, cached as its path says or as the caller does.
    pub(crate) fn respond(&self, method: &Method, headers: &HeaderMap) -> Response {
        let best = self.encoded.iter().find(|(name, _)| accepts(headers, name));
        let (encoding, content) = match best {
            Some((name, content)) => (Some(*name), content),
            None => (None, &self.plain),
        };
        let body = match *method {
            Method::HEAD => Body::empty(),
            _ => Body::from(content.bytes.clone()),
        };
        let mut response = Response::new(body);
        let reply = response.headers_mut();
        reply.insert(CACHE_CONTROL, self.caching.clone());
        reply.insert(ETAG, content.tag.clone());
        if !self.encoded.is_empty() {
            reply.insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
        }
        if is_cached(headers, &content.tag) {
            *response.body_mut() = Body::empty();
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        reply.insert(CONTENT_TYPE, self.content_type.clone());
        reply.insert(CONTENT_LENGTH, content.bytes.len().into());
        if let Some(encoding) = encoding {
            reply.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

impl Content {
    /// `None` if the tag is no valid header value, which cannot happen with base64.
    fn new(bytes: &Bytes) -> Option<Self> {
        let sha256: [u8; 32] = Sha256::digest(bytes).into();
        let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(&sha256[..12]));
        Some(Self { bytes: bytes.clone(), sha256, tag: HeaderValue::try_from(tag).ok()? })
    }
}

/// All files of a folder.
fn read(root: &Path, limit: usize) -> anyhow::Result<HashMap<String, Bytes>> {
    let mut contents = HashMap::new();
    if root.is_dir() {
        let mut left = limit;
        read_folder(root, "", &mut left, &mut contents)
            .with_context(|| format!("the files in {} (at most {limit} bytes)", root.display()))?;
    }
    Ok(contents)
}

/// Reads a folder and the folders in it, within the bytes that are left.
fn read_folder(
    folder: &Path,
    path: &str,
    left: &mut usize,
    contents: &mut HashMap<String, Bytes>,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?.path();
        let Some(name) = entry.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{path}/{name}");
        if entry.is_dir() {
            read_folder(&entry, &path, left, contents)?;
        } else {
            let length = usize::try_from(fs::metadata(&entry)?.len())?;
            ensure!(length <= *left, "its files are too large together");
            *left -= length;
            contents.insert(path, fs::read(&entry)?.into());
        }
    }
    Ok(())
}

/// Whether a file is an encoding of another one.
fn is_encoded(path: &str, paths: &[String]) -> bool {
    let plain = ENCODINGS.iter().find_map(|(suffix, _)| path.strip_suffix(suffix));
    plain.is_some_and(|plain| paths.iter().any(|path| path == plain))
}

/// Whether the client accepts an encoding.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    texts(headers, &ACCEPT_ENCODING).flat_map(|line| line.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().trim_start_matches("q=");
        let is_refused = !weight.is_empty() && weight.trim_matches(['0', '.']).is_empty();
        name.trim().eq_ignore_ascii_case(encoding) && !is_refused
    })
}

/// Whether the client has cached this very content.
fn is_cached(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    texts(headers, &IF_NONE_MATCH)
        .flat_map(|line| line.split(','))
        .any(|theirs| theirs.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
}

pub(crate) fn texts<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).iter().filter_map(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_accepted_unless_its_weight_is_zero() {
        for (line, accepted) in [
            ("gzip", true),
            ("br;q=1.0, GZIP;q=0.8", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("br", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, line.parse().unwrap())]);
            assert_eq!(accepts(&headers, "gzip"), accepted, "{line}");
        }
    }

    #[test]
    fn files_larger_than_their_limit_are_not_loaded() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web"));
        let load = |limit| StaticFiles::load(root, limit, |_| REVALIDATE).map(|_| ());
        let error = load(10).unwrap_err();
        assert!(format!("{error:#}").contains("at most 10 bytes"), "{error:#}");
        assert!(load(1_000_000).is_ok());
    }
}

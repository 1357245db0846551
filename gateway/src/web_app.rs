//! The built web app, served from memory. Browsers cache bundles for ever and revalidate
//! every other file at each use. A path that a browser opens as a page is answered with the
//! page that the build rendered for it (`/privacy` with `privacy.html`), else with
//! `index.html`, because the app routes by itself.
//!
//! A file's entity tag is a hash of its content, so it says exactly whether a release
//! changed the file. Times and sizes do not: images are built with one time for all
//! files, and a page's hashed names are equally long.

use std::{collections::HashMap, fs, path::Path};

use anyhow::{Context as _, ensure};
use axum::{
    body::{Body, Bytes},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{
        ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH,
        CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
    },
};
use percent_encoding::percent_decode_str;
use sha2::{Digest as _, Sha256};
use tracing::{info, warn};

/// A bundle's name changes with its content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Cached, but revalidated at each use, so that a release reaches every player at once.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");
/// While a release is rolled out, a missing file may exist a moment later.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

const NOT_BUILT: &str = "The web app is not built: WEB_ROOT has no index.html.\n";

/// The encodings that a build has beside a file, by their suffix; the best first.
const ENCODINGS: [(&str, &str); 2] = [(".br", "br"), (".gz", "gzip")];

/// The files of the web app.
pub(crate) struct WebApp {
    /// By path, with the leading slash.
    files: HashMap<String, File>,
}

struct File {
    content_type: HeaderValue,
    caching: HeaderValue,
    plain: Content,
    /// With the name of the encoding, in the order of [`ENCODINGS`].
    encoded: Vec<(&'static str, Content)>,
}

struct Content {
    bytes: Bytes,
    tag: HeaderValue,
}

impl WebApp {
    /// Reads the files of a folder, hidden ones excepted. Fails when they have more than
    /// `limit` bytes together. Without the folder there is no web app.
    pub(crate) fn load(root: &Path, limit: usize) -> anyhow::Result<Self> {
        let mut contents = HashMap::new();
        if root.is_dir() {
            let mut left = limit;
            read_folder(root, "", &mut left, &mut contents).with_context(|| {
                format!("the web app in {} (at most {limit} bytes)", root.display())
            })?;
        }
        let mut files = HashMap::new();
        let paths: Vec<String> = contents.keys().cloned().collect();
        for path in paths.iter().filter(|path| !is_encoded(path, &paths)) {
            let encoded = ENCODINGS.iter().filter_map(|(suffix, name)| {
                Some((*name, Content::new(contents.get(&format!("{path}{suffix}"))?)?))
            });
            let encoded = encoded.collect();
            if let Some(plain) = contents.get(path).and_then(Content::new) {
                files.insert(path.clone(), File::new(path, plain, encoded));
            }
        }
        let web_app = Self { files };
        if web_app.files.contains_key("/index.html") {
            info!(files = web_app.files.len(), "the web app was read into memory");
        } else {
            warn!(root = %root.display(), "there is no web app");
        }
        Ok(web_app)
    }

    /// The reply to a path that is no route.
    pub(crate) fn respond(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET,HEAD")]).into_response();
        }
        if let Some(file) = self.find(path) {
            return file.respond(method, headers);
        }
        let is_page = path == "/" || (!is_bundle(path) && wants_page(headers));
        // The build renders some pages; every other one begins as index.html.
        let rendered = self.files.get(&format!("{path}.html")).filter(|_| is_page);
        match rendered.or_else(|| self.files.get("/index.html")) {
            Some(page) if is_page => page.respond(method, headers),
            None if is_page => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                (status, [(CACHE_CONTROL, NO_STORE)], NOT_BUILT).into_response()
            }
            _ => (StatusCode::NOT_FOUND, [(CACHE_CONTROL, NO_STORE)]).into_response(),
        }
    }

    fn find(&self, path: &str) -> Option<&File> {
        if path.contains('%') {
            let decoded = percent_decode_str(path).decode_utf8().ok()?;
            self.files.get(&*decoded)
        } else {
            self.files.get(path)
        }
    }
}

impl File {
    fn new(path: &str, plain: Content, encoded: Vec<(&'static str, Content)>) -> Self {
        let kind = mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream");
        Self {
            content_type: HeaderValue::from_static(kind),
            caching: if is_bundle(path) { FOR_EVER } else { REVALIDATE },
            plain,
            encoded,
        }
    }

    fn respond(&self, method: &Method, headers: &HeaderMap) -> Response {
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
        let hash = Sha256::digest(bytes);
        let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(&hash[..12]));
        Some(Self { bytes: bytes.clone(), tag: HeaderValue::try_from(tag).ok()? })
    }
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

fn is_bundle(path: &str) -> bool {
    path.starts_with("/assets/")
}

/// Whether the client is a browser that opens a page. A missing script must not be
/// answered with one.
fn wants_page(headers: &HeaderMap) -> bool {
    texts(headers, &ACCEPT).any(|value| value.contains("text/html"))
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

fn texts<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
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
    fn an_app_larger_than_its_limit_is_not_loaded() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web"));
        let error = WebApp::load(root, 10).map(|_| ()).unwrap_err();
        assert!(format!("{error:#}").contains("at most 10 bytes"), "{error:#}");
        assert!(WebApp::load(root, 1_000_000).is_ok());
    }
}

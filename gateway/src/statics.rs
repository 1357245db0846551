//! The built web app: its bundles for ever, everything else whole each time, and
//! its one page for every path that a reader may have typed.
//!
//! A file is known by its time and size, and a release may change neither: images
//! are built with one time for all files, and the page's hashed names are equally
//! long. So only bundles, whose names tell, are ever "not modified" or sent in part.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::Body,
    extract::Request,
    response::{IntoResponse, Response},
};
use futures_util::future::BoxFuture;
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{
        ACCEPT, ALLOW, CACHE_CONTROL, ETAG, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
        IF_UNMODIFIED_SINCE, LAST_MODIFIED, RANGE,
    },
};
use tower::{Service, ServiceExt};
use tower_http::services::{ServeDir, ServeFile};

/// A bundle's name changes with its content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Kept, but asked for each time: a release must reach everybody at once.
const ASK_FIRST: HeaderValue = HeaderValue::from_static("no-cache");
/// What is missing now may be there in a moment, as while a release is rolled out.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

const NOT_BUILT: &str = "The web app is not built: WEB_ROOT has no index.html.\n";

/// Serves a folder. Cheap to clone.
#[derive(Clone)]
pub(crate) struct WebApp {
    files: ServeDir,
    index: Arc<PathBuf>,
}

impl WebApp {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            files: ServeDir::new(root)
                .precompressed_br()
                .precompressed_gzip()
                .redirect_to_trailing_slash(false)
                .append_index_html_on_directories(false),
            index: Arc::new(root.join("index.html")),
        }
    }

    async fn serve(self, request: Request) -> Response {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET,HEAD")]).into_response();
        }
        let path = request.uri().path();
        let bundle = path.starts_with("/assets/");
        let page = path == "/" || (!bundle && wants_page(request.headers()));
        let hidden = is_hidden(path);
        let (mut head, _) = request.into_parts();
        if !bundle {
            want_all(&mut head.headers);
        }
        let again = || Request::from_parts(head.clone(), Body::empty());
        let mut response = if hidden || head.uri.path() == "/" {
            StatusCode::NOT_FOUND.into_response()
        } else {
            file(self.files, again()).await
        };
        if response.status() == StatusCode::NOT_FOUND && page {
            response = self::page(&self.index, again()).await;
        }
        let good = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        let kept = match (good, bundle) {
            (true, true) => FOR_EVER,
            (true, false) => ASK_FIRST,
            (false, _) => NO_STORE,
        };
        response.headers_mut().insert(CACHE_CONTROL, kept);
        if !bundle {
            response.headers_mut().remove(ETAG);
            response.headers_mut().remove(LAST_MODIFIED);
        }
        response
    }
}

impl Service<Request> for WebApp {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let app = self.clone();
        Box::pin(async move { Ok(app.serve(request).await) })
    }
}

async fn file(files: ServeDir, request: Request) -> Response {
    match files.oneshot(request).await {
        Ok(response) => response.map(Body::new).into_response(),
        Err(never) => match never {},
    }
}

async fn page(index: &Path, request: Request) -> Response {
    let page = ServeFile::new(index).precompressed_br().precompressed_gzip();
    let response = match page.oneshot(request).await {
        Ok(response) => response.map(Body::new).into_response(),
        Err(never) => match never {},
    };
    if response.status() == StatusCode::NOT_FOUND {
        return (StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT).into_response();
    }
    response
}

/// Forgets what the client has already.
fn want_all(headers: &mut HeaderMap) {
    let conditions = [IF_MATCH, IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_UNMODIFIED_SINCE];
    for header in conditions.into_iter().chain([IF_RANGE, RANGE]) {
        headers.remove(header);
    }
}

/// Names that begin with a dot are nobody's business; neither are dots and
/// slashes that somebody took the trouble to encode.
fn is_hidden(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ["/.", "%2e", "%2f", "%5c"].iter().any(|part| path.contains(part))
}

/// Whether somebody is reading, rather than a script fetching: a missing script
/// must not be answered with a page.
fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/html"))
}

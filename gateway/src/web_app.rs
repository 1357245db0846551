//! The built web app, served from memory. Browsers cache bundles for ever and revalidate
//! every other file at each use. A path that a browser opens as a page is answered with the
//! page that the build rendered for it (`/privacy` with `privacy.html`) or for any name in its
//! folder (`/chat-room/7` with `chat-room/_.html`), else with `index.html`, because the app routes
//! by itself.

use std::path::Path;

use axum::response::{IntoResponse as _, Response};
use http::{
    HeaderMap, Method, StatusCode,
    header::{ACCEPT, ALLOW, CACHE_CONTROL},
};
use tracing::{info, warn};

use crate::static_files::{FOR_EVER, NO_STORE, REVALIDATE, StaticFiles, texts};

const NOT_BUILT: &str = "The web app is not built: WEB_ROOT has no index.html.\n";

/// The web app.
pub(crate) struct WebApp {
    files: StaticFiles,
}

impl WebApp {
    /// Reads the built app, of at most `limit` bytes.
    pub(crate) fn load(root: &Path, limit: usize) -> anyhow::Result<Self> {
        let caching = |path: &str| if is_bundle(path) { FOR_EVER } else { REVALIDATE };
        let web_app = Self { files: StaticFiles::load(root, limit, caching)? };
        if web_app.files.find("/index.html").is_some() {
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
        if let Some(file) = self.files.find(path) {
            return file.respond(method, headers);
        }
        let is_page = path == "/" || (!is_bundle(path) && wants_page(headers));
        // The build renders some pages; every other one begins as index.html.
        let rendered = || {
            let (folder, name) = path.rsplit_once('/').filter(|(_, name)| !name.is_empty())?;
            let of_folder = || self.files.find(&format!("{folder}/_.html"));
            self.files.find(&format!("{folder}/{name}.html")).or_else(of_folder)
        };
        match is_page.then(rendered).flatten().or_else(|| self.files.find("/index.html")) {
            Some(page) if is_page => page.respond(method, headers),
            None if is_page => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                (status, [(CACHE_CONTROL, NO_STORE)], NOT_BUILT).into_response()
            }
            _ => (StatusCode::NOT_FOUND, [(CACHE_CONTROL, NO_STORE)]).into_response(),
        }
    }
}

fn is_bundle(path: &str) -> bool {
    path.starts_with("/assets/")
}

/// Whether the client is a browser that opens a page. A missing script must not be
/// answered with one.
fn wants_page(headers: &HeaderMap) -> bool {
    texts(headers, &ACCEPT).any(|value| value.contains("text/html"))
}

//! A form with a file (multipart/form-data, RFC 7578), read within bounds.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    body::{BodyDataStream, Bytes},
    extract::Request,
    http::header::CONTENT_TYPE,
};
use futures_util::{Stream, StreamExt as _, stream};
use mesh::Fault;
use multer::{Field, Multipart};
use thiserror::Error;
use tonic::Code;

use crate::envelope::Refusal;

/// Parts of a form that are looked at.
const PARTS: usize = 16;
/// Longest text, in bytes: an id.
const TEXT_LIMIT: usize = 256;
/// What a form may take beyond its file: boundaries, headers, texts.
const SURROUNDINGS: usize = 64 * 1024;
/// What may come before a part's content begins: its boundary and its head, in bytes. The
/// parser holds all of it and looks through all of it again whenever more comes, so a head
/// without an end would cost the square of its length.
const HEAD_LIMIT: usize = 16 * 1024;
/// What is read and thrown away when a form is too large, in bytes. A reply that comes
/// while the body is still being sent reaches few browsers.
const POLITENESS: usize = 48 * 1024 * 1024;

/// What an upload says.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// The file itself.
    pub(crate) file: Option<Vec<u8>>,
    /// Whose it is.
    pub(crate) id: Option<String>,
    /// What it is for.
    pub(crate) kind: Option<String>,
}

/// Why there is no more of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum NoBody {
    #[error("longer than any form of ours")]
    TooLarge,
    #[error("a part's head is longer than any of ours")]
    LongHead,
    #[error("the connection broke")]
    Broken,
}

impl Form {
    /// Reads a form whose file has `file_limit` bytes at most. Its parts may come in any
    /// order; those that we do not know are passed over.
    pub(crate) async fn read(request: Request, file_limit: usize) -> Result<Self, Refusal> {
        let content_type = request.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let boundary = multer::parse_boundary(content_type).map_err(|error| refusal(&error))?;
        let room = Room::default();
        let body = request.into_body().into_data_stream();
        let pieces = pieces(body, file_limit + SURROUNDINGS, room.clone());
        let mut parts = Multipart::new(pieces, boundary);
        let mut form = Self::default();
        let mut is_too_large = false;
        for _ in 0..PARTS {
            room.limit(HEAD_LIMIT);
            let Some(part) = parts.next_field().await.map_err(|error| refusal(&error))? else {
                return if is_too_large { Err(Refusal::file_too_large()) } else { Ok(form) };
            };
            room.limit(usize::MAX);
            match part.name() {
                Some("file") => match bytes(part, file_limit).await? {
                    Some(file) => once(&mut form.file, "file", file)?,
                    None => is_too_large = true,
                },
                Some("id") => once(&mut form.id, "id", text(part, "id").await?)?,
                Some("type") => once(&mut form.kind, "type", text(part, "type").await?)?,
                // Read here, because the parser would take its content for the next head.
                _ => drop(bytes(part, 0).await?),
            }
        }
        Err(malformed())
    }
}

/// What more the parser may ask for, in bytes. Clones are one.
#[derive(Clone, Default)]
struct Room(Arc<AtomicUsize>);

impl Room {
    fn limit(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn is_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn use_up(&self, bytes: usize) {
        self.limit(self.0.load(Ordering::Relaxed).saturating_sub(bytes));
    }
}

/// The body, piece by piece, up to a limit and within the room that there is.
///
/// With a pause before each but the first: the parser takes in whatever is ready, and
/// would hold a second copy of a file that comes faster than it is taken apart. Before
/// the first there is none, because the parser (multer 3.1) asks twice for the beginning
/// and takes a whole form that comes the second time, with its end, for a broken one.
fn pieces(
    body: BodyDataStream,
    limit: usize,
    room: Room,
) -> impl Stream<Item = Result<Bytes, NoBody>> {
    stream::unfold((body, limit, true), move |(mut body, left, is_first)| {
        let room = room.clone();
        async move {
            if !is_first {
                tokio::task::yield_now().await;
            }
            let trouble = if room.is_used_up() {
                NoBody::LongHead
            } else {
                match body.next().await? {
                    Err(_) => return Some((Err(NoBody::Broken), (body, 0, false))),
                    Ok(piece) => match left.checked_sub(piece.len()) {
                        Some(left) => {
                            room.use_up(piece.len());
                            return Some((Ok(piece), (body, left, false)));
                        }
                        None => NoBody::TooLarge,
                    },
                }
            };
            let mut patience = POLITENESS;
            while let Some(Ok(more)) = body.next().await {
                let Some(left) = patience.checked_sub(more.len()) else { break };
                patience = left;
            }
            Some((Err(trouble), (body, 0, false)))
        }
    })
}

/// A part's bytes, unless they are too many; then it is read to its end all the same.
async fn bytes(mut part: Field<'_>, limit: usize) -> Result<Option<Vec<u8>>, Refusal> {
    let mut whole = Some(Vec::new());
    while let Some(piece) = part.chunk().await.map_err(|error| refusal(&error))? {
        whole = whole.filter(|bytes| bytes.len() + piece.len() <= limit);
        if let Some(bytes) = &mut whole {
            bytes.extend_from_slice(&piece);
        }
    }
    Ok(whole)
}

async fn text(part: Field<'_>, name: &str) -> Result<String, Refusal> {
    let bytes = bytes(part, TEXT_LIMIT).await?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| Fault::invalid_field(name, "This should be a short text.").into())
}

/// Whoever reads the first and whoever reads the last of two must not differ.
fn once<T>(field: &mut Option<T>, name: &str, value: T) -> Result<(), Refusal> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(Fault::invalid_field(name, "This was sent twice.").into()),
    }
}

fn refusal(error: &multer::Error) -> Refusal {
    match error {
        multer::Error::NoMultipart | multer::Error::DecodeContentType(_) => {
            Refusal::unsupported_media("Please send a form with a file.")
        }
        multer::Error::StreamReadFailed(cause)
            if cause.downcast_ref() == Some(&NoBody::TooLarge) =>
        {
            Refusal::file_too_large()
        }
        _ => malformed(),
    }
}

fn malformed() -> Refusal {
    Fault::new(Code::InvalidArgument, "MALFORMED_FORM").into()
}

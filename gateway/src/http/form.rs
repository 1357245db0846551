//! A form with a file (multipart/form-data, RFC 7578), read within bounds.

use std::{
    convert::Infallible,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    body::{BodyDataStream, Bytes},
    extract::{FromRequest, Request},
    http::header::{CONTENT_TYPE, EXPECT},
};
use futures_util::{Stream, StreamExt as _, stream};
use http_body::Body as _;
use mesh::Fault;
use multer::{Field, Multipart};
use thiserror::Error;
use tonic::Code;
use utoipa::{
    ToSchema,
    openapi::{Content, Required, request_body::RequestBodyBuilder},
};

use crate::{
    Gateway,
    envelope::Refusal,
    media::{ReceivedFile, Receiving},
    openapi::{
        operation::{Input, Operation},
        schema,
    },
};

/// Most parts of a form.
const PARTS: usize = 16;
/// Longest text, in bytes; the longest in use is an id.
const TEXT_LIMIT: usize = 256;
/// Bytes of a form beside its file: boundaries, headers, texts.
const OVERHEAD: u64 = 64 * 1024;
/// Longest boundary and head of a part, in bytes. The parser buffers a head and searches
/// all of it again whenever more arrives, so a head without an end would cost the square
/// of its length.
const HEAD_LIMIT: usize = 16 * 1024;
/// Most bytes that are read and discarded of a form that is too large. Few browsers read a reply
/// that arrives while they still send the body.
const DISCARD_LIMIT: usize = 48 * 1024 * 1024;

/// A request with a form. It is read by [`Form::read`], which a handler calls once it has
/// a permit.
pub(crate) struct UnreadForm(Request);

impl FromRequest<Gateway> for UnreadForm {
    type Rejection = Infallible;

    async fn from_request(request: Request, _: &Gateway) -> Result<Self, Infallible> {
        Ok(Self(request))
    }
}

impl Input for UnreadForm {
    fn describe(operation: &mut Operation) {
        let content = Content::new(Some(schema::request::<Upload>(&mut operation.schemas)));
        let body = RequestBodyBuilder::new().required(Some(Required::True));
        operation.body = Some(body.content("multipart/form-data", content).build());
        operation.refusals.extend([
            (400, "INVALID_ARGUMENT"),
            (400, "MALFORMED_FORM"),
            (413, "FILE_TOO_LARGE"),
            (415, "UNSUPPORTED_MEDIA"),
        ]);
    }
}

/// A file of a player.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the parts are read by their names; this is for the document")]
struct Upload {
    #[schema(content_media_type = "application/octet-stream", value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The id of the player whom the file belongs to.
    id: Option<String>,
    /// The purpose of the file.
    #[schema(inline)]
    r#type: Option<UploadType>,
}

/// The purpose of a file.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "for the document")]
enum UploadType {
    ProfilePicture,
    ChatMedia,
}

/// The fields of an upload.
#[derive(Debug, Default)]
pub(crate) struct Form {
    pub(crate) file: Option<ReceivedFile>,
    /// The id of the player whom the file belongs to.
    pub(crate) id: Option<String>,
    /// The `type`: what the file is for.
    pub(crate) kind: Option<String>,
}

/// Why reading a body ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum BodyError {
    #[error("longer than any form of ours")]
    TooLarge,
    #[error("a part's head is longer than any of ours")]
    LongHead,
    #[error("the connection broke")]
    Broken,
}

impl Form {
    /// Reads a form whose file has `file_limit` bytes at most. Its parts may be in any
    /// order; unknown ones are skipped.
    pub(crate) async fn read(form: UnreadForm, file_limit: u64) -> Result<Self, Refusal> {
        let UnreadForm(request) = form;
        let content_type = request.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let boundary = multer::parse_boundary(content_type).map_err(|error| refusal(&error))?;
        // Clients that do not send `Expect` are answered once they have sent the body.
        if request.headers().contains_key(EXPECT)
            && request.body().size_hint().lower() > file_limit + OVERHEAD
        {
            return Err(Refusal::file_too_large());
        }
        let budget = ReadBudget::default();
        let body = request.into_body().into_data_stream();
        let pieces = pieces(body, file_limit + OVERHEAD, budget.clone());
        let mut parts = Multipart::new(pieces, boundary);
        let mut form = Self::default();
        let mut is_too_large = false;
        for _ in 0..PARTS {
            budget.set(HEAD_LIMIT);
            let Some(part) = parts.next_field().await.map_err(|error| refusal(&error))? else {
                return if is_too_large { Err(Refusal::file_too_large()) } else { Ok(form) };
            };
            budget.set(usize::MAX);
            match part.name() {
                Some("file") => match receive(part, file_limit).await? {
                    Some(file) => once(&mut form.file, "file", file)?,
                    None => is_too_large = true,
                },
                Some("id") => once(&mut form.id, "id", text(part, "id").await?)?,
                Some("type") => once(&mut form.kind, "type", text(part, "type").await?)?,
                // The part is read here, because the parser would read its content as the next
                // part's head.
                _ => drop(bytes(part, 0).await?),
            }
        }
        Err(malformed())
    }
}

/// How many bytes the parser may still read. Clones share the number.
#[derive(Clone, Default)]
struct ReadBudget(Arc<AtomicUsize>);

impl ReadBudget {
    fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn spend(&self, bytes: usize) {
        self.set(self.0.load(Ordering::Relaxed).saturating_sub(bytes));
    }
}

/// The body in pieces, up to a limit and within the parser's budget.
///
/// The task yields before each piece but the first: the parser buffers all that is ready,
/// and would hold a second copy of a file that arrives faster than it is parsed. It does
/// not yield before the first, because the parser (multer 3.1) polls twice for the
/// beginning and rejects a whole form that is ready, with its end, at the second poll.
fn pieces(
    body: BodyDataStream,
    limit: u64,
    budget: ReadBudget,
) -> impl Stream<Item = Result<Bytes, BodyError>> {
    stream::unfold((body, limit, true), move |(mut body, left, is_first)| {
        let budget = budget.clone();
        async move {
            if !is_first {
                tokio::task::yield_now().await;
            }
            let error = if budget.is_spent() {
                BodyError::LongHead
            } else {
                match body.next().await? {
                    Err(_) => return Some((Err(BodyError::Broken), (body, 0, false))),
                    Ok(piece) => match left.checked_sub(piece.len() as u64) {
                        Some(left) => {
                            budget.spend(piece.len());
                            return Some((Ok(piece), (body, left, false)));
                        }
                        None => BodyError::TooLarge,
                    },
                }
            };
            let mut discard = DISCARD_LIMIT;
            while let Some(Ok(more)) = body.next().await {
                let Some(left) = discard.checked_sub(more.len()) else { break };
                discard = left;
            }
            Some((Err(error), (body, 0, false)))
        }
    })
}

/// A part as a file; `None` if it has more than `limit` bytes. Reads to the part's end.
async fn receive(mut part: Field<'_>, limit: u64) -> Result<Option<ReceivedFile>, Refusal> {
    let failed = |error: io::Error| Refusal::from(Fault::failure(&error.into()));
    let mut file = Some(Receiving::begin().await.map_err(failed)?);
    while let Some(piece) = part.chunk().await.map_err(|error| refusal(&error))? {
        file = file.filter(|file| file.size() + piece.len() as u64 <= limit);
        if let Some(file) = &mut file {
            file.write(&piece).await.map_err(failed)?;
        }
    }
    match file {
        Some(file) => file.end().await.map(Some).map_err(failed),
        None => Ok(None),
    }
}

/// A part's bytes; `None` if they are more than `limit`. Reads to the part's end.
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
    text.ok_or_else(|| Fault::invalid_field(name, "FIELD_NOT_SHORT_TEXT").into())
}

/// Refuses a field that is sent twice: parsers differ in which of the two they use.
fn once<T>(field: &mut Option<T>, name: &str, value: T) -> Result<(), Refusal> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(Fault::invalid_field(name, "FIELD_REPEATED").into()),
    }
}

fn refusal(error: &multer::Error) -> Refusal {
    match error {
        multer::Error::NoMultipart | multer::Error::DecodeContentType(_) => {
            Refusal::unsupported_media()
        }
        multer::Error::StreamReadFailed(cause)
            if cause.downcast_ref() == Some(&BodyError::TooLarge) =>
        {
            Refusal::file_too_large()
        }
        _ => malformed(),
    }
}

fn malformed() -> Refusal {
    Fault::new(Code::InvalidArgument, "MALFORMED_FORM").into()
}

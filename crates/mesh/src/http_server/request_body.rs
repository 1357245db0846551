//! Bodies that a reply left unread.
//!
//! Over HTTP/1 the next request begins where the body ends. hyper closes a connection
//! with an unread body after the reply, without `Connection: close`, so that a client
//! which reuses the connection loses its next request. A small rest is therefore read
//! before the reply is sent; with a large one the reply has `Connection: close`.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::Bytes;
use futures_util::future::poll_fn;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

/// Largest rest of a body that is read after a reply left it unread, in bytes.
const DRAIN_LIMIT: u64 = 64 * 1024;
/// Longest that reading the rest may take.
const DRAIN_TIME: Duration = Duration::from_secs(2);

type Slot = Arc<Mutex<Option<Rest>>>;

/// The unread rest of a request's body that was dropped.
enum Rest {
    /// The part that was not read.
    Body(Incoming),
    /// The whole body: its client sends it only once it is read (`Expect: 100-continue`), and to
    /// read it would ask the client for it.
    HeldBack,
}

/// A request's body, which is put aside when it is dropped before its end.
struct RequestBody {
    incoming: Option<Incoming>,
    slot: Slot,
    /// Whether the client still waits for permission to send the body.
    is_held_back: bool,
}

/// The rest of a request's body after its reply was made.
pub(super) struct Unread(Option<Slot>);

/// Splits a body into the part that the handler reads and the rest. `is_held_back` says that the
/// client waits for permission to send the body.
pub(super) fn track(incoming: Incoming, is_held_back: bool) -> (axum::body::Body, Unread) {
    if incoming.is_end_stream() {
        return (axum::body::Body::empty(), Unread(None));
    }
    let slot = Slot::default();
    let body = RequestBody { incoming: Some(incoming), slot: Arc::clone(&slot), is_held_back };
    (axum::body::Body::new(body), Unread(Some(slot)))
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.is_held_back = false;
        let Some(incoming) = &mut self.incoming else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(incoming).poll_frame(cx));
        if !matches!(frame, Some(Ok(_))) {
            // The body has ended or broken: nothing is left to drain.
            self.incoming = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let Some(incoming) = self.incoming.take()
            && !incoming.is_end_stream()
        {
            let rest = if self.is_held_back { Rest::HeldBack } else { Rest::Body(incoming) };
            *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(rest);
        }
    }
}

impl Unread {
    /// No unread body.
    pub(super) const fn nothing() -> Self {
        Self(None)
    }

    /// Reads the rest if it is small. False if some of it stays unread, so that the
    /// connection cannot carry another request.
    pub(super) async fn drain(self) -> bool {
        let unread = self.0.and_then(|slot| {
            let mut unread = slot.lock().unwrap_or_else(PoisonError::into_inner);
            unread.take()
        });
        let mut incoming = match unread {
            None => return true,
            Some(Rest::HeldBack) => return false,
            Some(Rest::Body(incoming)) => incoming,
        };
        if incoming.size_hint().lower() > DRAIN_LIMIT {
            return false;
        }
        let read_all = async {
            let mut left = DRAIN_LIMIT;
            loop {
                match poll_fn(|cx| Pin::new(&mut incoming).poll_frame(cx)).await {
                    None => return true,
                    Some(Err(_)) => return false,
                    Some(Ok(frame)) => {
                        let length = frame.data_ref().map_or(0, Bytes::len);
                        match left.checked_sub(u64::try_from(length).unwrap_or(u64::MAX)) {
                            Some(rest) => left = rest,
                            None => return false,
                        }
                    }
                }
            }
        };
        tokio::time::timeout(DRAIN_TIME, read_all).await.unwrap_or(false)
    }
}

//! The calls of one connection, and for how long it has had none.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::stall;

/// The longest piece of a reply over HTTP/2, in bytes: its reader has to take one within
/// the stall limit.
const PIECE: usize = 16 * 1024;

/// The calls of one connection. Cheap to clone.
#[derive(Clone)]
pub(super) struct Calls(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Notified when the first call begins.
    first: Notify,
}

struct State {
    begun: bool,
    in_flight: usize,
    /// When the last call ended, or the connection began.
    idle_since: Instant,
}

impl Default for Calls {
    fn default() -> Self {
        let state = State { begun: false, in_flight: 0, idle_since: Instant::now() };
        Self(Arc::new(Shared { state: Mutex::new(state), first: Notify::new() }))
    }
}

impl Calls {
    /// Counts a call until its reply was handed to hyper in full.
    pub(super) fn begin(&self) -> Call {
        let mut state = self.lock();
        state.in_flight += 1;
        if !std::mem::replace(&mut state.begun, true) {
            self.0.first.notify_waiters();
        }
        Call(self.clone())
    }

    /// Whether a call has begun on this connection.
    pub(super) fn any_yet(&self) -> bool {
        self.lock().begun
    }

    /// Restarts the idle time.
    pub(super) fn restart_idle(&self) {
        self.lock().idle_since = Instant::now();
    }

    /// Waits until there was no call for the idle limit, or until the limit of the first
    /// call is over without any. The limits are read again at every `pressure`.
    pub(super) async fn idle(&self, limits: impl Fn() -> IdleLimits, pressure: &Notify) {
        loop {
            let begun = self.0.first.notified();
            let pressure = pressure.notified();
            let over = {
                let IdleLimits { first_call, idle } = limits();
                let state = self.lock();
                let limit = if state.begun { idle } else { first_call };
                let since = if state.in_flight == 0 { state.idle_since } else { Instant::now() };
                since + limit
            };
            if over <= Instant::now() {
                return;
            }
            tokio::select! {
                () = sleep_until(over) => {}
                () = begun => {}
                () = pressure => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a connection may be without a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IdleLimits {
    /// The limit before the first call.
    pub(super) first_call: Duration,
    /// The limit after a call.
    pub(super) idle: Duration,
}

/// A call in flight.
pub(super) struct Call(Calls);

impl Call {
    /// The reply's body. Over HTTP/2 it is handed out in pieces.
    pub(super) fn reply(self, body: axum::body::Body, in_pieces: bool) -> Reply {
        Reply { body, rest: Bytes::new(), in_pieces, _call: self }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.in_flight = state.in_flight.saturating_sub(1);
        state.idle_since = Instant::now();
    }
}

/// A reply's body, which keeps its call in flight and notes whether its reader reads.
///
/// hyper passes a piece to h2 as soon as the stream's window has room for one byte, and
/// is done with the reply after the last piece. So each frame's last byte is a piece of
/// its own: it waits until the reader has taken all before it, and hyper with it.
pub(super) struct Reply {
    body: axum::body::Body,
    /// The part of the current frame that is still to be handed out.
    rest: Bytes,
    in_pieces: bool,
    _call: Call,
}

impl Reply {
    fn next_piece(&mut self) -> Frame<Bytes> {
        let length = match self.rest.len() {
            length @ 2..=PIECE => length - 1,
            length => length.min(PIECE),
        };
        Frame::data(self.rest.split_to(length))
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        stall::asked();
        if self.rest.is_empty() {
            let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
            let frame = match frame {
                Some(Ok(frame)) if self.in_pieces => match frame.into_data() {
                    Ok(data) if data.is_empty() => Some(Ok(Frame::data(data))),
                    Ok(data) => {
                        self.rest = data;
                        Some(Ok(self.next_piece()))
                    }
                    Err(trailers) => Some(Ok(trailers)),
                },
                frame => frame,
            };
            stall::offered();
            return Poll::Ready(frame);
        }
        let piece = self.next_piece();
        stall::offered();
        Poll::Ready(Some(Ok(piece)))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower().saturating_add(rest));
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn a_frame_is_handed_out_in_pieces_of_which_the_last_is_one_byte() {
        for (length, pieces) in [
            (0, vec![]),
            (1, vec![1]),
            (2, vec![1, 1]),
            (PIECE, vec![PIECE - 1, 1]),
            (PIECE + 1, vec![PIECE, 1]),
            (PIECE + 2, vec![PIECE, 1, 1]),
        ] {
            let body = axum::body::Body::from(vec![7; length]);
            let mut reply = Calls::default().begin().reply(body, true);
            let mut handed_out = Vec::new();
            let mut left = length;
            while let Some(frame) = reply.frame().await {
                let data = frame.unwrap().into_data().unwrap();
                left -= data.len();
                handed_out.push(data.len());
                assert_eq!(reply.size_hint().exact(), u64::try_from(left).ok());
                assert_eq!(reply.is_end_stream(), left == 0);
            }
            assert_eq!(handed_out, pieces, "{length} bytes");
        }
    }
}

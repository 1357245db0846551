//! What goes on on a connection.

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

/// The calls of one connection. Cheap to clone.
#[derive(Clone)]
pub(super) struct Calls(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Rung by the first.
    outbox: Notify,
}

struct State {
    begun: bool,
    under_way: usize,
    /// When the last one ended, or the connection began.
    since: Instant,
}

impl Default for Calls {
    fn default() -> Self {
        let state = State { begun: false, under_way: 0, since: Instant::now() };
        Self(Arc::new(Shared { state: Mutex::new(state), outbox: Notify::new() }))
    }
}

impl Calls {
    /// One begins.
    pub(super) fn begin(&self) -> Call {
        let mut state = self.lock();
        state.under_way += 1;
        if !std::mem::replace(&mut state.begun, true) {
            self.0.outbox.notify_waiters();
        }
        Call(self.clone())
    }

    /// Whether there was one.
    pub(super) fn any_yet(&self) -> bool {
        self.lock().begun
    }

    /// Rest is counted from now.
    pub(super) fn note(&self) {
        self.lock().since = Instant::now();
    }

    /// Waits until there was no call for so long, or for `first` without any at all.
    pub(super) async fn rest(&self, first: Duration, idle: Duration) {
        loop {
            let begun = self.0.outbox.notified();
            let over = {
                let state = self.lock();
                let limit = if state.begun { idle } else { first };
                let since = if state.under_way == 0 { state.since } else { Instant::now() };
                since + limit
            };
            if over <= Instant::now() {
                return;
            }
            tokio::select! {
                () = sleep_until(over) => {}
                () = begun => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that is under way until all of its reply was handed on.
pub(super) struct Call(Calls);

impl Call {
    /// Goes on with the reply.
    pub(super) fn answer(self, body: axum::body::Body) -> Reply {
        Reply { body, _call: self }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way = state.under_way.saturating_sub(1);
        state.since = Instant::now();
    }
}

/// A reply's body, which keeps its call open and tells whether its reader reads.
pub(super) struct Reply {
    body: axum::body::Body,
    _call: Call,
}

impl Body for Reply {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        stall::asked();
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        stall::offered();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

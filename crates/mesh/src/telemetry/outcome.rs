//! The status of a span: whether its work failed.
//!
//! A failure marks every span from the statement that failed up to the request, because
//! each of them ends with an error. A refusal, a rule's answer, marks none.

use std::{
    pin::Pin,
    task::{self, Poll, ready},
};

use opentelemetry::{
    Context,
    trace::{Status, TraceContextExt},
};
use pin_project_lite::pin_project;

use crate::call::Call;

/// An error that may be a failure, or only a refusal.
pub trait Failure {
    /// Whether something is wrong with the mesh, rather than with the request.
    fn is_failure(&self) -> bool;
}

/// An `anyhow` error is a failure: a rule's refusal has a type of its own.
impl Failure for anyhow::Error {
    fn is_failure(&self) -> bool {
        true
    }
}

/// Runs the work of the current span, and marks the span if the work fails, or is cut off
/// at its deadline. [`instrument`](crate::instrument) does it for a function.
pub fn observe<F, T, E>(work: F) -> Observed<F>
where
    F: Future<Output = Result<T, E>>,
    E: Failure,
{
    Observed { work, ended: false }
}

pin_project! {
    /// The future of [`observe`]. Not an async function, whose future would be twice as
    /// large as the work's.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Observed<F> {
        #[pin]
        work: F,
        ended: bool,
    }

    impl<F> PinnedDrop for Observed<F> {
        /// Marks work that still runs at its deadline. Work that is dropped earlier has only lost
        /// its caller.
        fn drop(this: Pin<&mut Self>) {
            if !this.ended && Call::current().left().is_zero() {
                mark_failed("cut off at its deadline");
            }
        }
    }
}

impl<F, T, E> Future for Observed<F>
where
    F: Future<Output = Result<T, E>>,
    E: Failure,
{
    type Output = Result<T, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let outcome = ready!(this.work.poll(cx));
        *this.ended = true;
        if outcome.as_ref().is_err_and(Failure::is_failure) {
            mark_failed("");
        }
        Poll::Ready(outcome)
    }
}

/// Marks the current span as failed, with a description that is no personal data.
pub fn mark_failed(why: &'static str) {
    Context::current().span().set_status(Status::error(why));
}

//! The stream of one service, for the topics that it has. A stream that breaks is opened
//! again.

use std::time::Duration;

use futures_util::{Stream, stream};
use http::HeaderValue;
use mesh::{Fault, call::Call};
use proto::live::v1::{Paused, Resumed, live_event::Event};
use tonic::{Code, Status, Streaming};
use tracing::info;
use types::Rng;

use super::{events::EncodedEvents, source::Source, topics::Refused};

/// Longest that a service may take to open a stream.
const OPEN_LIMIT: Duration = Duration::from_secs(5);
/// Attempts to open a broken stream again before the reader's stream fails, if the reader has no
/// other topics; about 6 s in all, enough to replace an instance of the service.
const TRIES: u32 = 5;
/// Pause before the first attempt; it doubles with each attempt, up to [`DOUBLINGS`] times.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const DOUBLINGS: u32 = 5;

/// A subscription to topics of one service.
pub(super) struct Watch<S: Source> {
    source: S,
    authorization: Option<HeaderValue>,
    rng: Rng,
    link: Link<S::Message>,
    /// Whether the reader has other topics, which go on without these.
    is_one_of_several: bool,
}

/// The connection to the service's stream.
enum Link<M> {
    Open(Box<Streaming<M>>),
    Broken {
        /// How often opening the stream has failed.
        failed: u32,
        /// Whether the reader was notified.
        reported: bool,
    },
}

impl<S: Source> Watch<S> {
    /// Opens the stream, or returns the service's refusal. The stream of a service that is out of
    /// reach counts as broken.
    pub(super) async fn open(
        source: S,
        authorization: Option<HeaderValue>,
        rng: Rng,
        is_one_of_several: bool,
    ) -> Result<Self, Refused> {
        let link = match open(&source, authorization.as_ref()).await {
            Ok(stream) => Link::Open(Box::new(stream)),
            Err(status) => match Fault::from_status(&status) {
                fault if fault.is_outage() => Link::Broken { failed: 1, reported: false },
                fault => return Err(source.refused(fault)),
            },
        };
        Ok(Self { source, authorization, rng, link, is_one_of_several })
    }

    pub(super) const fn is_open(&self) -> bool {
        matches!(self.link, Link::Open(_))
    }

    /// The current state of each topic, then every change. The stream ends when all topics are
    /// final, or with a refusal, which names its topics, so that the reader keeps the others. After
    /// a break the current states come again, and so do the missed messages of rooms.
    pub(super) fn events(self) -> impl Stream<Item = Result<EncodedEvents, Refused>> {
        // The watch is boxed, because it is moved for each update.
        stream::unfold(Some(Box::new(self)), |watch| async {
            let mut watch = watch?;
            match watch.next().await {
                Ok(Some(events)) => Some((Ok(events), Some(watch))),
                Ok(None) => None,
                Err(refused) => Some((Err(refused), None)),
            }
        })
    }

    async fn next(&mut self) -> Result<Option<EncodedEvents>, Refused> {
        loop {
            let (failed, reported) = match &mut self.link {
                Link::Open(stream) => match stream.message().await {
                    Ok(Some(message)) => match self.source.events(message) {
                        Some(events) => return Ok(Some(events)),
                        None => continue,
                    },
                    Ok(None) if S::IS_FINITE => return Ok(None),
                    // The stream was cut without a status.
                    Ok(None) => (0, false),
                    Err(status) if is_transient(&status) => (0, false),
                    Err(status) => return Err(self.refused(&status)),
                },
                Link::Broken { failed, reported } => (*failed, *reported),
            };
            self.link = Link::Broken { failed, reported };
            if failed >= TRIES && !self.is_one_of_several {
                return Err(unavailable().into());
            }
            // The reader learns of a break that outlasts the first attempt: a shorter break is the
            // restart of an instance.
            if failed > 0 && !reported {
                self.link = Link::Broken { failed, reported: true };
                return Ok(Some(Event::Paused(Paused { topics: S::TOPICS.into() }).into()));
            }
            self.reopen(failed, reported).await?;
            if reported && self.is_open() {
                return Ok(Some(Event::Resumed(Resumed { topics: S::TOPICS.into() }).into()));
            }
        }
    }

    /// Tries once to open the stream again, after a pause.
    async fn reopen(&mut self, failed: u32, reported: bool) -> Result<(), Refused> {
        let pause = FIRST_PAUSE * 2_u32.pow(failed.min(DOUBLINGS));
        tokio::time::sleep(pause + self.rng.jitter(pause)).await;
        self.link = match open(&self.source, self.authorization.as_ref()).await {
            Ok(stream) => Link::Open(Box::new(stream)),
            Err(status) if is_transient(&status) => {
                let topics = S::TOPICS.as_str_name();
                info!(topics, failed, code = ?status.code(), "a service's stream is still broken");
                Link::Broken { failed: failed.saturating_add(1), reported }
            }
            Err(status) => return Err(self.refused(&status)),
        };
        Ok(())
    }

    fn refused(&self, status: &Status) -> Refused {
        self.source.refused(Fault::from_status(status))
    }
}

/// The fault while a service is out of reach. The reader opens another stream after a pause.
pub(super) fn unavailable() -> Fault {
    Fault::new(Code::Unavailable, "LIVE_UNAVAILABLE")
}

async fn open<S: Source>(
    source: &S,
    authorization: Option<&HeaderValue>,
) -> Result<Streaming<S::Message>, Status> {
    // The limit covers the opening; the open stream has no limit.
    Call::new(OPEN_LIMIT, authorization).run(source.open()).await
}

/// Whether another try may succeed: the connection or the service broke, and no rule
/// refused the call.
fn is_transient(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable
        | Code::Unknown
        | Code::Internal
        | Code::Cancelled
        | Code::Aborted
        | Code::DataLoss
        | Code::DeadlineExceeded => true,
        Code::Ok
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Unauthenticated => false,
    }
}

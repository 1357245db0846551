//! Messages of a few senders, delivered to many readers of one room.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Result, ensure};
use proto::live::v1::{RoomCursor, SubscribeRequest, live_event::Event};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{rooms::room_uid, send::message};
use crate::{
    address::Target,
    client::Connection,
    cpu::CpuMeter,
    figures::{Figures, Recorder},
    live_stream::LiveStream,
    players::Players,
};

/// The room that all players share.
const ROOM: usize = 0;
/// The pause between two streams that are opened.
const OPENING: Duration = Duration::from_millis(2);
/// The longest that a reader may take after the last message.
const CATCH_UP: Duration = Duration::from_secs(30);

/// How many players write and read, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FanOut {
    pub(crate) senders: usize,
    pub(crate) readers: usize,
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
    /// Whether every reader gets every message after the state of the room with which its stream
    /// begins. The yardstick drops messages that a slow reader does not take.
    pub(crate) is_complete: bool,
}

/// The result of a measurement. The figures are those of deliveries: the time from before a message
/// is sent until a reader has it.
pub(crate) struct Delivered {
    pub(crate) figures: Figures,
    pub(crate) messages_per_second: u64,
}

struct Room {
    target: Target,
    players: Arc<Players>,
    begun: Instant,
    opens: Instant,
    closes: Instant,
    is_complete: bool,
    sent: AtomicU64,
    stopped: AtomicBool,
}

impl FanOut {
    /// Opens the streams of all readers, then lets each sender send its next message when it
    /// has the reply to the last.
    pub(crate) async fn run(
        self,
        target: Target,
        players: Arc<Players>,
        meter: &CpuMeter,
    ) -> Result<Delivered> {
        let mut streams = Vec::new();
        let topics = SubscribeRequest {
            rooms: vec![RoomCursor { chat_room_uid: room_uid(ROOM), after_seq: u64::MAX }],
            ..SubscribeRequest::default()
        };
        for number in 0..self.readers {
            let mut stream = LiveStream::open(target, players.get(number)?, &topics).await?;
            if self.is_complete {
                while !matches!(stream.next().await?.event, Some(Event::Presence(_))) {}
            }
            streams.push(stream);
            sleep(OPENING).await;
        }
        let begun = Instant::now();
        let opens = begun + self.warm_up;
        let room = Arc::new(Room {
            target,
            players,
            begun,
            opens,
            closes: opens + self.measure,
            is_complete: self.is_complete,
            sent: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        });
        let mut readers = JoinSet::new();
        for stream in streams {
            readers.spawn(Arc::clone(&room).read(stream));
        }
        let mut senders = JoinSet::new();
        for number in 0..self.senders {
            senders.spawn(Arc::clone(&room).send(number));
        }
        sleep_until(room.opens).await;
        let (before, sent) = (meter.read(), room.sent.load(Ordering::Relaxed));
        sleep_until(room.closes).await;
        let after = meter.read();
        let messages = room.sent.load(Ordering::Relaxed) - sent;
        while let Some(sender) = senders.join_next().await {
            sender??;
        }
        room.stopped.store(true, Ordering::Release);
        let mut all = Recorder::new()?;
        while let Some(reader) = readers.join_next().await {
            let (recorder, read) = reader??;
            let sent = room.sent.load(Ordering::Relaxed);
            ensure!(read == sent || !self.is_complete, "a reader got {read} of {sent} messages");
            all.merge(&recorder)?;
        }
        let figures = all.figures(self.measure);
        let cpu = after.per_request(&before, figures.count);
        let seconds = self.measure.as_secs().max(1);
        Ok(Delivered {
            figures: Figures { cpu, ..figures },
            messages_per_second: messages / seconds,
        })
    }
}

impl Room {
    /// Microseconds since the beginning, which a message has as its text.
    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    async fn send(self: Arc<Self>, number: usize) -> Result<()> {
        let mut connection = Connection::new(self.target);
        let player = self.players.get(number)?;
        let mut round = 0_u64;
        while Instant::now() < self.closes {
            let name = format!("{}-fan-{number}-{round}-{}", self.players.run(), self.now());
            let text = format!("{:012} Leo tunacheza saa ngapi? Niko tayari.", self.now());
            let request = message(player, &room_uid(ROOM), &text, &name)?;
            let reply = connection.call(request).await?;
            ensure!(reply.status.is_success(), "a message was refused: {}", reply.status);
            self.sent.fetch_add(1, Ordering::Relaxed);
            round += 1;
        }
        Ok(())
    }

    /// Reads until every message that was sent has come; returns how many came.
    async fn read(self: Arc<Self>, mut stream: LiveStream) -> Result<(Recorder, u64)> {
        let mut recorder = Recorder::new()?;
        let mut read = 0;
        loop {
            if self.stopped.load(Ordering::Acquire) && read >= self.sent.load(Ordering::Relaxed) {
                return Ok((recorder, read));
            }
            let Ok(event) = timeout(Duration::from_secs(1), stream.next()).await else {
                if !self.is_complete && self.stopped.load(Ordering::Acquire) {
                    return Ok((recorder, read));
                }
                ensure!(Instant::now() < self.closes + CATCH_UP, "a reader got {read} messages");
                continue;
            };
            let Some(Event::Message(message)) = event?.event else { continue };
            read += 1;
            let at = Instant::now();
            let sent_at = message.message.get(..12).and_then(|text| text.parse().ok());
            let sent_at = self.begun + Duration::from_micros(sent_at.unwrap_or_default());
            if self.opens <= at && at <= self.closes {
                recorder.success(at.saturating_duration_since(sent_at));
            }
        }
    }
}

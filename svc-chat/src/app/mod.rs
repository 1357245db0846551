//! Use cases, one a file. Each owns its transaction.

mod apply_content;
mod check_counts;
mod count_unread;
mod delete_message;
mod feed;
mod find_room;
mod join_room;
mod list_contact_settings;
mod list_messages;
mod list_notifications;
mod list_rooms;
mod mark_read;
mod notifications_changed;
mod notify;
mod room_change;
mod room_changed;
mod send_message;
mod send_queue;
mod send_rate;
mod store_message;
mod sweep;
mod sweep_messages;
mod watch_notifications;
mod watch_rooms;

use std::{
    collections::HashMap,
    ops::Deref,
    sync::{Arc, Mutex},
    time::Duration,
};

use mesh::{
    Shutdown,
    db::{Pool, Pools},
    pubsub::PubSub,
};
use types::{Clock, Rng};

pub(crate) use apply_content::{
    Application, Content, ContentRef, apply_chat_room, apply_contact_setting, delete_content,
    list_content,
};
pub(crate) use check_counts::check_counts;
pub(crate) use count_unread::count_unread;
pub(crate) use delete_message::delete_message;
pub(crate) use feed::Feeds;
pub(crate) use join_room::{join_room, leave_room, list_joined_rooms};
pub(crate) use list_contact_settings::list_contact_settings;
pub(crate) use list_messages::{Messages, list_messages};
pub(crate) use list_notifications::list_notifications;
pub(crate) use list_rooms::list_rooms;
pub(crate) use mark_read::mark_read;
pub(crate) use notify::notify;
pub(crate) use send_message::{SentMessage, send_message};
pub(crate) use send_queue::SendQueues;
pub(crate) use send_rate::SendRate;
pub(crate) use sweep::sweep;
pub(crate) use sweep_messages::sweep_messages;
pub(crate) use watch_notifications::watch_notifications;
pub(crate) use watch_rooms::{RoomCursor, RoomEvent, RoomUpdate, watch_rooms};

use crate::{clients::presence::Presence, domain::RoomId};

/// The pattern of all channels of this service.
pub(crate) const CHANNELS: &str = "chat.*";

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    /// The pool for calls, or for jobs ([`Cx::for_jobs`]).
    pub(crate) db: Pool,
    jobs_db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    pub(crate) shutdown: Shutdown,
    /// Publishes that notifications and rooms changed to watchers.
    pub(crate) pubsub: PubSub,
    /// Who is online in which room.
    pub(crate) presence: Presence,
    /// The feeds of the rooms that are watched here.
    pub(crate) feeds: Feeds,
    /// The messages that wait to be stored.
    pub(crate) send_queues: SendQueues,
    /// How fast players may send.
    pub(crate) send_rate: SendRate,
    /// Rooms by the names that requests have for them.
    pub(crate) room_names: Mutex<HashMap<String, RoomId>>,
    /// How long a notification is kept.
    pub(crate) notification_retention: Duration,
    /// How long a message is kept.
    pub(crate) message_retention: Duration,
}

impl Cx {
    /// The context of calls.
    pub(crate) fn new(pools: &Pools, inner: Inner) -> Self {
        Self { db: pools.calls.clone(), jobs_db: pools.jobs.clone(), inner: Arc::new(inner) }
    }

    /// The same with the pool for jobs.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.jobs_db.clone(), ..self.clone() }
    }
}

impl Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

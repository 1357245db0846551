//! Use cases, one a file. Each owns its transaction.

mod apply_content;
mod check_counts;
mod count_unread;
mod delete_message;
mod erase_players;
mod feed;
mod feeds;
mod find_room;
mod find_unused_media;
mod inbox_reader;
mod join_room;
mod list_contact_settings;
mod list_messages;
mod list_notifications;
mod list_player_data;
mod list_rooms;
mod mail_feedback;
mod mark_read;
mod mark_room_read;
mod mention;
mod message_batch;
mod message_reader;
mod message_writer;
mod notification_settings;
mod notifications_changed;
mod notify;
mod push;
mod push_subscriptions;
mod room_change;
mod room_changed;
mod room_hints;
mod safety;
mod safety_admin;
mod send_feedback;
mod send_message;
mod send_rate;
mod sweep;
mod sweep_feedback;
mod sweep_messages;
mod watch_notifications;
mod watch_rooms;
mod word_filter;
mod words;

use std::{
    collections::HashMap,
    ops::Deref,
    sync::{Arc, Mutex},
    time::Duration,
};

use mesh::{
    Shutdown,
    db::{Pool, Pools},
    grpc::erased_players::ErasedPlayers,
    outbox::OutboxNotifier,
    pubsub::PubSub,
};
use types::{Clock, Rng};

pub(crate) use apply_content::{
    Content, ContentRef, apply_chat_room, apply_contact_setting, delete_content, list_content,
};
pub(crate) use check_counts::check_counts;
pub(crate) use count_unread::count_unread;
pub(crate) use delete_message::delete_message;
pub(crate) use erase_players::erase_players;
pub(crate) use feeds::Feeds;
pub(crate) use find_unused_media::find_unused_media;
pub(crate) use inbox_reader::{InboxReader, Inboxes};
pub(crate) use join_room::{join_room, leave_room, list_joined_rooms};
pub(crate) use list_contact_settings::list_contact_settings;
pub(crate) use list_messages::{Messages, list_messages};
pub(crate) use list_notifications::list_notifications;
pub(crate) use list_player_data::list_player_data;
pub(crate) use list_rooms::list_rooms;
pub(crate) use mail_feedback::mail_feedback;
pub(crate) use mark_read::mark_read;
pub(crate) use mark_room_read::mark_room_read;
pub(crate) use mention::{MENTION_TOPIC, Mention, notify_mentioned};
pub(crate) use message_reader::{MessagePages, MessageReader};
pub(crate) use message_writer::{MessageWriter, NewMessages};
pub(crate) use notification_settings::{notification_settings, update_notification_settings};
pub(crate) use notify::notify;
pub(crate) use push::{PUSH_TOPIC, Push, push};
pub(crate) use push_subscriptions::{push_client, register_push, remove_push, sweep_push};
pub(crate) use room_hints::RoomHints;
pub(crate) use safety::{
    block_player, list_blocked_players, report_message, sending_rules, unblock_player,
};
pub(crate) use safety_admin::{
    By, hide_message, list_reports, list_words, mute_player, resolve_report, set_room_closed,
    set_slow_mode, set_words, sweep_safety,
};
pub(crate) use send_feedback::{FEEDBACK_TOPIC, send_feedback};
pub(crate) use send_message::{SentMessage, send_message};
pub(crate) use send_rate::SendRate;
pub(crate) use sweep::sweep;
pub(crate) use sweep_feedback::sweep_feedback;
pub(crate) use sweep_messages::sweep_messages;
pub(crate) use watch_notifications::watch_notifications;
pub(crate) use watch_rooms::{RoomCursor, RoomEvent, RoomUpdate, watch_rooms};
pub(crate) use words::Words;

use crate::{
    clients::{players::Players, presence::Presence, push::PushClient},
    config::Support,
    domain::RoomId,
};

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
    /// Changes of rooms that are to be published to other replicas.
    pub(crate) room_hints: RoomHints,
    /// The messages that wait to be stored.
    pub(crate) message_writer: MessageWriter,
    /// The pages of messages that wait to be read.
    pub(crate) message_reader: MessageReader,
    /// The pages of notifications that wait to be read.
    pub(crate) inbox_reader: InboxReader,
    /// How fast players may send.
    pub(crate) send_rate: SendRate,
    /// How many players one sender's mentions may notify in an hour.
    pub(crate) mentions_per_hour: u32,
    /// Players by their usernames.
    pub(crate) players: Players,
    /// Lists the players whose data is erased.
    pub(crate) erased_players: ErasedPlayers,
    /// The words that no message may have.
    pub(crate) words: Words,
    /// Rooms by the names that requests have for them.
    pub(crate) room_names: Mutex<HashMap<String, RoomId>>,
    /// Wakes the relays after a commit.
    pub(crate) outbox: OutboxNotifier,
    /// The mail server and the limits for feedback.
    pub(crate) support: Support,
    /// Sends to push services; `None` when this deployment has no key to push with.
    pub(crate) push: Option<PushClient>,
    /// The age at which a notification is not pushed any more.
    pub(crate) push_max_age: Duration,
    /// How long a push subscription is kept after its last refresh.
    pub(crate) push_subscription_retention: Duration,
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

    /// The context of jobs: the same with the pool for jobs.
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

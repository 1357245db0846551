//! The topics of a stream, and the names of those that are refused.

use std::collections::BTreeMap;

use mesh::{Fault, telemetry::Failure};
use proto::live::v1::SubscribeRequest;
use tonic::{Code, Status};

use crate::language;

/// Payments that one stream may watch.
const PAYMENTS: usize = 20;
/// Rooms that one stream may watch.
const ROOMS: usize = 20;
/// Tournaments that one stream may watch.
const TOURNAMENTS: usize = 5;
/// The name of the notifications' topic.
pub(super) const NOTIFICATIONS: &str = "notifications";
/// The trailer with the names of the topics that were refused.
const REFUSED_TOPICS: &str = "refused-topics";

/// The topics that a reader asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Topics {
    /// Ids of payments, each once.
    pub(super) payments: Vec<String>,
    pub(super) notifications: bool,
    /// Ids of tournaments, each once.
    pub(super) tournaments: Vec<String>,
    /// The number of the last message that the reader has, by `chat_room_uid`.
    pub(super) rooms: BTreeMap<String, u64>,
}

/// Why no stream is opened, or why one ends.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) fault: Box<Fault>,
    /// The topics that were refused; empty if the whole call was.
    topics: Vec<String>,
}

impl Failure for Refused {
    fn is_failure(&self) -> bool {
        self.fault.is_failure()
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self { fault: Box::new(fault), topics: Vec::new() }
    }
}

impl Refused {
    /// A refusal of single topics.
    fn naming(fault: Fault, topics: Vec<String>) -> Self {
        Self { fault: Box::new(fault), topics }
    }

    /// svc-wallet's refusal of payments.
    pub(super) fn of_payments<'a>(
        fault: Fault,
        asked: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        Self::of(fault, "payment", "payments", asked)
    }

    /// svc-tournament's refusal of tournaments.
    pub(super) fn of_tournaments<'a>(
        fault: Fault,
        asked: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        Self::of(fault, "tournament", "tournaments", asked)
    }

    /// svc-chat's refusal of rooms.
    pub(super) fn of_rooms<'a>(fault: Fault, asked: impl IntoIterator<Item = &'a String>) -> Self {
        Self::of(fault, "room", "rooms", asked)
    }

    /// A service's refusal of topics of one kind: the topics that the fault's parameter names, or
    /// all.
    fn of<'a>(
        fault: Fault,
        kind: &str,
        param: &str,
        asked: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let topic = |id: &str| format!("{kind}/{id}");
        let named = fault.params.iter().find(|(name, _)| name == param);
        let named = named.map(|(_, ids)| ids.split(',').map(topic).collect());
        let topics = if is_of_topics(&fault) {
            named.unwrap_or_else(|| asked.into_iter().map(|id| topic(id)).collect())
        } else {
            Vec::new()
        };
        Self::naming(fault, topics)
    }

    /// svc-chat's refusal of the notifications.
    pub(super) fn of_notifications(fault: Fault) -> Self {
        let topics = if is_of_topics(&fault) { vec![NOTIFICATIONS.to_owned()] } else { Vec::new() };
        Self::naming(fault, topics)
    }

    /// Combines both refusals, so that the reader learns of all refused topics at once. A refusal
    /// of the whole call takes precedence.
    pub(super) fn and(mut self, other: Self) -> Self {
        if self.topics.is_empty() || other.topics.is_empty() {
            return if self.topics.is_empty() { self } else { other };
        }
        self.topics.extend(other.topics);
        self
    }
}

impl From<Refused> for Status {
    fn from(Refused { fault, topics }: Refused) -> Self {
        let mut status = Self::from(fault.in_language(language::current()));
        // A name that no header can hold was not sent by our client.
        if let Ok(names) = topics.join(",").parse()
            && !topics.is_empty()
        {
            status.metadata_mut().insert(REFUSED_TOPICS, names);
        }
        status
    }
}

/// Whether a refusal is about the requested topics. Other refusals are about the caller or the
/// time.
fn is_of_topics(fault: &Fault) -> bool {
    matches!(
        fault.code,
        Code::PermissionDenied | Code::InvalidArgument | Code::NotFound | Code::Unimplemented
    )
}

/// The topics of a request.
pub(super) fn topics(request: SubscribeRequest) -> Result<Topics, Refused> {
    let SubscribeRequest { payment_ids, rooms, notifications, tournament_ids } = request;
    let [payments, tournaments] = [payment_ids, tournament_ids].map(once);
    // A room listed twice uses the lower cursor.
    let mut cursors = BTreeMap::new();
    for room in rooms {
        let cursor = cursors.entry(room.chat_room_uid).or_insert(room.after_seq);
        *cursor = room.after_seq.min(*cursor);
    }
    let rooms = cursors;
    if payments.is_empty() && rooms.is_empty() && tournaments.is_empty() && !notifications {
        return Err(Fault::new(Code::InvalidArgument, "NO_TOPIC").into());
    }
    if payments.len() > PAYMENTS || rooms.len() > ROOMS || tournaments.len() > TOURNAMENTS {
        return Err(Fault::new(Code::InvalidArgument, "TOO_MANY_TOPICS").into());
    }
    Ok(Topics { payments, notifications, tournaments, rooms })
}

/// Removes repeated ids.
fn once(mut ids: Vec<String>) -> Vec<String> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use proto::live::v1::RoomCursor;

    use super::*;

    fn watching(ids: impl IntoIterator<Item = u32>) -> Result<Vec<String>, Fault> {
        let payment_ids = ids.into_iter().map(|id| id.to_string()).collect();
        let topics = topics(SubscribeRequest { payment_ids, ..SubscribeRequest::default() });
        topics.map(|topics| topics.payments).map_err(|refused| *refused.fault)
    }

    fn names(refused: Refused) -> Option<String> {
        let status = Status::from(refused);
        let names = status.metadata().get(REFUSED_TOPICS)?;
        Some(names.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_stream_has_one_topic_and_up_to_twenty_payments() {
        assert_eq!(watching([]).unwrap_err().reason, "NO_TOPIC");
        assert_eq!(watching(0..20).unwrap().len(), 20);
        assert_eq!(watching(0..21).unwrap_err().reason, "TOO_MANY_TOPICS");
        let alone = SubscribeRequest { notifications: true, ..SubscribeRequest::default() };
        assert!(topics(alone).unwrap().notifications);
    }

    #[test]
    fn a_stream_has_up_to_five_tournaments() {
        let watching = |count: u32| {
            let tournament_ids = (0..count).map(|id| id.to_string()).collect();
            topics(SubscribeRequest { tournament_ids, ..SubscribeRequest::default() })
        };
        assert_eq!(watching(5).unwrap().tournaments.len(), 5);
        assert_eq!(watching(6).unwrap_err().fault.reason, "TOO_MANY_TOPICS");
    }

    #[test]
    fn a_payment_named_twice_is_one_topic() {
        assert_eq!(watching([7; 30]).unwrap(), ["7"]);
    }

    #[test]
    fn a_stream_has_up_to_twenty_rooms_each_from_its_lowest_cursor() {
        let room = |uid: &str, after_seq| RoomCursor { chat_room_uid: uid.into(), after_seq };
        let watching = |rooms| topics(SubscribeRequest { rooms, ..SubscribeRequest::default() });
        let rooms = vec![room("lobby", 7), room("ajua", 0), room("lobby", 3)];
        let expected = BTreeMap::from([("ajua".to_owned(), 0), ("lobby".to_owned(), 3)]);
        assert_eq!(watching(rooms).unwrap().rooms, expected);
        let many = |count: u32| (0..count).map(|id| room(&id.to_string(), 0)).collect();
        assert_eq!(watching(many(20)).unwrap().rooms.len(), 20);
        assert_eq!(watching(many(21)).unwrap_err().fault.reason, "TOO_MANY_TOPICS");
    }

    #[test]
    fn a_refusal_names_the_rooms_that_the_service_names() {
        let asked = ["lobby".to_owned(), "ajua".to_owned()];
        let fault = Fault::new(Code::PermissionDenied, "NOT_A_MEMBER").param("rooms", "ajua");
        assert_eq!(names(Refused::of_rooms(fault, &asked)).as_deref(), Some("room/ajua"));
    }

    #[test]
    fn a_refusal_names_the_payments_that_the_service_names_or_else_all() {
        let asked = ["p-1".to_owned(), "p-2".to_owned()];
        let named = Fault::new(Code::PermissionDenied, "NOT_YOUR_PAYMENT").param("payments", "p-2");
        assert_eq!(names(Refused::of_payments(named, &asked)).as_deref(), Some("payment/p-2"));
        let unnamed = Fault::new(Code::InvalidArgument, "INVALID_ARGUMENT");
        let all = Some("payment/p-1,payment/p-2".to_owned());
        assert_eq!(names(Refused::of_payments(unnamed, &asked)), all);
    }

    #[test]
    fn a_refusal_of_the_caller_names_no_topic() {
        let refused = Refused::of_notifications(Fault::unauthenticated());
        let both = Refused::of_notifications(Fault::unimplemented()).and(refused);
        assert_eq!(both.fault.code, Code::Unauthenticated);
        assert_eq!(names(both), None);
    }

    #[test]
    fn two_refusals_of_topics_name_all_of_them() {
        let asked = ["p-1".to_owned()];
        let payments = Refused::of_payments(Fault::forbidden(), &asked);
        let both = payments.and(Refused::of_notifications(Fault::unimplemented()));
        assert_eq!(names(both).as_deref(), Some("payment/p-1,notifications"));
    }
}

//! A player's notifications. svc-chat has their kinds and parameters; the words are here,
//! in the language of the call.

use std::{borrow::Cow, collections::BTreeMap};

use axum::extract::State;
use mesh::texts;
use proto::{
    Absent,
    chat::v1::{
        self as rpc, CountUnreadNotificationsRequest, ListNotificationsRequest,
        MarkNotificationsReadRequest, NotificationKind as WireKind,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    param::{PageQuery, Query},
    wire::At,
};
use crate::{Gateway, envelope::Reply, language, openapi::schema::payloads};

/// `GET /profile/notifications`
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    PageQuery { page, page_size }: PageQuery,
    Query(after): Query<ReadOn>,
) -> HandlerResult<Vec<Notification>> {
    let before_id = after.before_id.unwrap_or_default();
    let request = ListNotificationsRequest { page, page_size, before_id };
    let reply = gateway.upstreams().notifications().list_notifications(request).await?;
    let list = reply.into_inner().notifications.into_iter();
    let list: Result<_, Absent> = list.filter_map(Notification::of).collect();
    Ok(Reply::ok(list?))
}

/// `GET /profile/notifications/unread`
pub(crate) async fn unread(State(gateway): State<Gateway>) -> HandlerResult<Unread> {
    let mut chat = gateway.upstreams().notifications();
    let reply = chat.count_unread_notifications(CountUnreadNotificationsRequest {}).await?;
    Ok(Reply::ok(Unread { unread: reply.into_inner().unread }))
}

/// `POST /profile/notifications/read`
pub(crate) async fn mark_read(
    State(gateway): State<Gateway>,
    Body(body): Body<MarkRead>,
) -> HandlerResult<()> {
    // An absent list means all notifications, and an empty list means none.
    if body.ids.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Reply::ok(()));
    }
    let request = MarkNotificationsReadRequest { ids: body.ids.unwrap_or_default() };
    gateway.upstreams().notifications().mark_notifications_read(request).await?;
    Ok(Reply::ok(()))
}

request! {
    /// Where the next page begins.
    pub(crate) struct ReadOn {
        /// The id of the last notification that the reader has. Page numbers would shift, because
        /// the list grows at its head.
        before_id: Option<String> = "before",
    }
}

request! {
    /// Notifications that were read.
    pub(crate) struct MarkRead {
        /// At most 100 ids; absent for all of the player's notifications.
        ids: Option<Vec<String>> = "ids",
    }
}

/// The parameters of a notification, borrowed from their JSON. A value without escapes is not
/// copied, and names never have escapes.
type Params<'a> = BTreeMap<&'a str, Value<'a>>;

/// The value of a parameter.
#[derive(Deserialize)]
struct Value<'a>(#[serde(borrow)] Cow<'a, str>);

payloads!(Notification, Unread);

/// A notification.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Notification {
    id: String,
    kind: NotificationKind,
    title: Cow<'static, str>,
    body: Cow<'static, str>,
    /// When it happened.
    created_at: At,
    read: bool,
    /// The room of a mention; null for other kinds.
    #[schema(required)]
    chat_room_uid: Option<String>,
}

/// What a notification is about: where it leads, and how it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum NotificationKind {
    TopUpCompleted,
    BoostReceived,
    AwardWon,
    CashAwardWon,
    TournamentResult,
    WithdrawalPaid,
    WithdrawalFailed,
    SubscriptionStarted,
    MoneyReturned,
    SubscriptionEnding,
    TournamentStarted,
    Mention,
    NewDevice,
    DataCopyReady,
    PayoutPhoneAdded,
    CashAwardPending,
    CashAwardRefused,
    CashAwardNeedsPhone,
}

/// The number of unread notifications.
#[derive(Serialize, ToSchema)]
pub(crate) struct Unread {
    /// 100 stands for 100 or more.
    unread: u32,
}

impl NotificationKind {
    /// The kind of a notification; `None` for a kind of a newer svc-chat, for which there are no
    /// texts here.
    const fn of(kind: WireKind) -> Option<Self> {
        match kind {
            WireKind::TopUpCompleted => Some(Self::TopUpCompleted),
            WireKind::BoostReceived => Some(Self::BoostReceived),
            WireKind::AwardWon => Some(Self::AwardWon),
            WireKind::CashAwardWon => Some(Self::CashAwardWon),
            WireKind::TournamentResult => Some(Self::TournamentResult),
            WireKind::WithdrawalPaid => Some(Self::WithdrawalPaid),
            WireKind::WithdrawalFailed => Some(Self::WithdrawalFailed),
            WireKind::SubscriptionStarted => Some(Self::SubscriptionStarted),
            WireKind::MoneyReturned => Some(Self::MoneyReturned),
            WireKind::SubscriptionEnding => Some(Self::SubscriptionEnding),
            WireKind::TournamentStarted => Some(Self::TournamentStarted),
            WireKind::Mention => Some(Self::Mention),
            WireKind::NewDevice => Some(Self::NewDevice),
            WireKind::DataCopyReady => Some(Self::DataCopyReady),
            WireKind::PayoutPhoneAdded => Some(Self::PayoutPhoneAdded),
            WireKind::CashAwardPending => Some(Self::CashAwardPending),
            WireKind::CashAwardRefused => Some(Self::CashAwardRefused),
            WireKind::CashAwardNeedsPhone => Some(Self::CashAwardNeedsPhone),
            WireKind::Unspecified => None,
        }
    }

    /// The names of the kind's title and text in the catalogue.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::TopUpCompleted => {
                ("NOTIFICATION_TOP_UP_COMPLETED_TITLE", "NOTIFICATION_TOP_UP_COMPLETED")
            }
            Self::BoostReceived => {
                ("NOTIFICATION_BOOST_RECEIVED_TITLE", "NOTIFICATION_BOOST_RECEIVED")
            }
            Self::AwardWon => ("NOTIFICATION_AWARD_WON_TITLE", "NOTIFICATION_AWARD_WON"),
            Self::CashAwardWon => {
                ("NOTIFICATION_CASH_AWARD_WON_TITLE", "NOTIFICATION_CASH_AWARD_WON")
            }
            Self::CashAwardPending => {
                ("NOTIFICATION_CASH_AWARD_PENDING_TITLE", "NOTIFICATION_CASH_AWARD_PENDING")
            }
            Self::CashAwardRefused => {
                ("NOTIFICATION_CASH_AWARD_REFUSED_TITLE", "NOTIFICATION_CASH_AWARD_REFUSED")
            }
            Self::CashAwardNeedsPhone => {
                ("NOTIFICATION_CASH_AWARD_NEEDS_PHONE_TITLE", "NOTIFICATION_CASH_AWARD_NEEDS_PHONE")
            }
            Self::TournamentResult => {
                ("NOTIFICATION_TOURNAMENT_RESULT_TITLE", "NOTIFICATION_TOURNAMENT_RESULT")
            }
            Self::WithdrawalPaid => {
                ("NOTIFICATION_WITHDRAWAL_PAID_TITLE", "NOTIFICATION_WITHDRAWAL_PAID")
            }
            Self::WithdrawalFailed => {
                ("NOTIFICATION_WITHDRAWAL_FAILED_TITLE", "NOTIFICATION_WITHDRAWAL_FAILED")
            }
            Self::SubscriptionStarted => {
                ("NOTIFICATION_SUBSCRIPTION_STARTED_TITLE", "NOTIFICATION_SUBSCRIPTION_STARTED")
            }
            Self::MoneyReturned => {
                ("NOTIFICATION_MONEY_RETURNED_TITLE", "NOTIFICATION_MONEY_RETURNED")
            }
            Self::SubscriptionEnding => {
                ("NOTIFICATION_SUBSCRIPTION_ENDING_TITLE", "NOTIFICATION_SUBSCRIPTION_ENDING")
            }
            Self::TournamentStarted => {
                ("NOTIFICATION_TOURNAMENT_STARTED_TITLE", "NOTIFICATION_TOURNAMENT_STARTED")
            }
            Self::Mention => ("NOTIFICATION_MENTION_TITLE", "NOTIFICATION_MENTION"),
            Self::NewDevice => ("NOTIFICATION_NEW_DEVICE_TITLE", "NOTIFICATION_NEW_DEVICE"),
            Self::DataCopyReady => {
                ("NOTIFICATION_DATA_COPY_READY_TITLE", "NOTIFICATION_DATA_COPY_READY")
            }
            Self::PayoutPhoneAdded => {
                ("NOTIFICATION_PAYOUT_PHONE_ADDED_TITLE", "NOTIFICATION_PAYOUT_PHONE_ADDED")
            }
        }
    }
}

impl Notification {
    fn of(notification: rpc::Notification) -> Option<Result<Self, Absent>> {
        let kind = NotificationKind::of(notification.kind())?;
        Some(Self::of_kind(kind, notification))
    }

    fn of_kind(kind: NotificationKind, notification: rpc::Notification) -> Result<Self, Absent> {
        let rpc::Notification { id, params, params_json, occurred_at, read, .. } = notification;
        let mut params: Params<'_> = if params_json.is_empty() {
            params.iter().map(|(name, value)| (&**name, Value(value.into()))).collect()
        } else {
            serde_json::from_str(&params_json).map_err(|_| Absent("params_json"))?
        };
        let chat_room_uid = params.remove("chat_room_uid").map(|uid| uid.0.into_owned());
        let (title, body) = kind.texts();
        Ok(Self {
            id,
            kind,
            title: text(title, &Params::new()),
            body: text(body, &params),
            created_at: At::promised(occurred_at, "occurred_at")?,
            read,
            chat_room_uid,
        })
    }
}

/// The catalogue's text with its parameters, in the language of the call.
fn text(name: &str, params: &Params<'_>) -> Cow<'static, str> {
    let params = params.iter().map(|(name, value)| (*name, &*value.0));
    texts::text(name, params, language::current()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use mesh::Language;

    use super::*;

    #[tokio::test]
    async fn a_notification_is_told_in_the_language_of_the_call() {
        let notification = rpc::Notification {
            id: "n-1".into(),
            kind: WireKind::BoostReceived.into(),
            params_json: r#"{"amount": "KES 75.00", "from": "amina"}"#.into(),
            occurred_at: Some(prost_types::Timestamp::default()),
            ..rpc::Notification::default()
        };
        let render = async |language| {
            let one = notification.clone();
            let one = language::scope(language, async { Notification::of(one) }).await;
            let one = one.unwrap().unwrap();
            (one.title, one.body)
        };
        let (title, body) = render(Language::English).await;
        assert_eq!(title, "A friend boosted you");
        assert_eq!(body, "amina sent you KES 75.00. Asante, amina!");
        let (title, body) = render(Language::Swahili).await;
        assert_eq!(title, "Rafiki amekupa pesa");
        assert_eq!(body, "amina amekupa KES 75.00. Asante, amina!");
    }

    #[tokio::test]
    async fn the_parameters_of_an_svc_chat_without_json_are_read() {
        let notification = rpc::Notification {
            kind: WireKind::WithdrawalFailed.into(),
            params: BTreeMap::from([("amount".to_owned(), "KES 75.00".to_owned())]),
            occurred_at: Some(prost_types::Timestamp::default()),
            ..rpc::Notification::default()
        };
        let of = async { Notification::of(notification) };
        let body = language::scope(Language::English, of).await.unwrap().unwrap().body;
        assert!(body.contains("KES 75.00"), "{body}");
    }

    #[tokio::test]
    async fn results_name_the_place_without_an_ordinal() {
        let params = r#"{"amount": "KES 500.00", "award": "Golden Duma", "players": "212",
            "rank": "4", "tournament": "Friday Dash",
            "hours": "24", "reason": "A script played"}"#;
        let body = async |kind: WireKind, language| {
            let occurred_at = Some(prost_types::Timestamp::default());
            let notification = rpc::Notification {
                kind: kind.into(),
                params_json: params.into(),
                occurred_at,
                ..rpc::Notification::default()
            };
            let of = async { Notification::of(notification) };
            language::scope(language, of).await.unwrap().unwrap().body
        };
        for (kind, english, swahili) in [
            (
                WireKind::AwardWon,
                "Place 4 in Friday Dash wins you Golden Duma. Hongera!",
                "Nafasi ya 4 katika Friday Dash: umeshinda Golden Duma. Hongera!",
            ),
            (
                WireKind::CashAwardWon,
                "Place 4 in Friday Dash wins you KES 500.00, straight to your wallet. Hongera!",
                "Nafasi ya 4 katika Friday Dash: umeshinda KES 500.00, zinaingia moja kwa moja \
                 kwenye pochi yako. Hongera!",
            ),
            (
                WireKind::CashAwardPending,
                "Place 4 in Friday Dash wins you KES 500.00. We are checking the result; your \
                 prize is paid within 24 hours, unless we need a closer look.",
                "Nafasi ya 4 katika Friday Dash: umeshinda KES 500.00. Tunakagua matokeo; zawadi \
                 yako italipwa ndani ya saa 24, isipokuwa tukihitaji kukagua zaidi.",
            ),
            (
                WireKind::CashAwardRefused,
                "KES 500.00 of Friday Dash was not given: “A script played”. Write to Support if \
                 this is wrong.",
                "KES 500.00 za Friday Dash hazikutolewa: “A script played”. Kama si sahihi, \
                 wasiliana na Msaada.",
            ),
            (
                WireKind::CashAwardNeedsPhone,
                "Your KES 500.00 from Friday Dash is waiting. Confirm a phone for withdrawals \
                 within 6 days, so that we can pay it.",
                "KES 500.00 za Friday Dash zinakungoja. Thibitisha simu ya kutoa pesa ndani \
                 ya siku 6, ili tuweze kulipa.",
            ),
            (
                WireKind::TournamentResult,
                "Place 4 of 212 in Friday Dash. See you in the next one!",
                "Nafasi ya 4 kati ya 212 katika Friday Dash. Tuonane kwenye shindano lijalo!",
            ),
        ] {
            assert_eq!(body(kind, Language::English).await, english);
            assert_eq!(body(kind, Language::Swahili).await, swahili);
        }
    }

    #[tokio::test]
    async fn a_mention_has_its_room_apart_from_the_text() {
        let params = r#"{"chat_room_uid": "cup-talk", "excerpt": "@amina, \"{room}\"?",
            "from": "juma", "room": "Cup talk"}"#;
        let mention = rpc::Notification {
            kind: WireKind::Mention.into(),
            params_json: params.into(),
            occurred_at: Some(prost_types::Timestamp::default()),
            ..rpc::Notification::default()
        };
        let of = async { Notification::of(mention) };
        let mention = language::scope(Language::English, of).await.unwrap().unwrap();
        assert_eq!(mention.body, "juma in Cup talk: @amina, \"{room}\"?");
        assert_eq!(mention.chat_room_uid.as_deref(), Some("cup-talk"));
    }

    #[test]
    fn a_kind_without_words_is_left_out() {
        assert!(Notification::of(rpc::Notification::default()).is_none());
    }
}

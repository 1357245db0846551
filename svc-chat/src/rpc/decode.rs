//! Requests of the contract, parsed.

use mesh::{Fault, auth::Caller};
use proto::{
    chat::v1::{
        BatchNotifyRequest, ChatContentKind, ChatRoomManifest, ContactSettingManifest,
        ListNotificationsRequest, MarkNotificationsReadRequest, NotificationKind as WireKind,
    },
    from_timestamp,
};
use types::{InvalidContent, Key, Page, PlayerId, Text};

use crate::{
    app::ContentRef,
    domain::{
        ContactName, ContactSetting, Malformed, NewNotification, NotificationId, NotificationKind,
        Params, RoomManifest, Source,
    },
    error::{Error, Refused},
};

/// The contract's limit of a page.
const PAGE_MAX: u32 = 100;
/// The default page size.
const PAGE_DEFAULT: u32 = 30;
/// The contract's limit of ids in one call.
const IDS_MAX: usize = 100;
/// The contract's limit of new notifications in one call.
const NOTIFICATIONS_MAX: usize = 100;

pub(super) fn new_notifications(
    caller: Caller,
    request: BatchNotifyRequest,
) -> Result<Vec<NewNotification>, Error> {
    let Caller::Service(caller) = caller else { return Err(Fault::forbidden().into()) };
    let count = request.notifications.len();
    if !(1..=NOTIFICATIONS_MAX).contains(&count) {
        return Err(Refused::Malformed(Malformed::Count).into());
    }
    request.notifications.into_iter().map(|new| new_notification(caller, new)).collect()
}

fn new_notification(
    caller: &'static str,
    new: proto::chat::v1::NewNotification,
) -> Result<NewNotification, Error> {
    let kind = match new.kind() {
        WireKind::TopUpCompleted => NotificationKind::TopUpCompleted,
        WireKind::BoostReceived => NotificationKind::BoostReceived,
        WireKind::AwardWon => NotificationKind::AwardWon,
        WireKind::CashAwardWon => NotificationKind::CashAwardWon,
        WireKind::TournamentResult => NotificationKind::TournamentResult,
        WireKind::WithdrawalPaid => NotificationKind::WithdrawalPaid,
        WireKind::WithdrawalFailed => NotificationKind::WithdrawalFailed,
        WireKind::SubscriptionStarted => NotificationKind::SubscriptionStarted,
        WireKind::MoneyReturned => NotificationKind::MoneyReturned,
        WireKind::SubscriptionEnding => NotificationKind::SubscriptionEnding,
        WireKind::TournamentStarted => NotificationKind::TournamentStarted,
        WireKind::Mention => NotificationKind::Mention,
        WireKind::NewDevice => NotificationKind::NewDevice,
        WireKind::PayoutPhoneAdded => NotificationKind::PayoutPhoneAdded,
        WireKind::DataCopyReady => NotificationKind::DataCopyReady,
        WireKind::CashAwardPending => NotificationKind::CashAwardPending,
        WireKind::CashAwardRefused => NotificationKind::CashAwardRefused,
        WireKind::CashAwardNeedsPhone => NotificationKind::CashAwardNeedsPhone,
        WireKind::Unspecified => {
            return Err(Refused::Malformed(Malformed::NotificationKind).into());
        }
    };
    let params = Params::parse(kind, new.params);
    Ok(NewNotification {
        caller,
        source: Source::parse(&new.source).map_err(Refused::from)?,
        player: PlayerId::parse(&new.player_id)
            .map_err(|_| Refused::Malformed(Malformed::Player))?,
        kind,
        params: params.map_err(Refused::from)?,
        occurred_at: from_timestamp(new.occurred_at, "occurred_at")
            .map_err(|_| Refused::Malformed(Malformed::Time))?,
    })
}

pub(super) fn page(
    request: &ListNotificationsRequest,
) -> Result<(Option<NotificationId>, Page), Fault> {
    let before = match request.before_id.as_str() {
        "" => None,
        id => Some(notification_id("before_id", id)?),
    };
    let size = if request.page_size == 0 { PAGE_DEFAULT } else { request.page_size };
    let page = Page::parse(request.page, size, PAGE_MAX)
        .map_err(|error| Fault::invalid_field("page_size", error))?;
    Ok((before, page))
}

/// Parses the ids to mark as read; `None` means all.
pub(super) fn ids(
    request: &MarkNotificationsReadRequest,
) -> Result<Option<Vec<NotificationId>>, Fault> {
    if request.ids.is_empty() {
        return Ok(None);
    }
    if request.ids.len() > IDS_MAX {
        let text = Text::new("TOO_MANY_NOTIFICATIONS").with("max", IDS_MAX);
        return Err(Fault::invalid_field("ids", text));
    }
    request.ids.iter().map(|id| notification_id("ids", id)).collect::<Result<_, _>>().map(Some)
}

fn notification_id(field: &str, text: &str) -> Result<NotificationId, Fault> {
    NotificationId::parse(text).map_err(|_| Fault::invalid_field(field, "NOTIFICATION_NOT_FOUND"))
}

pub(super) fn room(room: ChatRoomManifest) -> Result<RoomManifest, Error> {
    let about = |game: &str| {
        Key::parse(game)
            .map_err(|_| Refused::from(InvalidContent::new("game", "is the id of a game")))
    };
    let game = (!room.game.is_empty()).then(|| about(&room.game)).transpose()?;
    Ok(RoomManifest { key: key(&room.key)?, name: room.name, icon: room.icon, game })
}

pub(super) fn contact_setting(setting: ContactSettingManifest) -> Result<ContactSetting, Error> {
    Ok(ContactSetting { name: contact_name(&setting.key)?, value: setting.value })
}

pub(super) fn content_ref(kind: ChatContentKind, text: &str) -> Result<ContentRef, Error> {
    match kind {
        ChatContentKind::Room => Ok(ContentRef::ChatRoom(key(text)?)),
        ChatContentKind::ContactSetting => Ok(ContentRef::ContactSetting(contact_name(text)?)),
        ChatContentKind::Unspecified => {
            Err(Refused::from(InvalidContent::new("kind", "is missing")).into())
        }
    }
}

fn key(text: &str) -> Result<Key, Error> {
    Ok(Key::parse(text).map_err(Refused::from)?)
}

fn contact_name(text: &str) -> Result<ContactName, Error> {
    Ok(ContactName::parse(text).map_err(Refused::from)?)
}

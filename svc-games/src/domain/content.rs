//! Events and videos that operators publish.

use time::OffsetDateTime;
use types::LocalText;

types::id! {
    /// Identifies an event.
    pub(crate) EventId: "event"
}

types::id! {
    /// Identifies a video.
    pub(crate) TvItemId: "video"
}

/// An event of the banner on the home page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
pub(crate) struct Event {
    pub(crate) id: EventId,
    pub(crate) title: LocalText,
    pub(crate) description: LocalText,
    /// URL of a picture.
    pub(crate) event_banner_url: String,
    pub(crate) created_at: OffsetDateTime,
}

/// A video of PlayOn TV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TvItem {
    pub(crate) id: TvItemId,
    pub(crate) title: LocalText,
    /// A link to the video.
    pub(crate) channel_url: String,
    /// Whether the video is shown first; at most one video is.
    pub(crate) is_primary: bool,
    pub(crate) created_at: OffsetDateTime,
}

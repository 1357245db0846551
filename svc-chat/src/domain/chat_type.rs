//! The types of messages.

/// The type of a message's content. The texts are the values of the column `chat_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ChatType {
    Text,
    Image,
    Video,
    Audio,
    Document,
}

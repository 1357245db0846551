//! The content that operators publish: chat rooms and contact settings.

use strum::{Display, EnumIter, EnumString, IntoStaticStr};
use types::{InvalidContent, Key};

/// The kind of a manifest. The texts are the values of the column `content_change.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
pub(crate) enum ContentKind {
    ChatRoom,
    ContactSetting,
}

/// A chat room, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoomManifest {
    /// The `chatRoomUid` that players see.
    pub(crate) key: Key,
    pub(crate) name: String,
    pub(crate) icon: String,
    /// The game that the room is about.
    pub(crate) game: Option<Key>,
}

/// A way to reach PlayOn's support, in the order to show them. The texts are the contract's
/// names and the values of the column `contact_setting.name`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter, EnumString, IntoStaticStr,
)]
pub(crate) enum ContactName {
    Email,
    Phone,
    Whatsapp,
    Instagram,
    Twitter,
}

/// A contact setting, as operators write it and as players read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContactSetting {
    pub(crate) name: ContactName,
    pub(crate) value: String,
}

impl RoomManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        InvalidContent::check_length("name", &self.name, 1..=120)?;
        InvalidContent::check_picture("icon", &self.icon)
    }
}

impl ContactName {
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidContent> {
        let names = "is Email, Phone, Instagram, Twitter or Whatsapp";
        text.parse().map_err(|_| InvalidContent::new("id", names))
    }
}

impl ContactSetting {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        let value = self.value.as_str();
        match self.name {
            ContactName::Email if is_email(value) => Ok(()),
            ContactName::Email => Err(InvalidContent::new("value", "is an email address")),
            ContactName::Phone | ContactName::Whatsapp if is_phone(value) => Ok(()),
            ContactName::Phone => {
                Err(InvalidContent::new("value", "is a phone number, like +254 712 345 678"))
            }
            ContactName::Whatsapp | ContactName::Instagram | ContactName::Twitter => {
                InvalidContent::check_https("value", value)
            }
        }
    }
}

/// Whether a text is a plausible email address that is safe in a `mailto:` link.
fn is_email(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._%+-@".contains(&byte);
    text.len() <= 120
        && text.bytes().all(is_plain)
        && text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty()
                && !host.contains('@')
                && host.split('.').count() > 1
                && host.split('.').all(|label| !label.is_empty())
        })
}

/// Whether a text is an international phone number, with spaces between groups of digits.
fn is_phone(text: &str) -> bool {
    let Some(number) = text.strip_prefix('+') else { return false };
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    (7..=15).contains(&digits)
        && number.len() <= 24
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_setting_is_what_its_name_asks_for() {
        use ContactName::{Email, Instagram, Phone, Twitter, Whatsapp};
        let is_valid =
            |name, value: &str| ContactSetting { name, value: value.to_owned() }.validate().is_ok();
        for (name, value) in [
            (Email, "help@playon.example"),
            (Phone, "+254 712 345 678"),
            (Whatsapp, "+254712345678"),
            (Whatsapp, "https://wa.me/254712345678"),
            (Instagram, "https://www.instagram.com/playon"),
            (Twitter, "https://x.com/playon"),
        ] {
            assert!(is_valid(name, value), "{name} {value}");
        }
        for (name, value) in [
            (Email, "help"),
            (Email, "@playon.example"),
            (Email, "help@playon"),
            (Email, "help@playon.example?bcc=a@b.example"),
            (Phone, "0712345678"),
            (Phone, "+254-712"),
            (Phone, "https://wa.me/254712345678"),
            (Instagram, "@playon"),
            (Twitter, "http://x.com/playon"),
        ] {
            assert!(!is_valid(name, value), "{name} {value}");
        }
    }
}

//! Documents of svc-chat: chat rooms and contact settings.

use proto::chat::v1::{ChatRoomManifest, ContactSettingManifest};
use serde::{Deserialize, Serialize};

use super::kind::Kind;

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChatRoom {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) icon: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) game: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ContactSetting {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) value: String,
}

impl ChatRoom {
    pub(super) fn item(self) -> ChatRoomManifest {
        ChatRoomManifest { key: self.id, name: self.name, icon: self.icon, game: self.game }
    }
}

impl From<ChatRoomManifest> for ChatRoom {
    fn from(room: ChatRoomManifest) -> Self {
        Self {
            kind: Kind::ChatRoom,
            id: room.key,
            name: room.name,
            icon: room.icon,
            game: room.game,
        }
    }
}

impl ContactSetting {
    pub(super) fn item(self) -> ContactSettingManifest {
        ContactSettingManifest { key: self.id, value: self.value }
    }
}

impl From<ContactSettingManifest> for ContactSetting {
    fn from(setting: ContactSettingManifest) -> Self {
        Self { kind: Kind::ContactSetting, id: setting.key, value: setting.value }
    }
}

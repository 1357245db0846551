//! From the domain's types to the wire's.

use proto::{
    {{name}}::v1::{Owned{{Noun}}, {{Noun}} as Wire{{Noun}}},
    timestamp,
};

use crate::domain::{{Noun}};

impl From<{{Noun}}> for Wire{{Noun}} {
    fn from({{noun}}: {{Noun}}) -> Self {
        Self {
            id: {{noun}}.id.to_string(),
            name: {{noun}}.name.as_str().to_owned(),
            code: {{noun}}.code.as_str().to_owned(),
            created_at: Some(timestamp({{noun}}.created_at)),
            expires_at: Some(timestamp({{noun}}.expires_at)),
            expired: {{noun}}.expired_at.is_some(),
        }
    }
}

impl From<{{Noun}}> for Owned{{Noun}} {
    fn from({{noun}}: {{Noun}}) -> Self {
        Self { player_id: {{noun}}.player.to_string(), {{noun}}: Some({{noun}}.into()) }
    }
}

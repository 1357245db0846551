//! Between the wire's words and ours.

use proto::{{name}}::v1::{{Noun}} as Wire{{Noun}};

use crate::domain::{{Noun}};

impl From<{{Noun}}> for Wire{{Noun}} {
    fn from({{noun}}: {{Noun}}) -> Self {
        Self { id: {{noun}}.id.to_string(), name: {{noun}}.name }
    }
}

//! The names of fields in refusals. A service may name a field as its contract does; the
//! caller reads the name that the request has in JSON.

use axum::response::{IntoResponse as _, Response};

use crate::envelope::WrongFields;

/// The names of a request's fields: in the service's contract, and in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FieldNames(pub(crate) &'static [(&'static str, &'static str)]);

impl FieldNames {
    /// The pairs of names.
    pub fn pairs(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().copied()
    }

    /// Renames the fields that a refusal is about.
    pub(crate) fn apply(self, mut response: Response) -> Response {
        let Some(WrongFields(refusal)) = response.extensions_mut().remove() else {
            return response;
        };
        if refusal.fields().iter().all(|name| self.json_name(name) == *name) {
            return response;
        }
        refusal.rename_fields(|name| self.json_name(name)).into_response()
    }

    /// The name in JSON. A name that the request does not list becomes camelCase.
    fn json_name(self, name: &str) -> String {
        let listed = self.pairs().find(|(contract, _)| *contract == name);
        listed.map_or_else(|| camel_case(name), |(_, json)| json.to_owned())
    }
}

fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut starts_word = false;
    for letter in name.chars() {
        match letter {
            '_' => starts_word = !camel.is_empty(),
            _ if starts_word => {
                camel.extend(letter.to_uppercase());
                starts_word = false;
            }
            _ => camel.push(letter),
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_its_name_in_json() {
        let names = FieldNames(&[("beneficiary_id", "userId"), ("amount", "amount")]);
        for (name, json) in [
            ("beneficiary_id", "userId"),
            ("userId", "userId"),
            ("amount", "amount"),
            ("mpesa_phone_number", "mpesaPhoneNumber"),
            ("mpesaPhoneNumber", "mpesaPhoneNumber"),
        ] {
            assert_eq!(names.json_name(name), json);
        }
    }
}

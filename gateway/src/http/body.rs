//! Bodies of calls: one flat JSON object, read field by field.
//!
//! No derived deserializer is used, because a refusal names every wrong field, and an amount
//! must never pass through a float. Here only the type of a field is checked; its value is
//! validated by the service.

use std::collections::HashMap;

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
};
use mesh::Fault;
use serde_json::{error::Category, value::RawValue};
use types::{Money, MoneyError};

use crate::{Gateway, envelope::Refusal};

/// A call's JSON object.
#[derive(Debug)]
pub(crate) struct Body(HashMap<String, Box<RawValue>>);

impl Body {
    /// Makes a request of the fields that `read` takes, unless some of them have the wrong
    /// type. Other fields are ignored.
    pub(crate) fn read<T>(self, read: impl FnOnce(&mut Fields) -> T) -> Result<T, Refusal> {
        let mut fields = Fields { values: self.0, wrong: Vec::new() };
        let request = read(&mut fields);
        if fields.wrong.is_empty() { Ok(request) } else { Err(Fault::invalid(fields.wrong).into()) }
    }

    fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        match serde_json::from_slice(bytes) {
            Ok(fields) => Ok(Self(fields)),
            Err(error) => match error.classify() {
                Category::Data => Err(Fault::invalid(Vec::new()).into()),
                Category::Io | Category::Syntax | Category::Eof => Err(Refusal::malformed()),
            },
        }
    }
}

impl FromRequest<Gateway> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Refusal> {
        if !is_json(&request) {
            return Err(Refusal::unsupported_media("Please send JSON."));
        }
        Self::parse(&bytes(request, gateway).await?)
    }
}

/// The bytes of a body, within the route's limit.
pub(crate) async fn bytes(request: Request, gateway: &Gateway) -> Result<Bytes, Refusal> {
    Bytes::from_request(request, gateway).await.map_err(|error| {
        match error.into_response().status() {
            StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(),
            _ => Refusal::malformed(),
        }
    })
}

fn is_json(request: &Request) -> bool {
    let header = request.headers().get(CONTENT_TYPE);
    header
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|media| media.trim().eq_ignore_ascii_case("application/json"))
}

/// The fields of a [`Body`] that were not taken yet.
pub(crate) struct Fields {
    values: HashMap<String, Box<RawValue>>,
    wrong: Vec<(String, String)>,
}

impl Fields {
    /// A text; empty if the field is absent, which the service refuses.
    pub(crate) fn text(&mut self, name: &str) -> String {
        self.optional_text(name).unwrap_or_default()
    }

    /// A text, or `None` if the field is absent or null.
    pub(crate) fn optional_text(&mut self, name: &str) -> Option<String> {
        let value = self.take(name)?;
        match serde_json::from_str(value.get()) {
            Ok(text) => Some(text),
            Err(_) => self.wrong_type(name, "This should be text."),
        }
    }

    /// An amount: a number, exact to the cent.
    pub(crate) fn amount(&mut self, name: &str) -> Option<Money> {
        let Some(value) = self.take(name) else {
            return self.wrong_type(name, "Please enter an amount.");
        };
        match Money::parse(value.get()) {
            Ok(money) => Some(money),
            Err(MoneyError::NotANumber) => self.wrong_type(name, "The amount should be a number."),
            Err(MoneyError::TooFine) => {
                self.wrong_type(name, "The amount can have two decimals at most.")
            }
            Err(MoneyError::TooLarge) => self.wrong_type(name, "That amount is too large."),
        }
    }

    /// A field that is present and not null.
    fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.values.remove(name).filter(|value| value.get() != "null")
    }

    fn wrong_type<T>(&mut self, name: &str, text: &str) -> Option<T> {
        self.wrong.push((name.to_owned(), text.to_owned()));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(json: &str) -> Result<Option<i64>, Refusal> {
        let amount = Body::parse(json.as_bytes())?.read(|fields| fields.amount("amount"))?;
        Ok(amount.map(Money::cents))
    }

    #[test]
    fn amounts_are_read_to_the_cent() {
        for (json, cents) in [
            (r#"{"amount":250}"#, 25_000),
            (r#"{"amount":0.1}"#, 10),
            (r#"{"amount":12.50}"#, 1_250),
            // Beyond the precision of a double.
            (r#"{"amount":90071992547409.93}"#, 9_007_199_254_740_993),
            (r#"{"amount":-5}"#, -500),
            (r#"{"amount":1,"amount":2}"#, 200),
        ] {
            assert_eq!(amount(json), Ok(Some(cents)), "{json}");
        }
    }

    #[test]
    fn a_value_that_is_no_amount_is_refused_by_its_field() {
        for json in [
            r"{}",
            r#"{"amount":null}"#,
            r#"{"amount":"250"}"#,
            r#"{"amount":true}"#,
            r#"{"amount":[250]}"#,
            r#"{"amount":1e30}"#,
            r#"{"amount":1000000000000000000000000000000}"#,
            r#"{"amount":0.001}"#,
        ] {
            let Err(refusal) = amount(json) else {
                panic!("{json} was read");
            };
            assert_eq!(refusal.fields(), ["amount"], "{json}");
            assert_eq!(refusal.code(), "INVALID_ARGUMENT", "{json}");
        }
    }

    #[test]
    fn invalid_json_is_malformed() {
        for json in ["", "{", r#"{"amount":NaN}"#, r#"{"amount":01}"#, "{'amount':1}", "\u{feff}{}"]
        {
            assert_eq!(amount(json), Err(Refusal::malformed()), "{json}");
        }
    }

    #[test]
    fn json_that_is_no_object_is_invalid() {
        for json in ["[]", "null", "1", "\"text\""] {
            let refusal = amount(json).unwrap_err();
            assert_eq!(refusal.code(), "INVALID_ARGUMENT", "{json}");
        }
    }

    #[test]
    fn all_wrong_fields_are_named_at_once() {
        let body = Body::parse(br#"{"email":1,"password":{},"other":[]}"#).unwrap();
        let refusal =
            body.read(|fields| (fields.text("email"), fields.text("password"))).unwrap_err();
        assert_eq!(refusal.fields(), ["email", "password"]);
    }
}

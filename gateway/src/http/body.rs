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
use serde::de::DeserializeOwned;
use serde_json::{
    error::Category,
    value::{RawValue, to_raw_value},
};
use tonic::Code;
use types::{Money, MoneyError, Text};
use utoipa::{
    ToSchema,
    openapi::{Content, Required, request_body::RequestBodyBuilder},
};

use super::wire::Kes;
use crate::{
    Gateway,
    envelope::Refusal,
    field_names::FieldNames,
    openapi::{
        operation::{Input, Operation},
        schema,
    },
};

/// The JSON object of a request.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

/// A request that is read field by field. [`request!`] makes one.
pub(crate) trait FromFields: ToSchema {
    const NAMES: FieldNames;

    fn from_fields(fields: &mut Fields) -> Self;
}

/// The value of a field.
pub(crate) trait FromField {
    fn from_field(fields: &mut Fields, name: &str) -> Self;
}

/// A text; empty if the field is absent, which the service refuses.
impl FromField for String {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.optional_text(name).unwrap_or_default()
    }
}

/// A text, or `None` if the field is absent or null.
impl FromField for Option<String> {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.optional_text(name)
    }
}

/// A choice, or `None` if the field is absent or null.
impl FromField for Option<bool> {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.optional_choice(name)
    }
}

/// A list of texts, or `None` if the field is absent or null.
impl FromField for Option<Vec<String>> {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.optional_texts(name)
    }
}

/// A whole number, exact.
impl FromField for i32 {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.required_whole_number(name)
    }
}

/// A whole number of at least 0, exact.
impl FromField for u32 {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.required_whole_number(name)
    }
}

/// A whole number of at least 0, exact.
impl FromField for u64 {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        fields.required_whole_number(name)
    }
}

/// A whole number, or `None` if the field is absent or null.
impl FromField for Option<u32> {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        let value = fields.take(name)?;
        fields.whole_number(name, &value)
    }
}

/// An amount, exact to the cent.
impl FromField for Kes {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        // A wrong amount refuses the whole request.
        Self(fields.amount(name).unwrap_or(Money::ZERO))
    }
}

/// An amount, exact to the cent, or `None` if the field is absent or null.
impl FromField for Option<Kes> {
    fn from_field(fields: &mut Fields, name: &str) -> Self {
        let value = fields.take(name)?;
        fields.parse_amount(name, &value).map(Kes)
    }
}

/// Defines a request: each field with its name in JSON. The field itself has the name of
/// the service's contract, so that a refusal of it can be renamed.
macro_rules! request {
    (
        $(#[$about:meta])*
        pub(crate) struct $name:ident {
            $($(#[$about_field:meta])* $field:ident: $type:ty = $json:tt,)*
        }
    ) => {
        $(#[$about])*
        #[derive(utoipa::ToSchema)]
        pub(crate) struct $name {
            $($(#[$about_field])* #[serde(rename = $json)] pub(crate) $field: $type,)*
        }

        impl $crate::http::body::FromFields for $name {
            const NAMES: $crate::field_names::FieldNames =
                $crate::field_names::FieldNames(&[$((stringify!($field), $json)),*]);

            fn from_fields(fields: &mut $crate::http::body::Fields) -> Self {
                use $crate::http::body::FromField;
                Self { $($field: FromField::from_field(fields, $json)),* }
            }
        }
    };
}
pub(crate) use request;

impl<T: FromFields> Body<T> {
    fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        match serde_json::from_slice(bytes) {
            Ok(values) => Fields { values, wrong: Vec::new() }.read().map(Self),
            Err(error) => match error.classify() {
                Category::Data => Err(Fault::new(Code::InvalidArgument, "INVALID_ARGUMENT").into()),
                Category::Io | Category::Syntax | Category::Eof => Err(Refusal::malformed()),
            },
        }
    }
}

impl<T: FromFields> FromRequest<Gateway> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Refusal> {
        if !is_json(&request) {
            return Err(Refusal::unsupported_media());
        }
        Self::parse(&bytes(request, gateway).await?)
    }
}

impl<T: FromFields> Input for Body<T> {
    fn describe(operation: &mut Operation) {
        let content = Content::new(Some(schema::request::<T>(&mut operation.schemas)));
        let body = RequestBodyBuilder::new().required(Some(Required::True));
        operation.body = Some(body.content("application/json", content).build());
        operation.names = T::NAMES;
        operation.refusals.extend([
            (400, "INVALID_ARGUMENT"),
            (400, "MALFORMED_JSON"),
            (413, "BODY_TOO_LARGE"),
            (415, "UNSUPPORTED_MEDIA"),
        ]);
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

/// The fields of a request that were not taken yet.
pub(crate) struct Fields {
    values: HashMap<String, Box<RawValue>>,
    wrong: Vec<(String, Text)>,
}

impl Fields {
    /// The parameters of a query, as texts. Of several with the same name, the first counts.
    pub(crate) fn of_query(pairs: Vec<(String, String)>) -> serde_json::Result<Self> {
        let mut values = HashMap::new();
        for (name, text) in pairs {
            let value = to_raw_value(&text)?;
            values.entry(name).or_insert(value);
        }
        Ok(Self { values, wrong: Vec::new() })
    }

    /// Takes a request's fields, unless some of them have the wrong type. Other fields are
    /// ignored.
    pub(crate) fn read<T: FromFields>(mut self) -> Result<T, Refusal> {
        let request = T::from_fields(&mut self);
        if self.wrong.is_empty() { Ok(request) } else { Err(Fault::invalid(self.wrong).into()) }
    }

    fn optional_text(&mut self, name: &str) -> Option<String> {
        let value = self.take(name)?;
        match serde_json::from_str(value.get()) {
            Ok(text) => Some(text),
            Err(_) => self.wrong_type(name, "FIELD_NOT_TEXT"),
        }
    }

    fn optional_texts(&mut self, name: &str) -> Option<Vec<String>> {
        let value = self.take(name)?;
        match serde_json::from_str(value.get()) {
            Ok(texts) => Some(texts),
            Err(_) => self.wrong_type(name, "FIELD_NOT_TEXTS"),
        }
    }

    fn optional_choice(&mut self, name: &str) -> Option<bool> {
        let value = self.take(name)?;
        match serde_json::from_str(value.get()) {
            Ok(choice) => Some(choice),
            Err(_) => self.wrong_type(name, "FIELD_NOT_CHOICE"),
        }
    }

    /// A whole number, or 0 after a wrong or missing one, which refuses the whole request.
    fn required_whole_number<T: DeserializeOwned + Default>(&mut self, name: &str) -> T {
        let number = match self.take(name) {
            Some(value) => self.whole_number(name, &value),
            None => self.wrong_type(name, "FIELD_NOT_WHOLE"),
        };
        number.unwrap_or_default()
    }

    fn whole_number<T: DeserializeOwned>(&mut self, name: &str, value: &RawValue) -> Option<T> {
        match serde_json::from_str(value.get()) {
            Ok(number) => Some(number),
            Err(_) => self.wrong_type(name, "FIELD_NOT_WHOLE"),
        }
    }

    fn amount(&mut self, name: &str) -> Option<Money> {
        match self.take(name) {
            Some(value) => self.parse_amount(name, &value),
            None => self.wrong_type(name, "AMOUNT_MISSING"),
        }
    }

    fn parse_amount(&mut self, name: &str, value: &RawValue) -> Option<Money> {
        match Money::parse(value.get()) {
            Ok(money) => Some(money),
            Err(MoneyError::NotANumber) => self.wrong_type(name, "AMOUNT_NOT_A_NUMBER"),
            Err(MoneyError::TooFine) => self.wrong_type(name, "AMOUNT_TOO_FINE"),
            Err(MoneyError::TooLarge) => self.wrong_type(name, "AMOUNT_TOO_LARGE"),
        }
    }

    /// A field that is present and not null.
    fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.values.remove(name).filter(|value| value.get() != "null")
    }

    fn wrong_type<T>(&mut self, name: &str, text: &'static str) -> Option<T> {
        self.wrong.push((name.to_owned(), text.into()));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    request! {
        /// A payment.
        pub(crate) struct Pay {
            amount: Kes = "amount",
        }
    }

    request! {
        /// A sign-in.
        #[expect(dead_code, reason = "no test reads one")]
        pub(crate) struct Credentials {
            email: String = "email",
            password: String = "password",
        }
    }

    fn amount(json: &str) -> Result<i64, Refusal> {
        let Body(pay) = Body::<Pay>::parse(json.as_bytes())?;
        Ok(pay.amount.0.cents())
    }

    #[test]
    fn amounts_are_read_to_the_cent() {
        for (json, cents) in [
            (r#"{"amount":250}"#, 25_000),
            (r#"{"amount":0.1}"#, 10),
            (r#"{"amount":12.50}"#, 1_250),
            // This amount is beyond the precision of a double.
            (r#"{"amount":90071992547409.93}"#, 9_007_199_254_740_993),
            (r#"{"amount":-5}"#, -500),
            (r#"{"amount":1,"amount":2}"#, 200),
        ] {
            assert_eq!(amount(json), Ok(cents), "{json}");
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
        let json = br#"{"email":1,"password":{},"other":[]}"#;
        let Err(refusal) = Body::<Credentials>::parse(json) else {
            panic!("texts of other types were read");
        };
        assert_eq!(refusal.fields(), ["email", "password"]);
    }
}

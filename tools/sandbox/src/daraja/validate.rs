//! Validates a request as Daraja does: field by field, in Daraja's order.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::refusal::Refusal;
use crate::clock;
use crate::config::{Merchant, is_loopback};
use crate::world::msisdn::Msisdn;
use crate::world::payment::TransactionType;

/// Words that Daraja refuses in a callback URL.
const REFUSED_WORDS: [&str; 6] = ["mpesa", "safaricom", "exe", "cmd", "sql", "query"];
/// Longest callback URL, a limit of this sandbox.
const MAX_URL: usize = 1_000;

/// The fields of a request body.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn parse(body: &[u8]) -> Result<Self, Refusal> {
        serde_json::from_slice(body).map(Self).map_err(|_| Refusal::BadPayload)
    }

    /// A field as text; Daraja accepts a number in place of its digits.
    pub(super) fn text(&self, name: &'static str) -> Result<String, Refusal> {
        match self.0.get(name) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            _ => Err(Refusal::BadField(name)),
        }
    }

    pub(super) fn optional(&self, name: &'static str) -> Result<String, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) if text.is_empty() => Ok(String::new()),
            Some(_) => self.text(name),
        }
    }

    pub(super) fn parse_field<T>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Refusal> {
        parse(&self.text(name)?).ok_or(Refusal::BadField(name))
    }
}

/// Checks `BusinessShortCode`, `Timestamp` and `Password`, which every STK
/// request carries.
pub(super) fn authenticate(
    fields: &Fields,
    merchant: &Merchant,
    now: OffsetDateTime,
    skew_ms: Option<u64>,
) -> Result<(), Refusal> {
    let code = fields.parse_field("BusinessShortCode", short_code)?;
    let timestamp = fields.text("Timestamp")?;
    let time = clock::parse_compact(&timestamp).ok_or(Refusal::BadField("Timestamp"))?;
    if let Some(skew) = skew_ms
        && (time - now).abs() > std::time::Duration::from_millis(skew)
    {
        return Err(Refusal::BadField("Timestamp"));
    }
    let password = fields.text("Password")?;
    if code != merchant.short_code {
        return Err(Refusal::UnknownMerchant);
    }
    let expected = BASE64_STANDARD.encode(format!("{code}{}{timestamp}", merchant.passkey));
    if password == expected { Ok(()) } else { Err(Refusal::WrongPassword) }
}

/// A valid request to pay.
pub(super) struct StkRequest {
    pub(super) transaction_type: TransactionType,
    /// The amount in whole shillings.
    pub(super) amount: u64,
    pub(super) msisdn: Msisdn,
    pub(super) party_b: String,
    pub(super) callback_url: String,
    pub(super) account_reference: String,
}

impl StkRequest {
    pub(super) fn parse(fields: &Fields) -> Result<Self, Refusal> {
        let transaction_type = fields.parse_field("TransactionType", |text| match text {
            "CustomerPayBillOnline" => Some(TransactionType::PayBill),
            "CustomerBuyGoodsOnline" => Some(TransactionType::BuyGoods),
            _ => None,
        })?;
        let amount = fields.parse_field("Amount", amount)?;
        fields.parse_field("PartyA", Msisdn::strict)?;
        let party_b = fields.parse_field("PartyB", short_code)?;
        let msisdn = fields.parse_field("PhoneNumber", Msisdn::strict)?;
        let callback_url = fields.parse_field("CallBackURL", callback_url)?;
        let account_reference = fields.parse_field("AccountReference", |text| plain(text, 12))?;
        let description = fields.optional("TransactionDesc")?;
        if !description.is_empty() {
            plain(&description, 13).ok_or(Refusal::BadField("TransactionDesc"))?;
        }
        Ok(Self { transaction_type, amount, msisdn, party_b, callback_url, account_reference })
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn short_code(text: &str) -> Option<String> {
    ((5..=7).contains(&text.len()) && is_digits(text)).then(|| text.to_owned())
}

/// Parses an amount: whole shillings, at least one, in digits only.
pub(super) fn amount(text: &str) -> Option<u64> {
    let digits = text.len() <= 12 && is_digits(text);
    text.parse().ok().filter(|amount| digits && *amount >= 1)
}

/// Accepts letters, digits and spaces only: with other characters, production calls have been
/// reported to fail without an error.
fn plain(text: &str, max: usize) -> Option<String> {
    let valid = text.len() <= max
        && text.trim() == text
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b' ');
    valid.then(|| text.to_owned())
}

/// Parses a callback URL: HTTPS as in production, or plain HTTP to loopback.
pub(super) fn callback_url(text: &str) -> Option<String> {
    if text.len() > MAX_URL || text.contains(char::is_whitespace) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let secure = match url.scheme() {
        "https" => true,
        "http" => is_loopback(&url),
        _ => false,
    };
    let anonymous = url.username().is_empty() && url.password().is_none();
    let allowed = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .all(|word| !REFUSED_WORDS.iter().any(|refused| word.eq_ignore_ascii_case(refused)));
    (secure && anonymous && allowed).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_whole_shillings() {
        assert_eq!(amount("1"), Some(1));
        assert_eq!(amount("250001"), Some(250_001));
        for bad in ["0", "-1", "1.0", "1e3", " 1", "", "1000000000000000000000000", "NaN"] {
            assert_eq!(amount(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_callback_url_is_https_or_loopback() {
        let good = [
            "https://play.example/hooks/stk/4f2a",
            "http://127.0.0.1:8080/hooks/stk/4f2a",
            "http://localhost:8080/hooks",
            "http://[::1]:8080/hooks",
            "https://play.example/hooks/xcmdx",
        ];
        let bad = [
            "http://play.example/hooks",
            " https://play.example/hooks",
            "https://play.example/a b",
            "https://user:secret@play.example/hooks",
            "https://play.example/mpesa/callback",
            "https://play.example/hooks?query=1",
            "http://127.0.0.1.example/hooks",
            "ftp://127.0.0.1/hooks",
            "hooks",
        ];
        for url in good {
            assert!(callback_url(url).is_some(), "{url}");
        }
        for url in bad {
            assert!(callback_url(url).is_none(), "{url}");
        }
    }

    #[test]
    fn a_reference_is_short_and_plain() {
        assert!(plain("PLAYON 12", 12).is_some());
        for bad in ["PLAYON#1", "ABCDEFGHIJKLM", " A", "é"] {
            assert!(plain(bad, 12).is_none(), "{bad}");
        }
    }
}

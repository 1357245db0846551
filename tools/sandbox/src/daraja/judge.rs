//! Reads a request as Daraja does: field by field, each with its own refusal.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::refusal::Refusal;
use crate::clock;
use crate::config::Merchant;
use crate::world::handset::Msisdn;
use crate::world::payment::TransactionType;

/// Words that Daraja does not want to see in a callback's address.
const UNWANTED: [&str; 6] = ["mpesa", "safaricom", "exe", "cmd", "sql", "query"];
/// Longest address of a callback that this sandbox keeps.
const MAX_URL: usize = 1_000;

/// The fields of a request body.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn parse(body: &[u8]) -> Result<Self, Refusal> {
        serde_json::from_slice(body).map(Self).map_err(|_| Refusal::bad_payload())
    }

    /// A field as text; a number counts as its digits, as it does at Daraja.
    pub(super) fn text(&self, name: &str) -> Result<String, Refusal> {
        match self.0.get(name) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            _ => Err(Refusal::bad_field(name)),
        }
    }

    fn optional(&self, name: &str) -> Result<String, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) if text.is_empty() => Ok(String::new()),
            Some(_) => self.text(name),
        }
    }

    /// A field with a rule.
    fn judged<T>(&self, name: &str, rule: impl FnOnce(&str) -> Option<T>) -> Result<T, Refusal> {
        rule(&self.text(name)?).ok_or_else(|| Refusal::bad_field(name))
    }
}

/// Checks `BusinessShortCode`, `Timestamp` and `Password`, which every request
/// about STK carries.
pub(super) fn caller(
    fields: &Fields,
    merchant: &Merchant,
    now: OffsetDateTime,
    skew_ms: Option<u64>,
) -> Result<(), Refusal> {
    let code = fields.judged("BusinessShortCode", short_code)?;
    let timestamp = fields.text("Timestamp")?;
    let said = clock::parse_compact(&timestamp).ok_or_else(|| Refusal::bad_field("Timestamp"))?;
    if let Some(skew) = skew_ms
        && (said - now).abs() > std::time::Duration::from_millis(skew)
    {
        return Err(Refusal::bad_field("Timestamp"));
    }
    let password = fields.text("Password")?;
    if code != merchant.short_code {
        return Err(Refusal::no_such_merchant());
    }
    let expected = BASE64_STANDARD.encode(format!("{code}{}{timestamp}", merchant.passkey));
    if password != expected {
        return Err(Refusal::wrong_credentials());
    }
    Ok(())
}

/// A request to pay whose every field is good.
pub(super) struct StkRequest {
    pub(super) transaction_type: TransactionType,
    /// Whole shillings.
    pub(super) amount: u64,
    pub(super) msisdn: Msisdn,
    pub(super) party_b: String,
    pub(super) callback_url: String,
    pub(super) account_reference: String,
}

impl StkRequest {
    pub(super) fn judge(fields: &Fields) -> Result<Self, Refusal> {
        let transaction_type = fields.judged("TransactionType", |text| match text {
            "CustomerPayBillOnline" => Some(TransactionType::PayBill),
            "CustomerBuyGoodsOnline" => Some(TransactionType::BuyGoods),
            _ => None,
        })?;
        let amount = fields.judged("Amount", amount)?;
        fields.judged("PartyA", Msisdn::strict)?;
        let party_b = fields.judged("PartyB", short_code)?;
        let msisdn = fields.judged("PhoneNumber", Msisdn::strict)?;
        let callback_url = fields.judged("CallBackURL", callback_url)?;
        let account_reference = fields.judged("AccountReference", |text| plain(text, 12))?;
        let description = fields.optional("TransactionDesc")?;
        if !description.is_empty() {
            plain(&description, 13).ok_or_else(|| Refusal::bad_field("TransactionDesc"))?;
        }
        Ok(Self { transaction_type, amount, msisdn, party_b, callback_url, account_reference })
    }
}

fn short_code(text: &str) -> Option<String> {
    let good = (5..=7).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    good.then(|| text.to_owned())
}

/// Whole shillings, at least one. `100.5`, `-1`, `1e3` and ` 100` are none.
fn amount(text: &str) -> Option<u64> {
    let digits = text.len() <= 12 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|amount| digits && *amount >= 1)
}

/// Letters, digits and spaces: with anything else calls fail quietly in
/// production, so the sandbox is the place to fail loudly.
fn plain(text: &str, longest: usize) -> Option<String> {
    let good = text.len() <= longest
        && text.trim() == text
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b' ');
    good.then(|| text.to_owned())
}

/// HTTPS as in production; plain HTTP only to this very host, where there is
/// nobody in between.
fn callback_url(text: &str) -> Option<String> {
    if text.len() > MAX_URL || text.contains(char::is_whitespace) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let secure = match url.scheme() {
        "https" => true,
        "http" => is_loopback(&url),
        _ => false,
    };
    let open = url.username().is_empty() && url.password().is_none();
    let wanted = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .all(|word| !UNWANTED.iter().any(|unwanted| word.eq_ignore_ascii_case(unwanted)));
    (secure && open && wanted).then(|| text.to_owned())
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
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
    fn a_callback_goes_over_tls_or_to_this_host() {
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
    fn references_are_short_and_plain() {
        assert!(plain("PLAYON 12", 12).is_some());
        for bad in ["PLAYON#1", "ABCDEFGHIJKLM", " A", "é"] {
            assert!(plain(bad, 12).is_none(), "{bad}");
        }
    }
}

//! The balance of one of our short codes at M-Pesa. The reply says only that Daraja took the query;
//! the balance comes as a callback, or never.

use mesh::instrument;
use serde::Serialize;
use tracing::{error, warn};
use types::Money;

use super::{
    CallError, Daraja,
    b2c_wire::{Accepted, parse},
    wire::BadCallback,
};

/// The account that M-Pesa's charges are collected in, which is negative until they are settled.
const CHARGES: &str = "Charges Paid Account";

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct BalanceRequest<'a> {
    initiator: &'a str,
    security_credential: &'a str,
    #[serde(rename = "CommandID")]
    command_id: &'a str,
    party_a: &'a str,
    identifier_type: &'a str,
    #[serde(rename = "ResultURL")]
    result_url: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    queue_time_out_url: &'a str,
    remarks: &'a str,
}

impl Daraja {
    /// Returns our short codes, sorted: the paybill number, and the number that payouts leave from.
    pub(crate) fn short_codes(&self) -> Vec<&str> {
        let mut codes = vec![self.args.daraja_short_code.as_str()];
        codes.extend(self.args.daraja_payout_short_code.as_deref());
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Queries the balance of one of our short codes. The result comes to the gateway's hook, with
    /// `secret` in its path; there may be none.
    #[instrument(name = "daraja.account_balance", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn query_balance(&self, short_code: &str, secret: &str) {
        self.queries.wait().await;
        let Some(credential) = self.credentials.make().await else {
            warn!("no security credential for a balance query");
            return;
        };
        let request = BalanceRequest {
            initiator: &self.args.daraja_initiator_name,
            security_credential: &credential,
            command_id: "AccountBalance",
            party_a: short_code,
            identifier_type: "4",
            result_url: &self.hook("status", secret),
            queue_time_out_url: &self.hook("timeout", secret),
            remarks: "PlayOn balance",
        };
        match self.post("/mpesa/accountbalance/v1/query", &request).await {
            Ok(Accepted { response_code, .. }) if response_code == "0" => {}
            Ok(Accepted { response_code, .. }) => {
                warn!(code = response_code, "Daraja did not take a balance query");
            }
            Err(CallError::NotSent | CallError::ReplyLost) => {}
            Err(CallError::Replied { error, .. }) => {
                warn!(code = error.code, text = error.message, "Daraja refused a balance query");
            }
        }
    }
}

/// Parses the result of a balance query: the sum of the short code's accounts, without the charges.
/// `None` when M-Pesa refused the query.
pub(crate) fn parse_balance_result(body: &[u8]) -> Result<Option<Money>, BadCallback> {
    let result = parse(body)?;
    if result.result_code != "0" {
        error!(code = result.result_code, "M-Pesa refused a balance query");
        return Ok(None);
    }
    let accounts = result.item("AccountBalance").ok_or(BadCallback)?;
    accounts
        .split('&')
        .filter(|account| !account.trim().is_empty())
        .filter_map(|account| balance_of(account).transpose())
        .try_fold(None, |total: Option<Money>, account| {
            let total = total.unwrap_or_default().checked_add(account?).ok_or(BadCallback)?;
            Ok(Some(total))
        })?
        .map_or(Err(BadCallback), |total| Ok(Some(total)))
}

/// Returns the balance in `Utility Account|KES|1250.00|…`; `None` for the charges.
fn balance_of(account: &str) -> Result<Option<Money>, BadCallback> {
    let mut fields = account.split('|').map(str::trim);
    let (name, currency) = (fields.next(), fields.next());
    if name == Some(CHARGES) {
        return Ok(None);
    }
    if currency != Some("KES") {
        return Err(BadCallback);
    }
    let balance = fields.next().and_then(|text| Money::parse(text).ok()).ok_or(BadCallback)?;
    Ok(Some(balance))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(code: &str, accounts: &str) -> Vec<u8> {
        format!(
            r#"{{"Result":{{"ResultCode":{code},"ConversationID":"AG_1","ResultParameters":
            {{"ResultParameter":[{{"Key":"AccountBalance","Value":"{accounts}"}},
            {{"Key":"BOCompletedTime","Value":20261130040000}}]}}}}}}"#
        )
        .into_bytes()
    }

    #[test]
    fn the_balance_is_that_of_all_accounts_but_the_charges() {
        let accounts = [
            "Working Account|KES|346568.83|6186.83|340382.00|0.00",
            "Float Account|KES|0.00|0.00|0.00|0.00",
            "Utility Account|KES|228037.00|228037.00|0.00|0.00",
            "Charges Paid Account|KES|-1540.00|-1540.00|0.00|0.00",
            "Organization Settlement Account|KES|0.00|0.00|0.00|0.00",
            "",
        ]
        .join("&");
        let total = parse_balance_result(&body("0", &accounts)).unwrap();
        assert_eq!(total, Some(Money::from_cents(57_460_583)));
    }

    #[test]
    fn what_cannot_be_read_is_no_balance() {
        assert_eq!(parse_balance_result(&body("21", "")).unwrap(), None);
        for accounts in ["", "Working Account", "Working Account|USD|1.00", "A|KES|x"] {
            assert!(parse_balance_result(&body("0", accounts)).is_err(), "{accounts}");
        }
        assert!(parse_balance_result(b"{}").is_err());
    }
}

//! Pull transactions: M-Pesa's list of the payments in a period, to compare with ours.

use anyhow::{anyhow, bail};
use mesh::instrument;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::{
    OffsetDateTime, PrimitiveDateTime, format_description::StaticFormatDescription,
    format_description::well_known::Rfc3339, macros::format_description,
};
use types::{Money, NAIROBI};

use super::{CallError, Daraja};
use crate::domain::ProviderLine;

const FORMAT: StaticFormatDescription =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
/// The response code for "No transactions found".
const NONE_FOUND: &str = "1001";
/// Most payments in one period. More would mean that Daraja repeats a page.
const LINES_MAX: usize = 1_000_000;

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct PullRequest<'a> {
    short_code: &'a str,
    start_date: String,
    end_date: String,
    off_set_value: String,
}

#[derive(Deserialize)]
struct PullReply {
    #[serde(rename = "ResponseCode", deserialize_with = "super::wire::text")]
    code: String,
    /// Daraja nests the list in another list.
    #[serde(rename = "Response", default)]
    lines: Vec<Vec<Line>>,
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "transactionId")]
    receipt: String,
    #[serde(rename = "trxDate")]
    at: String,
    msisdn: Option<Value>,
    #[serde(rename = "billreference")]
    account: Option<String>,
    #[serde(deserialize_with = "super::wire::text")]
    amount: String,
}

impl Daraja {
    /// Returns the payments to the paybill in a period of at most 48 hours, the oldest first.
    #[instrument(name = "daraja.pull", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn pull(
        &self,
        from: OffsetDateTime,
        to: OffsetDateTime,
    ) -> anyhow::Result<Vec<ProviderLine>> {
        let mut lines: Vec<ProviderLine> = Vec::new();
        loop {
            self.queries.wait().await;
            let request = PullRequest {
                short_code: &self.args.daraja_short_code,
                start_date: dashed(from),
                end_date: dashed(to),
                off_set_value: lines.len().to_string(),
            };
            let reply: PullReply =
                self.post("/pulltransactions/v1/query", &request).await.map_err(failure)?;
            if reply.code != "1000" && reply.code != NONE_FOUND {
                bail!("Daraja refused to list transactions: {}", reply.code);
            }
            let page: Vec<ProviderLine> =
                reply.lines.into_iter().flatten().map(decode).collect::<anyhow::Result<_>>()?;
            if page.is_empty() {
                return Ok(lines);
            }
            lines.extend(page);
            if lines.len() > LINES_MAX {
                bail!("Daraja lists more than {LINES_MAX} transactions");
            }
        }
    }
}

fn failure(error: CallError) -> anyhow::Error {
    match error {
        CallError::NotSent => anyhow!("Daraja cannot be reached"),
        CallError::Replied { status, error } => {
            anyhow!("Daraja refused to list transactions: {status} {}", error.code)
        }
        CallError::ReplyLost => anyhow!("Daraja's list of transactions cannot be read"),
    }
}

fn dashed(at: OffsetDateTime) -> String {
    at.to_offset(NAIROBI).format(FORMAT).unwrap_or_default()
}

/// Decodes a line. An amount or a time that cannot be parsed fails the whole list, because a
/// comparison with part of it would report false differences.
fn decode(line: Line) -> anyhow::Result<ProviderLine> {
    let at = OffsetDateTime::parse(&line.at, &Rfc3339).or_else(|_| local(&line.at))?;
    Ok(ProviderLine {
        amount: Money::parse(&line.amount)?,
        reference: line.receipt,
        at,
        account: line.account.map(|account| account.to_uppercase()),
        phone: line.msisdn.as_ref().and_then(super::wire::plain),
    })
}

fn local(text: &str) -> Result<OffsetDateTime, time::error::Parse> {
    Ok(PrimitiveDateTime::parse(text, FORMAT)?.assume_offset(NAIROBI))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_line_is_read_with_either_form_of_its_time() {
        for at in ["2026-11-20T09:00:00.000Z", "2026-11-20 12:00:00"] {
            let text = format!(
                r#"{{"ResponseCode":"1000","Response":[[{{"transactionId":"QKL1","trxDate":"{at}",
                "msisdn":254712345678,"sender":"MPESA","transactiontype":"c2b-pay-bill-debit",
                "billreference":"play0000beef","amount":"100.00","organizationname":"PlayOn"}}]]}}"#
            );
            let reply: PullReply = serde_json::from_str(&text).unwrap();
            let line = reply.lines.into_iter().flatten().next().map(decode).unwrap().unwrap();
            assert_eq!(line.at, datetime!(2026-11-20 09:00 UTC));
            assert_eq!(line.amount, Money::from_shillings(100));
            assert_eq!(line.account.as_deref(), Some("PLAY0000BEEF"));
            assert_eq!(line.phone.as_deref(), Some("254712345678"));
        }
    }
}

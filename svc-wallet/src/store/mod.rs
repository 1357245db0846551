//! SQL, one file for each group of tables. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod airtime_charge;
pub(crate) mod award_hour;
pub(crate) mod b2c_payout;
pub(crate) mod callback;
pub(crate) mod card_payment;
pub(crate) mod card_refund;
pub(crate) mod case;
pub(crate) mod content;
pub(crate) mod daily_job;
pub(crate) mod journal;
pub(crate) mod ledger;
pub(crate) mod mpesa_balance;
pub(crate) mod mpesa_reversal;
pub(crate) mod operation;
pub(crate) mod payment;
pub(crate) mod payment_method;
pub(crate) mod payout_pause;
pub(crate) mod player_data;
pub(crate) mod promotion;
pub(crate) mod proof;
pub(crate) mod recon_break;
pub(crate) mod review_facts;
pub(crate) mod second_receipt;
pub(crate) mod spending_limit;
pub(crate) mod stk_push;
pub(crate) mod subscription;
pub(crate) mod tax;
pub(crate) mod wallet;

/// Reads a text that a CHECK constraint restricts to the values of `T`.
fn parse<T: std::str::FromStr>(column: &str, text: &str) -> sqlx::Result<T> {
    let unknown = || sqlx::Error::Decode(format!("unknown value in {column}: {text}").into());
    text.parse().map_err(|_| unknown())
}

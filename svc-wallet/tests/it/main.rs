//! svc-wallet over gRPC, on a real Postgres and Redis, with the sandbox as Daraja.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed step fails the test")]

mod airtime;
mod awards;
mod bad_input;
mod boost;
mod callback_secret;
mod card;
mod card_events;
mod card_refund;
mod carrier;
mod charges_in_doubt;
mod content;
mod daily_match;
mod doubtful_callbacks;
mod former_account;
mod history;
mod hook;
mod ledger;
mod ledger_model;
mod limits;
mod measures;
mod missing_callbacks;
mod mpesa_reversal;
mod new_devices;
mod notifications;
mod operations;
mod operations_payouts;
mod payout_phones;
mod payouts;
mod payouts_in_doubt;
mod payouts_twice;
mod paystack;
mod player_data;
mod proof;
mod replicas;
mod revoked_session;
mod spending;
mod subscriptions;
mod token;
mod top_up;
mod trace;
mod upstreams;
mod watch;
mod withdrawal_review;
mod world;

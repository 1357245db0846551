//! Rate limits.

use std::{str::FromStr, time::Duration};

use mesh::{args::duration, http_server::Networks};

/// Limits of the rate classes ([`crate::routes::RateClass`]), as `600/1m`.
#[derive(Debug, Clone, clap::Args)]
pub struct Rates {
    /// Calls without a valid token, per device, or per address of browsers without a device token.
    /// Carriers have thousands of players behind one address: beyond this limit their browsers
    /// solve a captcha and are devices from then on. Of the other limits per address a device has
    /// a tenth.
    #[arg(long = "rate-guest", env = "RATE_GUEST", default_value = "600/1m")]
    pub guest: Rate,

    /// Sign-ins by password without a token, per address.
    #[arg(long = "rate-sign-in", env = "RATE_SIGN_IN", default_value = "600/1m")]
    pub sign_in: Rate,

    /// Attempts with a code without a token, per address.
    #[arg(long = "rate-code", env = "RATE_CODE", default_value = "600/1m")]
    pub code: Rate,

    /// Reads, per player.
    #[arg(long = "rate-read", env = "RATE_READ", default_value = "1200/1m")]
    pub read: Rate,

    /// Calls that send a text message or an email, per address. The captcha, the limits of
    /// each phone and mailbox and the budget for messages come first.
    #[arg(long = "rate-message", env = "RATE_MESSAGE", default_value = "120/1m")]
    pub message: Rate,

    /// Requests of a link for a new password, per address.
    #[arg(long = "rate-reset", env = "RATE_RESET", default_value = "60/1m")]
    pub reset: Rate,

    /// Codes that are sent to phones for devices unknown to the phones' owners, per address: a
    /// share of svc-auth's budget for strangers.
    #[arg(long = "rate-strange-code", env = "RATE_STRANGE_CODE", default_value = "200/1h")]
    pub strange_code: Rate,

    /// Feedback to the support, per player and, for guests, per address: a last line of defence
    /// behind svc-chat's limits, because carriers have thousands of guests behind one address.
    #[arg(long = "rate-feedback", env = "RATE_FEEDBACK", default_value = "120/1h")]
    pub feedback: Rate,

    /// Uploads, per player.
    #[arg(long = "rate-upload", env = "RATE_UPLOAD", default_value = "30/1m")]
    pub upload: Rate,

    /// Reads of media, per address: a page shows many media, and an address has many players.
    #[arg(long = "rate-media", env = "RATE_MEDIA", default_value = "12000/1m")]
    pub media: Rate,

    /// Writes that move no money, per player.
    #[arg(long = "rate-write", env = "RATE_WRITE", default_value = "240/1m")]
    pub write: Rate,

    /// The beginning, the pieces and the submission of one run, per play session, with repeats on a
    /// bad line. The grace period after a tournament's end (svc-games and svc-tournament) is this window plus 30 s.
    #[arg(long = "rate-score", env = "RATE_SCORE", default_value = "20/10s")]
    pub score: Rate,

    /// Writes that move money, per player.
    #[arg(long = "rate-money", env = "RATE_MONEY", default_value = "60/1m")]
    pub money: Rate,

    /// Openings of a live stream, per player.
    #[arg(long = "rate-live", env = "RATE_LIVE", default_value = "120/1m")]
    pub live: Rate,

    /// Providers' callbacks, per address: a provider sends many callbacks from few addresses.
    #[arg(long = "rate-hook", env = "RATE_HOOK", default_value = "6000/1m")]
    pub hook: Rate,

    /// The networks that providers publish for their callbacks. Callbacks from these networks are
    /// not counted; they are only shed when the gateway lacks capacity.
    #[arg(long, env, default_value = "")]
    pub hook_networks: Networks,

    /// Wrong passwords, and apart from them wrong codes, over all accounts: per address, and a
    /// tenth of them per device.
    #[arg(long = "rate-failures", env = "RATE_FAILURES", default_value = "300/15m")]
    pub failures: Rate,
}

/// A rate limit: a number of calls in a window of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Most calls in a window.
    pub limit: u32,
    /// The length of the window.
    pub per: Duration,
}

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a rate looks like 600/1m";
        let (limit, per) = text.split_once('/').ok_or(FORM)?;
        let limit = limit.parse().map_err(|_| FORM)?;
        let per = duration(per).map_err(|_| FORM)?;
        if limit == 0 || per < Duration::from_millis(1) {
            return Err("a rate of nothing would refuse every call");
        }
        Ok(Self { limit, per })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn limits_by_address_leave_room_for_the_guests_of_a_carrier() {
        #[derive(clap::Parser)]
        struct Flags {
            #[command(flatten)]
            rates: Rates,
        }
        let rates = Flags::parse_from(["gateway"]).rates;
        let by_address = [
            ("guest", rates.guest),
            ("sign-in", rates.sign_in),
            ("code", rates.code),
            ("message", rates.message),
            ("strange-code", rates.strange_code),
            ("feedback", rates.feedback),
        ];
        for (name, rate) in by_address {
            assert!(rate.limit >= 120, "{name}: {rate:?}");
        }
    }

    #[test]
    fn a_rate_is_a_number_and_a_time() {
        assert_eq!("600/1m".parse(), Ok(Rate { limit: 600, per: Duration::from_mins(1) }));
        for text in ["", "600", "/1m", "-1/1m", "600/", "0/1m", "5/0s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}

//! Web vitals: how soon screens appear on players' phones, and how soon they answer.

use std::time::Duration;

use metrics::histogram;

use super::{
    HandlerResult,
    body::{Body, request},
};
use crate::envelope::Reply;

/// Upper limit of a recorded value, in milliseconds or thousandths, so that one false value cannot
/// dominate the sum.
const LARGEST: u32 = 60_000;

/// `POST /rum`. Vitals are kept as metrics only.
pub(crate) async fn record(Body(vitals): Body<WebVitals>) -> HandlerResult<()> {
    let times = [
        ("fcp", vitals.fcp),
        ("fid", vitals.fid),
        ("inp", vitals.inp),
        ("lcp", vitals.lcp),
        ("ttfb", vitals.ttfb),
    ];
    for (name, milliseconds) in times {
        if let Some(milliseconds) = milliseconds {
            let time = Duration::from_millis(milliseconds.min(LARGEST).into());
            histogram!("web_vital_seconds", "name" => name).record(time);
        }
    }
    if let Some(thousandths) = vitals.cls {
        histogram!("web_layout_shift_thousandths").record(thousandths.min(LARGEST));
    }
    Ok(Reply::ok(()))
}

request! {
    /// The web vitals of one page, as far as the browser measures them. Times are in milliseconds.
    pub(crate) struct WebVitals {
        /// The cumulative layout shift, in thousandths.
        cls: Option<u32> = "cls",
        /// The time to the first contentful paint.
        fcp: Option<u32> = "fcp",
        /// The delay of the first input.
        fid: Option<u32> = "fid",
        /// The time from an interaction to the next paint.
        inp: Option<u32> = "inp",
        /// The time to the largest contentful paint.
        lcp: Option<u32> = "lcp",
        /// The time to the first byte.
        ttfb: Option<u32> = "ttfb",
    }
}

//! The pause of payouts: while it is on, no payout, no reversal and no refund to a card is sent.
//!
//! It is on while the books may be behind the providers: after the database has gone on from a
//! standby or a base backup, which may lack the last commits, and while a provider has a payment
//! that the database lacks. Operators can also begin it.

use time::OffsetDateTime;

use super::InvalidOperation;

/// Whether payouts are paused, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PayoutPause {
    /// The pause that was begun and not resumed.
    pub(crate) begun: Option<BegunPause>,
    /// The timeline of the database that operators know of.
    pub(crate) known_timeline: i32,
    /// The timeline of the database now.
    pub(crate) timeline: i32,
    /// Number of open breaks of payments that the database has lost.
    pub(crate) lost: i64,
    /// The operator who requested to resume, and the timeline on which that was.
    pub(crate) resume_requested: Option<(String, i32)>,
    /// The time of the last resumption.
    pub(crate) resumed_at: Option<OffsetDateTime>,
}

/// A pause that an operator began, or svc-wallet because of a lost payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BegunPause {
    pub(crate) by: String,
    pub(crate) reason: String,
}

/// The effect of an operator's request to resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resume {
    /// Payouts are not paused.
    NotPaused,
    /// Another operator must request the same.
    Requested,
    Done,
}

impl PayoutPause {
    /// Whether payouts are paused.
    pub(crate) const fn is_on(&self) -> bool {
        self.begun.is_some() || self.timeline != self.known_timeline || self.lost > 0
    }

    /// Returns why payouts are paused, for operators; empty while they are not.
    pub(crate) fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        if let Some(BegunPause { by, reason }) = &self.begun {
            causes.push(format!("{by} paused them: {reason}"));
        }
        if self.timeline != self.known_timeline {
            causes.push(format!(
                "the database went on from a standby or a backup (timeline {}, before {}), and may \
                 lack the last payments",
                self.timeline, self.known_timeline
            ));
        }
        if self.lost > 0 {
            causes.push(format!(
                "{} results are about payments that the database has lost (money breaks)",
                self.lost
            ));
        }
        causes
    }

    /// Whether a payout that waits since a time may be given back unsent. One that waited through a
    /// pause may not: a database that has lost commits does not know whether it was sent.
    pub(crate) fn gives_back(&self, since: OffsetDateTime) -> bool {
        !self.is_on() && !self.resumed_after(since)
    }

    /// Whether payouts were resumed after a time.
    pub(crate) fn resumed_after(&self, since: OffsetDateTime) -> bool {
        self.resumed_at.is_some_and(|at| since < at)
    }

    /// Returns the operator whose request to resume another operator may join.
    pub(crate) fn resume_requested_by(&self) -> Option<&str> {
        // A request is void after the database has gone on from elsewhere once more.
        let requested = self.resume_requested.as_ref().filter(|(_, on)| *on == self.timeline);
        requested.map(|(by, _)| by.as_str())
    }

    /// Decides on an operator's request to resume, which takes two operators. Refused while a lost
    /// payment is open.
    pub(crate) fn resume(&self, by: &str) -> Result<Resume, InvalidOperation> {
        if self.lost > 0 {
            let problem = format!("wait for {} breaks of lost payments: resolve them", self.lost);
            return Err(InvalidOperation::new("payouts", problem));
        }
        Ok(match self.resume_requested_by() {
            _ if !self.is_on() => Resume::NotPaused,
            Some(other) if other != by => Resume::Done,
            _ => Resume::Requested,
        })
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    fn off() -> PayoutPause {
        PayoutPause {
            begun: None,
            known_timeline: 1,
            timeline: 1,
            lost: 0,
            resume_requested: None,
            resumed_at: None,
        }
    }

    fn begun() -> PayoutPause {
        let begun = BegunPause { by: "wanjiru".to_owned(), reason: "M-Pesa differs".to_owned() };
        PayoutPause { begun: Some(begun), ..off() }
    }

    fn requested_by(name: &str, on: i32) -> (String, i32) {
        (name.to_owned(), on)
    }

    #[test]
    fn each_cause_turns_it_on() {
        assert!(!off().is_on() && off().causes().is_empty());
        let promoted = PayoutPause { timeline: 2, ..off() };
        let lost = PayoutPause { lost: 1, ..off() };
        for (pause, cause) in [
            (begun(), "wanjiru paused them: M-Pesa differs"),
            (promoted, "timeline 2, before 1"),
            (lost, "1 results are about payments"),
        ] {
            assert!(pause.is_on());
            let causes = pause.causes();
            assert!(causes.len() == 1 && causes[0].contains(cause), "{causes:?}");
        }
    }

    #[test]
    fn what_waited_through_a_pause_is_not_given_back() {
        let resumed = OffsetDateTime::UNIX_EPOCH;
        let pause = PayoutPause { resumed_at: Some(resumed), ..off() };
        assert!(pause.gives_back(resumed));
        assert!(!pause.gives_back(resumed - Duration::SECOND));
        assert!(off().gives_back(resumed) && !begun().gives_back(resumed));
    }

    #[test]
    fn two_operators_resume_it() {
        assert_eq!(off().resume("wanjiru"), Ok(Resume::NotPaused));
        assert_eq!(begun().resume("wanjiru"), Ok(Resume::Requested));
        let requested =
            PayoutPause { resume_requested: Some(requested_by("wanjiru", 1)), ..begun() };
        assert_eq!(requested.resume("wanjiru"), Ok(Resume::Requested));
        assert_eq!(requested.resume("otieno"), Ok(Resume::Done));
    }

    #[test]
    fn a_request_to_resume_is_void_on_another_timeline() {
        let resume_requested = Some(requested_by("wanjiru", 1));
        let pause = PayoutPause { timeline: 2, resume_requested, ..begun() };
        assert_eq!(pause.resume_requested_by(), None);
        assert_eq!(pause.resume("otieno"), Ok(Resume::Requested));
    }

    #[test]
    fn a_lost_payment_is_resolved_first() {
        let resume_requested = Some(requested_by("wanjiru", 1));
        assert!(PayoutPause { lost: 2, resume_requested, ..off() }.resume("otieno").is_err());
    }
}

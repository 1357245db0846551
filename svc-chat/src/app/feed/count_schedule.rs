//! Schedules the counts of a feed.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between two counts, so that many players who come and go at once cost a room
/// no more than one player does.
pub(super) const COUNT_PAUSE: Duration = Duration::from_secs(1);

/// When the next count is due.
#[derive(Default)]
pub(super) struct CountSchedule {
    due: Option<Instant>,
    counted: Option<Instant>,
}

impl CountSchedule {
    /// Requests a count: at once, or when the pause is over.
    pub(super) fn request(&mut self, now: Instant) {
        let at = self.counted.map_or(now, |counted| (counted + COUNT_PAUSE).max(now));
        self.due.get_or_insert(at);
    }

    /// Records that the count was sent, and begins the pause.
    pub(super) fn counted(&mut self, now: Instant) {
        *self = Self { due: None, counted: Some(now) };
    }

    pub(super) const fn due(&self) -> Option<Instant> {
        self.due
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use mesh::args::duration;

    use super::*;
    use crate::{Args, clients::presence::lifetime};

    /// Longest that players of a replica that crashed are shown as online.
    const CRASH_LIMIT: Duration = Duration::from_mins(1);

    #[test]
    fn a_stream_shows_within_a_minute_who_is_online_after_a_crash() {
        let command = Args::command();
        let argument = command.get_arguments().find(|one| one.get_id() == "presence_interval");
        let default = argument.unwrap().get_default_values()[0].to_str().unwrap();
        let interval = duration(default).unwrap();
        // The worst case: the player was named just before the crash, is not quite offline at a
        // beat, and is counted at the next beat, when the pause is over.
        let shown = lifetime(interval) + interval + COUNT_PAUSE;
        assert!(shown < CRASH_LIMIT, "{shown:?}");
    }

    #[test]
    fn the_first_count_is_due_at_once_and_the_next_after_the_pause() {
        let (mut schedule, start) = (CountSchedule::default(), Instant::now());
        assert_eq!(schedule.due(), None);
        schedule.request(start);
        assert_eq!(schedule.due(), Some(start));
        schedule.counted(start);
        assert_eq!(schedule.due(), None);
        schedule.request(start + COUNT_PAUSE / 4);
        assert_eq!(schedule.due(), Some(start + COUNT_PAUSE));
        // Another request does not delay the count.
        schedule.request(start + COUNT_PAUSE / 2);
        assert_eq!(schedule.due(), Some(start + COUNT_PAUSE));
        schedule.counted(start + COUNT_PAUSE);
        schedule.request(start + COUNT_PAUSE * 5);
        assert_eq!(schedule.due(), Some(start + COUNT_PAUSE * 5));
    }

    #[test]
    fn a_room_that_changes_all_the_time_is_counted_once_a_second() {
        let (mut schedule, start) = (CountSchedule::default(), Instant::now());
        let mut counts = Vec::new();
        for millis in 0..10_000 {
            let now = start + Duration::from_millis(millis);
            schedule.request(now);
            if schedule.due().is_some_and(|due| due <= now) {
                schedule.counted(now);
                counts.push(millis);
            }
        }
        assert_eq!(counts, (0..10).map(|second| second * 1_000).collect::<Vec<_>>());
    }
}

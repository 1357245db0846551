//! The rules of the screening of how a run was played, which finds presses that are more exact than
//! a person's. `docs/fair-play.md` says how many runs of people and of bots it finds.

use std::{collections::BTreeMap, fmt};

use super::Pace;

/// A thing of the course that the player answered with a press, such as an obstacle with a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The kind of the thing.
    pub(crate) kind: i32,
    /// How many steps before the thing the press came.
    pub(crate) ticks: i32,
}

/// Most answers of a run that are compared.
const ANSWERS_MAX: usize = 1_000;
/// Fewer answers that have an earlier one of their kind do not show how exact a player is.
const REPEATED_MIN: usize = 20;
/// Most presses of a person differ by so many milliseconds in the mean, or more.
const PERSON_MILLISECONDS: u64 = 15;

/// Presses that are more exact than a person's, as operators read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExactPresses {
    /// By how much most presses at things of one kind differ in their time before the thing.
    milliseconds: u64,
}

impl fmt::Display for ExactPresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { milliseconds } = self;
        write!(
            f,
            "most presses differ by {milliseconds} ms from each other; those of a person differ by \
             {PERSON_MILLISECONDS} ms or more"
        )
    }
}

/// Returns how exact the presses of a run are if they are more exact than a person's. The figure is
/// the mean of the differences between any two answers to things of one kind, without the greatest
/// quarter of the differences: a bot may err now and then.
pub(crate) fn find_exact_presses(answers: &[Answer], pace: Pace) -> Option<ExactPresses> {
    let mut by_kind: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for answer in answers.iter().take(ANSWERS_MAX) {
        by_kind.entry(answer.kind).or_default().push(answer.ticks);
    }
    let repeated: usize = by_kind.values().map(|ticks| ticks.len() - 1).sum();
    if repeated < REPEATED_MIN {
        return None;
    }
    let mut differences: Vec<u64> = by_kind.values().flat_map(|ticks| differences(ticks)).collect();
    differences.sort_unstable();
    differences.truncate(differences.len() * 3 / 4);
    let counted = u64::try_from(differences.len()).ok()?;
    let per_second = u64::from(pace.ticks_per_second()) * counted;
    let milliseconds = (differences.iter().sum::<u64>() * 1_000).checked_div(per_second)?;
    (milliseconds < PERSON_MILLISECONDS).then_some(ExactPresses { milliseconds })
}

/// Returns the differences between any two of the numbers.
fn differences(ticks: &[i32]) -> impl Iterator<Item = u64> {
    let pairs = ticks.iter().enumerate().flat_map(|(index, first)| {
        ticks[index + 1..].iter().map(move |second| first.abs_diff(*second))
    });
    pairs.map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace::new(60);

    fn answers(ticks: &[i32]) -> Vec<Answer> {
        ticks.iter().map(|&ticks| Answer { kind: 1, ticks }).collect()
    }

    #[test]
    fn presses_at_the_same_moment_are_more_exact_than_a_persons() {
        let mut same = [7; 21];
        let text = "most presses differ by 0 ms from each other; those of a person differ by 15 ms \
                    or more";
        let found = find_exact_presses(&answers(&same), PACE).unwrap();
        assert_eq!(found.to_string(), text);
        // Errors at a few obstacles hide nothing.
        (same[3], same[12]) = (1, 30);
        assert!(find_exact_presses(&answers(&same), PACE).is_some());
        // Nor does a tick more at each second one.
        let other: Vec<_> = (0..40).map(|index| 7 + index % 2).collect();
        assert!(find_exact_presses(&answers(&other), PACE).is_some());
    }

    #[test]
    fn presses_that_differ_by_ticks_are_a_persons() {
        let ticks: Vec<_> = (0..40).map(|index| 7 + [0, 1, 4, 5][index % 4]).collect();
        assert_eq!(find_exact_presses(&answers(&ticks), PACE), None);
    }

    #[test]
    fn few_presses_and_moves_show_nothing() {
        assert_eq!(find_exact_presses(&answers(&[7; 20]), PACE), None);
        assert_eq!(find_exact_presses(&answers(&[7; 30]), Pace::new(0)), None);
    }

    #[test]
    fn each_kind_of_thing_has_a_moment_of_its_own() {
        let moments = (0..30).map(|index| Answer { kind: index % 3, ticks: index % 3 * 10 });
        assert!(find_exact_presses(&moments.collect::<Vec<_>>(), PACE).is_some());
    }

    /// The runs of a kind of player in the labelled set.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Labelled {
        runs: usize,
        found: usize,
        /// The runs with as many points as the best tenth of people.
        winners: usize,
        found_winners: usize,
    }

    /// The labelled set, which `npm run label` in `games` writes: a line has the player, the points, and
    /// `kind:ticks` for each answer.
    fn labelled() -> Vec<(&'static str, i32, bool)> {
        let lines = include_str!("../../tests/it/labelled_runs.txt").lines();
        let parsed = lines.map(|line| {
            let mut words = line.split(' ');
            let (player, points) = (words.next().unwrap(), words.next().unwrap());
            let answers = words.map(|word| {
                let (kind, ticks) = word.split_once(':').unwrap();
                Answer { kind: kind.parse().unwrap(), ticks: ticks.parse().unwrap() }
            });
            let is_found = find_exact_presses(&answers.collect::<Vec<_>>(), PACE).is_some();
            (player, points.parse().unwrap(), is_found)
        });
        parsed.collect()
    }

    #[test]
    fn runs_of_people_pass_and_machines_in_prize_places_are_found() {
        let runs = labelled();
        let people = runs.iter().filter(|(player, ..)| player.starts_with("person"));
        let mut points: Vec<_> = people.map(|(_, points, _)| *points).collect();
        points.sort_unstable();
        let winning = points[points.len() * 9 / 10];
        let mut counted: BTreeMap<_, Labelled> = BTreeMap::new();
        for (player, points, is_found) in runs {
            let kind = counted.entry(player).or_default();
            let (wins, found) = (usize::from(points >= winning), usize::from(is_found));
            kind.runs += 1;
            kind.found += found;
            kind.winners += wins;
            kind.found_winners += wins * found;
        }
        let row =
            |runs, found, winners, found_winners| Labelled { runs, found, winners, found_winners };
        let expected = [
            ("bot-14ms", row(100, 65, 24, 24)),
            // A bot that errs nearly as people do is not found.
            ("bot-24ms", row(100, 1, 17, 0)),
            ("bot-8ms", row(100, 74, 31, 31)),
            ("bot-exact", row(100, 75, 34, 34)),
            ("bot-search", row(30, 24, 9, 9)),
            ("person-33ms", row(100, 0, 25, 0)),
            ("person-43ms", row(100, 0, 12, 0)),
            ("person-53ms", row(100, 0, 4, 0)),
            ("person-82ms", row(100, 0, 0, 0)),
        ];
        assert_eq!(counted, BTreeMap::from(expected));
    }
}

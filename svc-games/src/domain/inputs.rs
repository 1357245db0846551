//! The inputs of a run, as the browser submits them.

use std::iter;

use thiserror::Error;

/// Most bytes of inputs.
pub(crate) const MAX_BYTES: usize = 64 << 10;
/// Most steps of a run.
pub(super) const MAX_STEPS: u64 = 1_000_000;

/// The inputs of a run: valid, and within the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inputs {
    bytes: Vec<u8>,
    runs: Vec<Repeated>,
}

/// One input, repeated for some steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub(crate) steps: u32,
    pub(crate) input: i32,
}

/// Why bytes are no inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidInputs {
    #[error("more than 64 KiB of inputs")]
    TooLarge,
    #[error("not pairs of varints")]
    Malformed,
    #[error("more than 1,000,000 steps")]
    TooManySteps,
}

impl Inputs {
    /// Parses pairs of LEB128 varints `(steps, input)`.
    pub(crate) fn parse(bytes: Vec<u8>) -> Result<Self, InvalidInputs> {
        if bytes.len() > MAX_BYTES {
            return Err(InvalidInputs::TooLarge);
        }
        let (mut rest, mut runs, mut total) = (bytes.as_slice(), Vec::new(), 0u64);
        while !rest.is_empty() {
            let (steps, input) = (varint(&mut rest)?, varint(&mut rest)?);
            let input = i32::try_from(input).map_err(|_| InvalidInputs::Malformed)?;
            // A pair without steps would make one run have many encodings.
            if steps == 0 {
                return Err(InvalidInputs::Malformed);
            }
            total += u64::from(steps);
            if total > MAX_STEPS {
                return Err(InvalidInputs::TooManySteps);
            }
            runs.push(Repeated { steps, input });
        }
        Ok(Self { bytes, runs })
    }

    /// The bytes as they were submitted.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn runs(&self) -> &[Repeated] {
        &self.runs
    }

    /// Whether these inputs are those of a run that goes on from `other`.
    pub(crate) fn begins_with(&self, other: &Self) -> bool {
        let count = usize::try_from(other.steps()).unwrap_or(usize::MAX);
        self.each().take(count).eq(other.each())
    }

    /// The inputs of all steps.
    fn each(&self) -> impl Iterator<Item = i32> {
        self.runs.iter().flat_map(|run| iter::repeat_n(run.input, run.steps as usize))
    }

    /// Number of calls of `step` in the run.
    pub(crate) fn steps(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.steps)).sum()
    }

    /// Returns the inputs with equal neighbours merged, so that every encoding of a run gives the
    /// same bytes.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        let equal = |one: &Repeated, next: &Repeated| one.input == next.input;
        let chunks = self.runs.chunk_by(equal).flat_map(|equal| {
            // The sum fits: a run has at most `MAX_STEPS` steps.
            let steps: u32 = equal.iter().map(|run| run.steps).sum();
            let input = equal.first().map_or(0, |run| run.input);
            [steps.to_be_bytes(), input.to_be_bytes()]
        });
        chunks.flatten().collect()
    }

    /// Counts the player's actions: inputs other than 0 in a game in time, all inputs in a game of
    /// moves.
    pub(crate) fn actions(&self, in_time: bool) -> u64 {
        let acts = |run: &&Repeated| !in_time || run.input != 0;
        let count = |run: &Repeated| if in_time { 1 } else { u64::from(run.steps) };
        self.runs.iter().filter(acts).map(count).sum()
    }
}

/// Takes an unsigned LEB128 varint of at most 32 bits from the front.
fn varint(rest: &mut &[u8]) -> Result<u32, InvalidInputs> {
    let mut value = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, tail) = rest.split_first().ok_or(InvalidInputs::Malformed)?;
        *rest = tail;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(value).map_err(|_| InvalidInputs::Malformed);
        }
    }
    Err(InvalidInputs::Malformed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(bytes: &[u8]) -> Result<Inputs, InvalidInputs> {
        Inputs::parse(bytes.to_vec())
    }

    #[test]
    fn pairs_of_varints_are_steps_and_input() {
        let inputs = parse(&[0xac, 0x02, 0, 1, 1]).unwrap();
        let runs = [Repeated { steps: 300, input: 0 }, Repeated { steps: 1, input: 1 }];
        assert_eq!(inputs.runs(), runs);
        assert_eq!((inputs.steps(), inputs.actions(true), inputs.actions(false)), (301, 1, 301));
        assert_eq!(parse(&[]).unwrap().steps(), 0);
    }

    #[test]
    fn every_encoding_of_a_run_has_the_same_shortest_form() {
        let shortest = |bytes: &[u8]| parse(bytes).unwrap().canonical();
        let run = shortest(&[3, 1, 2, 0]);
        assert_eq!(run.len(), 16);
        for other in [&[1, 1, 2, 1, 2, 0][..], &[0x83, 0, 1, 2, 0], &[3, 1, 1, 0, 1, 0]] {
            assert_eq!(shortest(other), run, "{other:?}");
        }
        for other in [&[3, 1, 3, 0][..], &[2, 1, 2, 0], &[3, 2, 2, 0], &[2, 0, 3, 1]] {
            assert_ne!(shortest(other), run, "{other:?}");
        }
    }

    #[test]
    fn a_run_begins_with_the_steps_of_its_beginning() {
        let run = parse(&[3, 1, 2, 0]).unwrap();
        for beginning in [&[][..], &[2, 1], &[1, 1, 2, 1], &[3, 1, 1, 0], &[3, 1, 2, 0]] {
            assert!(run.begins_with(&parse(beginning).unwrap()), "{beginning:?}");
        }
        for other in [&[1, 0][..], &[4, 1], &[3, 1, 3, 0]] {
            assert!(!run.begins_with(&parse(other).unwrap()), "{other:?}");
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let cases: [&[u8]; 6] = [
            &[1],
            &[0x80],
            &[1, 0x80],
            // No steps.
            &[0, 1],
            // Five bytes, none of which ends the varint.
            &[0xff, 0xff, 0xff, 0xff, 0xff, 1],
            // An input above the range of i32.
            &[1, 0xff, 0xff, 0xff, 0xff, 0x0f],
        ];
        for bytes in cases {
            assert_eq!(parse(bytes), Err(InvalidInputs::Malformed), "{bytes:?}");
        }
    }

    #[test]
    fn a_run_is_limited_in_bytes_and_steps() {
        let most = [0xc0, 0x84, 0x3d, 0];
        assert_eq!(parse(&most).unwrap().steps(), 1_000_000);
        let more = [most.as_slice(), &[1, 0]].concat();
        assert_eq!(parse(&more), Err(InvalidInputs::TooManySteps));
        assert_eq!(parse(&vec![1; MAX_BYTES + 1]), Err(InvalidInputs::TooLarge));
        assert!(parse(&vec![1; MAX_BYTES]).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_inputs_within_the_limits_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            if let Ok(inputs) = Inputs::parse(bytes.clone()) {
                prop_assert_eq!(inputs.bytes(), bytes);
                prop_assert!(inputs.steps() <= MAX_STEPS);
            }
        }

        #[test]
        fn every_encoding_of_a_run_has_one_canonical_form(
            runs in prop::collection::vec((1_u8..100, 0_u8..100), 0..50),
        ) {
            let whole = runs.iter().flat_map(|&(steps, input)| [steps, input]).collect();
            let single = runs.iter().flat_map(|&(steps, input)| [1, input].repeat(steps.into()));
            let canonical = |bytes| Inputs::parse(bytes).unwrap().canonical();
            prop_assert_eq!(canonical(whole), canonical(single.collect()));
        }
    }
}

//! The words that no message may have.

use std::collections::HashSet;

use types::InvalidContent;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Most words, and most characters of one.
pub(crate) const WORDS_MAX: usize = 2_000;
const WORD_MAX: usize = 60;

/// Folded words, which match whole words only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WordFilter(HashSet<String>);

impl WordFilter {
    pub(crate) fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self(words.into_iter().flat_map(readings).collect())
    }

    /// Whether a text has one of the words, also with other case, diacritics, or digits and
    /// signs in place of letters.
    pub(crate) fn matches(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let text = plain(text);
        text.split(|char| !is_of_word(char))
            .any(|token| readings(token).iter().any(|reading| self.0.contains(reading)))
    }
}

/// An operator's words, sorted, each once.
pub(crate) fn parse_words(words: &[String]) -> Result<Vec<String>, InvalidContent> {
    let invalid = |problem: String| InvalidContent::new("words", problem);
    let mut parsed = Vec::with_capacity(words.len());
    for word in words {
        let word = word.trim().to_lowercase();
        let is_one = plain(&word).chars().all(is_of_word) && !readings(&plain(&word)).is_empty();
        if word.chars().count() > WORD_MAX || !is_one {
            let shown: String = word.chars().take(WORD_MAX).collect();
            return Err(invalid(format!("has “{shown}”, which is not one word of letters")));
        }
        parsed.push(word);
    }
    parsed.sort_unstable();
    parsed.dedup();
    if parsed.len() > WORDS_MAX {
        return Err(invalid(format!("has more than {WORDS_MAX} words")));
    }
    Ok(parsed)
}

/// Lower case, without diacritics and without characters that are not seen.
fn plain(text: &str) -> String {
    let is_seen = |char: &char| !matches!(char, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}');
    let folded = text.nfkd().filter(|char| !is_combining_mark(*char)).filter(is_seen);
    folded.flat_map(char::to_lowercase).collect()
}

/// Whether a character belongs to a word. Apostrophes do, as in ng'ombe.
fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '\'' | '’' | '@' | '$' | '!')
}

/// The words that a token of a plain text may stand for. None for a token without a letter: 455 is
/// a number.
fn readings(token: &str) -> Vec<String> {
    if !token.chars().any(char::is_alphabetic) {
        return Vec::new();
    }
    // The signs at the token's ends are read both as letters and as punctuation, which they mostly
    // are.
    let trimmed = token.trim_matches(['@', '$', '!']);
    let mut readings = Vec::with_capacity(4);
    for token in [token, trimmed] {
        for one in ['i', 'l'] {
            let reading = token.chars().filter_map(|char| letter(char, one)).collect();
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

fn letter(char: char, one: char) -> Option<char> {
    match char {
        '\'' | '’' => None,
        '0' => Some('o'),
        '1' => Some(one),
        '!' => Some('i'),
        '3' => Some('e'),
        '4' | '@' => Some('a'),
        '5' | '$' => Some('s'),
        '7' => Some('t'),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_in_any_disguise() {
        let filter = WordFilter::new(["mjinga", "stupid", "fala", "ng'ombe"]);
        for text in [
            "Wewe ni MJINGA!",
            "mj1nga",
            "mj!ng@",
            "so STÚPID.",
            "$tup1d",
            "stu\u{200b}pid",
            "fa1a wewe",
            "(f4l4)",
            "ng’ombe hii",
            "ｓｔｕｐｉｄ",
        ] {
            assert!(filter.matches(text), "{text}");
        }
    }

    #[test]
    fn other_words_and_numbers_are_let_through() {
        let filter = WordFilter::new(["ass", "fala"]);
        for text in ["class", "assist me", "falasha", "455", "KES 455!", "", "habari"] {
            assert!(!filter.matches(text), "{text}");
        }
        assert!(!WordFilter::default().matches("ass"));
    }

    #[test]
    fn a_list_has_words_of_letters_each_once() {
        let parse = |words: &[&str]| {
            parse_words(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(parse(&["Mjinga", " fala", "mjinga "]).unwrap(), ["fala", "mjinga"]);
        for bad in ["two words", "", "123", &"x".repeat(61)] {
            assert!(parse(&[bad]).is_err(), "{bad}");
        }
        let many: Vec<String> = (0..=WORDS_MAX).map(|n| format!("word{n}")).collect();
        assert!(parse_words(&many).is_err());
    }
}

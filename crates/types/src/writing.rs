//! Texts that people write: names, subjects, messages and notes. One rule holds for all of them.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization as _;

/// Why a text is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WritingError {
    /// The text shows nothing.
    #[error("the text shows nothing")]
    Empty,
    /// The text has more characters than its limit.
    #[error("the text is too long")]
    TooLong,
    /// The text has control characters, or characters that turn the direction of a line.
    #[error("the text has characters that are not written")]
    NotPlain,
}

/// Reads a text of one line, such as a name, of at most `most` characters: without spaces around
/// it, in the composed normal form (NFC), so that two spellings of a letter are one.
pub fn line(text: &str, most: usize) -> Result<String, WritingError> {
    read(text, most, |char| char.is_control() || is_separator(char) || turns_direction(char))
}

/// Reads a text of several lines, such as a message, in the same way. Marks of direction are
/// part of it: keyboards of scripts that are written from the right set them.
pub fn lines(text: &str, most: usize) -> Result<String, WritingError> {
    read(text, most, |char| char.is_control() && !matches!(char, '\n' | '\t' | '\r'))
}

fn read(
    text: &str,
    most: usize,
    is_refused: impl Fn(char) -> bool,
) -> Result<String, WritingError> {
    let text = text.trim();
    if !shows_something(text) {
        return Err(WritingError::Empty);
    }
    if text.chars().count() > most {
        return Err(WritingError::TooLong);
    }
    if text.chars().any(is_refused) {
        return Err(WritingError::NotPlain);
    }
    let text: String = text.nfc().collect();
    // A few letters have more characters in the composed form.
    if text.chars().count() > most { Err(WritingError::TooLong) } else { Ok(text) }
}

/// Whether a text has one visible character at least. Joiners and selectors inside of it, as
/// emoji have them, do no harm.
pub fn shows_something(text: &str) -> bool {
    let is_shown = |char: char| !char.is_whitespace() && !char.is_control() && !is_invisible(char);
    text.chars().any(is_shown)
}

/// Characters that show nothing: those with the property `Default_Ignorable_Code_Point` of
/// Unicode 17, and the blank of Braille.
pub fn is_invisible(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The separators of lines and paragraphs, and the two spaces of no width.
const fn is_separator(char: char) -> bool {
    matches!(char, '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{feff}')
}

/// Characters of Unicode's property `Bidi_Control`: with them a name looks like another one, or
/// like a part of the page.
const fn turns_direction(char: char) -> bool {
    matches!(char,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOW_NOTHING: [&str; 16] = [
        "",
        " ",
        "\n",
        "\u{3164}",
        "\u{ffa0}",
        "\u{2800}",
        "\u{2060}",
        "\u{ad}",
        "\u{200c}",
        "\u{200d}",
        "\u{180e}",
        "\u{34f}",
        "\u{fe0f}",
        "\u{17b4}",
        "\u{2062}",
        "\u{e0041}",
    ];

    #[test]
    fn a_text_that_shows_nothing_is_empty() {
        for text in SHOW_NOTHING {
            for text in [text.to_owned(), format!(" {text}{text}\u{a0}")] {
                assert_eq!(line(&text, 80), Err(WritingError::Empty), "{text:?}");
                assert_eq!(lines(&text, 80), Err(WritingError::Empty), "{text:?}");
            }
        }
    }

    #[test]
    fn joiners_and_selectors_inside_a_text_stay() {
        for text in ["👩‍👩‍👧 Wanjirũ", "❤️", "क्‍ष", "ok"] {
            assert_eq!(line(text, 80).unwrap(), text);
        }
    }

    #[test]
    fn a_name_has_one_line_that_runs_in_one_direction() {
        for mark in ['\0', '\u{7}', '\n', '\u{61c}', '\u{202e}', '\u{2066}', '\u{2028}', '\u{feff}']
        {
            assert_eq!(line(&format!("A{mark}b"), 80), Err(WritingError::NotPlain), "{mark:?}");
        }
        assert_eq!(lines("A\u{61c}b\nc", 80).unwrap(), "A\u{61c}b\nc");
        assert_eq!(lines("A\0b", 80), Err(WritingError::NotPlain));
    }

    #[test]
    fn two_spellings_of_a_text_are_one() {
        assert_eq!(line("Wanjiru\u{303}", 80), line("Wanjirũ", 80));
    }

    #[test]
    fn a_text_has_its_limit_in_characters() {
        assert!(line(&"é".repeat(80), 80).is_ok());
        assert_eq!(line(&"é".repeat(81), 80), Err(WritingError::TooLong));
        assert_eq!(lines(&"😀".repeat(4_001), 4_000), Err(WritingError::TooLong));
    }
}

//! How many parts a text is cut into, each of which is paid for.

/// Characters of the GSM 03.38 alphabet beyond ASCII, and the ASCII ones that
/// it lacks. What the extension table holds counts twice.
const BEYOND_ASCII: &str = "£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà";
const EXTENSION: &str = "^{}\\[~]|€\u{c}";

/// Parts of this text, at least one.
pub(super) fn count(text: &str) -> usize {
    let (units, one, each) = match septets(text) {
        Some(septets) => (septets, 160, 153),
        None => (text.encode_utf16().count(), 70, 67),
    };
    if units <= one { 1 } else { units.div_ceil(each) }
}

/// Its length in the GSM alphabet, if that can write it.
fn septets(text: &str) -> Option<usize> {
    text.chars()
        .map(|c| match c {
            _ if EXTENSION.contains(c) => Some(2),
            '`' => None,
            '\n' | '\r' | ' '..='~' => Some(1),
            _ if BEYOND_ASCII.contains(c) => Some(1),
            _ => None,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_letter_outside_the_alphabet_halves_what_a_part_holds() {
        assert_eq!(count(""), 1);
        assert_eq!(count(&"a".repeat(160)), 1);
        assert_eq!(count(&"a".repeat(161)), 2);
        assert_eq!(count(&"a".repeat(307)), 3);
        assert_eq!(count(&"€".repeat(81)), 2);
        assert_eq!(count(&"ш".repeat(70)), 1);
        assert_eq!(count(&"ш".repeat(71)), 2);
        assert_eq!(count(&format!("{}😀", "a".repeat(69))), 2);
    }
}

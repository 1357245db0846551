//! The number of SMS parts of a text, by which it is priced.

/// Characters of the GSM 03.38 alphabet outside ASCII.
const BEYOND_ASCII: &str = "£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà";
/// Characters of its extension table, which take two septets.
const EXTENSION: &str = "^{}\\[~]|€\u{c}";

/// The number of parts of this text, at least one.
pub(super) fn count(text: &str) -> usize {
    let (units, single, each) = match septets(text) {
        Some(septets) => (septets, 160, 153),
        None => (text.encode_utf16().count(), 70, 67),
    };
    if units <= single { 1 } else { units.div_ceil(each) }
}

/// The length in septets; `None` if the text needs UCS-2.
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
    fn a_character_outside_the_gsm_alphabet_makes_parts_shorter() {
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

//! A text that operators publish for players, in the languages of the app.

use std::{fmt, ops::RangeInclusive};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::{InvalidContent, Language};

/// A text that operators write in English and, if they wish, in Swahili. In JSON and YAML it is
/// `{"en": …, "sw": …}`, or a plain text in English alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalText {
    /// The text in English.
    pub en: String,
    /// The text in Swahili; if empty, the English one stands for it.
    pub sw: String,
}

/// The form of a text in both languages.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Both {
    en: String,
    sw: String,
}

impl LocalText {
    /// The text in a language.
    pub fn in_language(self, language: Language) -> String {
        match language {
            Language::Swahili if !self.sw.is_empty() => self.sw,
            Language::Swahili | Language::English => self.en,
        }
    }

    /// This text with the Swahili of another one, if it has none and the English is the same.
    #[must_use]
    pub fn translated_as(self, other: &Self) -> Self {
        if self.sw.is_empty() && self.en == other.en { other.clone() } else { self }
    }

    /// Refuses a text that [`InvalidContent::check_length`] refuses in one of its languages, and one
    /// that is in Swahili alone. A text in English alone is valid.
    pub fn check_length(
        &self,
        field: &'static str,
        limits: RangeInclusive<usize>,
    ) -> Result<(), InvalidContent> {
        InvalidContent::check_length(field, &self.en, limits.clone())?;
        if self.sw.is_empty() {
            return Ok(());
        }
        let invalid = |problem| InvalidContent::new(format!("{field}.sw"), problem);
        if self.en.is_empty() {
            return Err(invalid("stands beside an English text".to_owned()));
        }
        InvalidContent::check_length(field, &self.sw, limits)
            .map_err(|error| invalid(error.problem))
    }
}

/// A text in English alone.
impl From<&str> for LocalText {
    fn from(en: &str) -> Self {
        Self { en: en.to_owned(), sw: String::new() }
    }
}

impl Serialize for LocalText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { en, sw } = self.clone();
        if sw.is_empty() { en.serialize(serializer) } else { Both { en, sw }.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for LocalText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

/// Reads the forms of a text. A number in English alone, such as the award `500`, needs no quotes in
/// YAML.
struct Forms;

impl<'de> Visitor<'de> for Forms {
    type Value = LocalText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in English, in quotes if need be, or {en: …, sw: …}")
    }

    fn visit_str<E>(self, text: &str) -> Result<LocalText, E> {
        Ok(text.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<LocalText, E> {
        Ok(number.to_string().as_str().into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<LocalText, E> {
        Ok(number.to_string().as_str().into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LocalText, A::Error> {
        let Both { en, sw } = Both::deserialize(MapAccessDeserializer::new(map))?;
        Ok(LocalText { en, sw })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_stands_for_a_swahili_text_that_is_missing() {
        let both = LocalText { en: "The cup".to_owned(), sw: "Kombe".to_owned() };
        assert_eq!(both.clone().in_language(Language::English), "The cup");
        assert_eq!(both.in_language(Language::Swahili), "Kombe");
        assert_eq!(LocalText::from("The cup").in_language(Language::Swahili), "The cup");
    }

    #[test]
    fn a_text_in_english_alone_is_plain_in_json() {
        for (json, text) in [
            (r#""Cup""#, LocalText::from("Cup")),
            (r#"{"en":"Cup","sw":"Kombe"}"#, LocalText { sw: "Kombe".to_owned(), .."Cup".into() }),
        ] {
            assert_eq!(serde_json::from_str::<LocalText>(json).unwrap(), text);
            assert_eq!(serde_json::to_string(&text).unwrap(), json);
        }
        assert_eq!(serde_json::from_str::<LocalText>("500").unwrap(), "500".into());
        for wrong in [r#"{"en":"Cup","fr":"Coupe"}"#, r#"{"en":"Cup"}"#, "true", "1.5", "[]"] {
            assert!(serde_json::from_str::<LocalText>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_language_has_the_limits_of_the_text() {
        let problem_of = |en: &str, sw: &str| {
            let text = LocalText { en: en.to_owned(), sw: sw.to_owned() };
            text.check_length("name", 0..=5).err().map(|error| error.field.into_owned())
        };
        assert_eq!(problem_of("cup", ""), None);
        assert_eq!(problem_of("cup", "kombe"), None);
        assert_eq!(problem_of("vikombe", "kombe").as_deref(), Some("name"));
        assert_eq!(problem_of("", "kombe").as_deref(), Some("name.sw"));
        assert_eq!(problem_of("cup", "vikombe").as_deref(), Some("name.sw"));
        let blank = LocalText { en: "cup".to_owned(), sw: " ".to_owned() };
        assert_eq!(blank.check_length("name", 1..=5).unwrap_err().field, "name.sw");
    }
}

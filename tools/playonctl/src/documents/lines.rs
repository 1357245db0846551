//! The lines of a document's fields.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};
use serde_saphyr::{Error, Spanned, from_str};

type Places = BTreeMap<String, Spanned<IgnoredAny>>;

/// The lines of a document's fields, by their names: `title`, `awards[2]`, `awards[2].cash`.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields(BTreeMap<String, u64>);

impl Fields {
    /// The lines of the fields at the top of a document.
    pub(super) fn of(text: &str) -> Result<Self, Error> {
        let places: Places = from_str(text)?;
        Ok(Self(places.into_iter().map(|(name, place)| (name, place.referenced.line())).collect()))
    }

    /// Adds the lines of the fields of a tournament's awards.
    pub(super) fn add_awards(&mut self, text: &str) -> Result<(), Error> {
        #[derive(Deserialize)]
        struct Awards {
            #[serde(default)]
            awards: Vec<Spanned<Places>>,
        }
        let Awards { awards } = from_str(text)?;
        for (index, award) in awards.into_iter().enumerate() {
            let name = format!("awards[{index}]");
            for (field, place) in award.value {
                self.0.insert(format!("{name}.{field}"), place.referenced.line());
            }
            self.0.insert(name, award.referenced.line());
        }
        Ok(())
    }

    /// The line of a field, or of the nearest thing that contains it.
    pub(super) fn line(&self, field: &str) -> Option<u64> {
        // The sha256 of a module may stand for the module.
        let other = if field == "rules" { "rulesSha256" } else { field };
        let known = self.0.get(field).or_else(|| self.0.get(other));
        known.copied().or_else(|| {
            let (container, _) = field.rsplit_once(['.', '['])?;
            self.line(container)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_award_has_the_line_of_its_field_or_its_own_or_that_of_all() {
        let text = "kind: Tournament\nawards:\n- position: 1\n  name: First\n- position: 2\n  name: Next\n";
        let mut fields = Fields::of(text).unwrap();
        fields.add_awards(text).unwrap();
        for (field, line) in [
            ("awards[1].name", 6),
            ("awards[1].cash", 5),
            ("awards[0]", 3),
            ("awards[7].cash", 3),
            ("awards", 3),
        ] {
            assert_eq!(fields.line(field), Some(line), "{field}");
        }
        assert_eq!(fields.line("starts"), None);
    }
}

//! Operators and their roles.

use strum::IntoEnumIterator as _;
use time::OffsetDateTime;
use types::Role;

/// Most operators.
pub(crate) const OPERATORS_MAX: usize = 200;

/// The name of an operator: 1 to 40 of a-z, 0-9, `.` and `-`, beginning with a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OperatorName(String);

impl OperatorName {
    /// Reads a name. Capital letters are read as small ones, as in certificates.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let name = text.to_ascii_lowercase();
        let begins_well = name.starts_with(|first: char| first.is_ascii_lowercase());
        let is_allowed =
            |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || ".-".contains(one);
        let is_name = begins_well && name.len() <= 40 && name.chars().all(is_allowed);
        is_name.then_some(Self(name))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A serial number in hexadecimal digits, without leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Serial(String);

impl Serial {
    /// Reads a serial number, as programs that show certificates write it: `0A:3F…` or `0x0a3f…`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().to_ascii_lowercase().replace(':', "");
        let digits = digits.strip_prefix("0x").unwrap_or(&digits).trim_start_matches('0');
        let is_serial = (1..=40).contains(&digits.len())
            && digits.chars().all(|digit| digit.is_ascii_hexdigit());
        is_serial.then(|| Self(digits.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The roles of an operator, each once and in a fixed order. Without any they are no operator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Roles(Vec<Role>);

impl Roles {
    /// The roles of a list.
    pub(crate) fn new(roles: impl IntoIterator<Item = Role>) -> Self {
        let mut roles: Vec<Role> = roles.into_iter().collect();
        roles.sort_unstable();
        roles.dedup();
        Self(roles)
    }

    /// All roles.
    pub(crate) fn all() -> Self {
        Self(Role::iter().collect())
    }

    pub(crate) fn as_slice(&self) -> &[Role] {
        &self.0
    }

    /// The roles as operators write them.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(Role::to_string).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these roles is among those that a call needs.
    pub(crate) fn admit(&self, needed: &[Role]) -> bool {
        needed.iter().any(|role| self.0.contains(role))
    }

    /// Whether others are among these roles. One operator may change these to them, because that
    /// gives no role.
    pub(crate) fn contains_all(&self, others: &Self) -> bool {
        others.0.iter().all(|role| self.0.contains(role))
    }
}

/// An operator with the roles that they have, or would have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operator {
    pub(crate) name: OperatorName,
    pub(crate) roles: Roles,
}

/// A change of roles that waits for a second operator.
#[derive(Debug)]
pub(crate) struct ProposedRoles {
    pub(crate) operator: Operator,
    pub(crate) by: String,
    pub(crate) at: OffsetDateTime,
}

/// A certificate that no service accepts.
#[derive(Debug)]
pub(crate) struct RevokedCertificate {
    pub(crate) serial: String,
    pub(crate) reason: String,
    pub(crate) operator: String,
    pub(crate) revoked_at: OffsetDateTime,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_letters_are_one_person() {
        let name = OperatorName::parse("Wanjiru.N").unwrap();
        assert_eq!(name.as_str(), "wanjiru.n");
        for wrong in ["", "1st", ".a", "wanjirú", "a b", &"a".repeat(41)] {
            assert_eq!(OperatorName::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_serial_number_is_read_as_programs_write_it() {
        for text in ["a3f", "0A:3F", "0x0a3f", " 0A3F "] {
            assert_eq!(Serial::parse(text).unwrap().as_str(), "a3f", "{text}");
        }
        for wrong in ["", "00", "xyz", &"1".repeat(41)] {
            assert_eq!(Serial::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn one_of_the_roles_that_a_call_needs_is_enough() {
        let roles = Roles::new([Role::Content, Role::Support]);
        assert!(roles.admit(&[Role::Finance, Role::Support]));
        assert!(!roles.admit(&[Role::Finance]) && !roles.admit(&[]));
        assert!(!Roles::default().admit(&[Role::Content]));
    }

    #[test]
    fn one_operator_may_only_take_roles_away() {
        let [none, one, two, other] = [
            Roles::default(),
            Roles::new([Role::Content]),
            Roles::new([Role::Support, Role::Content]),
            Roles::new([Role::Finance]),
        ];
        assert!(two.contains_all(&one) && one.contains_all(&none));
        for (from, to) in [(&none, &one), (&one, &two), (&one, &other), (&two, &other)] {
            assert!(!from.contains_all(to), "{from:?} to {to:?}");
        }
    }
}

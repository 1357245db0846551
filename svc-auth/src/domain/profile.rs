//! A player's profile and the rules for its fields (specification, sections 5 and 8).

use time::{Date, OffsetDateTime, UtcOffset, macros::format_description};
use types::{
    Msisdn, PlayerId,
    writing::{self, WritingError},
};

use super::{Email, EmailError, ReservedUsernames};

/// A row of `player`. Every value was validated when it was written.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "the contract says profilePic")]
pub(crate) struct Profile {
    pub(crate) id: PlayerId,
    pub(crate) name: Option<String>,
    pub(crate) username: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) dob: Option<Date>,
    pub(crate) gender: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) profile_pic: Option<String>,
    pub(crate) country_id: Option<String>,
    pub(crate) currency_id: Option<String>,
    pub(crate) referral_code: String,
    pub(crate) first_seen_at: Option<OffsetDateTime>,
    pub(crate) created_at: OffsetDateTime,
    /// The end of the last break from play.
    pub(crate) break_until: Option<OffsetDateTime>,
}

/// The part of a profile that other players see.
#[derive(Debug, Clone)]
pub(crate) struct PublicPlayer {
    pub(crate) id: PlayerId,
    pub(crate) username: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) profile_pic: Option<String>,
}

/// What a player is called: the username, once chosen, and the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayerNames {
    pub(crate) id: PlayerId,
    pub(crate) username: Option<String>,
    pub(crate) name: Option<String>,
}

/// A change of a profile, as the player entered it. Players can write these fields and no
/// others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) name: Option<String>,
    pub(crate) username: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) dob: Option<String>,
    pub(crate) gender: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) currency_id: Option<String>,
    pub(crate) country_id: Option<String>,
}

/// What validating a draft needs besides the draft.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReferenceData {
    pub(crate) now: OffsetDateTime,
    /// Whether the draft's currency exists.
    pub(crate) currency_exists: bool,
    /// Whether the draft's country exists.
    pub(crate) country_exists: bool,
}

/// A validated change; a field that is `None` stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) name: Option<String>,
    pub(crate) username: Option<Username>,
    pub(crate) email: Option<Email>,
    pub(crate) dob: Option<Date>,
    pub(crate) gender: Option<&'static str>,
    pub(crate) phone: Option<Msisdn>,
    pub(crate) currency_id: Option<String>,
    pub(crate) country_id: Option<String>,
}

/// The name that tournaments show: 3 to 20 of `[a-z0-9_.]`. Stored in lower case, so that
/// comparing without case is equality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Username(String);

/// What is wrong with one field of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldError {
    /// The field, as the contract spells it.
    pub(crate) field: &'static str,
    /// The key of the text that the player reads.
    pub(crate) key: &'static str,
}

/// The PWA's placeholders, which count as empty (section 5).
const PLACEHOLDERS: [&str; 2] = ["Not set. Click to set.", "Enter number."];

/// East Africa Time, without daylight saving: a birthday begins at midnight in Nairobi.
const NAIROBI: UtcOffset = match UtcOffset::from_hms(3, 0, 0) {
    Ok(offset) => offset,
    Err(_) => UtcOffset::UTC,
};

/// Most characters of a name.
const NAME_MAX: usize = 80;

/// Least age in years (terms of service; specification, section 9).
const ADULT_AGE: i32 = 18;

impl Draft {
    /// The currency's code in upper case.
    pub(crate) fn currency_code(&self) -> Option<String> {
        self.currency_id.as_deref().map(code)
    }

    /// The country's code in upper case.
    pub(crate) fn country_code(&self) -> Option<String> {
        self.country_id.as_deref().map(code)
    }

    /// Validates all fields: the change, or an error for each invalid field.
    pub(crate) fn validate(
        self,
        data: ReferenceData,
        reserved: &ReservedUsernames,
    ) -> Result<Edit, Vec<FieldError>> {
        let mut errors = Vec::new();
        let currency_code = self.currency_code();
        let country_code = self.country_code();
        let edit = Edit {
            name: field(&mut errors, "name", self.name, |text| {
                name(text).and_then(|name| free(name, "NAME_RESERVED", reserved))
            }),
            username: field(&mut errors, "username", self.username, |text| {
                let username = username(text)?;
                free(username.0, "USERNAME_RESERVED", reserved).map(Username)
            }),
            email: field(&mut errors, "email", self.email, email),
            dob: field(&mut errors, "dob", self.dob, |text| dob(text, data.now)),
            gender: field(&mut errors, "gender", self.gender, gender),
            phone: field(&mut errors, "phone", self.phone, phone),
            currency_id: field(&mut errors, "currency_id", currency_code, |code| {
                existing(code, data.currency_exists).ok_or("CURRENCY_UNKNOWN")
            }),
            country_id: field(&mut errors, "country_id", country_code, |code| {
                existing(code, data.country_exists).ok_or("COUNTRY_UNKNOWN")
            }),
        };
        if errors.is_empty() { Ok(edit) } else { Err(errors) }
    }
}

impl Edit {
    /// Whether the edit changes no field.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Username {
    /// Parses a username; `None` when the text does not have the form of one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
        ((3..=20).contains(&text.len()) && text.bytes().all(allowed))
            .then(|| Self(text.to_ascii_lowercase()))
    }

    /// The value of a database column.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A provider's name for a person, if it is valid here.
pub(crate) fn name_from_provider(text: &str) -> Option<String> {
    name(text.trim()).ok()
}

/// Validates one field, if it was sent.
fn field<T>(
    errors: &mut Vec<FieldError>,
    field: &'static str,
    typed: Option<String>,
    validate: impl FnOnce(&str) -> Result<T, &'static str>,
) -> Option<T> {
    let typed = typed?;
    let text = typed.trim();
    let text = if PLACEHOLDERS.contains(&text) { "" } else { text };
    validate(text).map_err(|key| errors.push(FieldError { field, key })).ok()
}

fn name(text: &str) -> Result<String, &'static str> {
    writing::line(text, NAME_MAX).map_err(|error| match error {
        WritingError::Empty => "NAME_MISSING",
        WritingError::TooLong => "NAME_TOO_LONG",
        WritingError::NotPlain => "NAME_INVISIBLE",
    })
}

fn username(text: &str) -> Result<Username, &'static str> {
    if text.is_empty() {
        return Err("USERNAME_MISSING");
    }
    Username::parse(text).ok_or("USERNAME_MALFORMED")
}

/// Refuses a valid name that is reserved.
fn free(
    name: String,
    refusal: &'static str,
    reserved: &ReservedUsernames,
) -> Result<String, &'static str> {
    if reserved.includes(&name) { Err(refusal) } else { Ok(name) }
}

fn email(text: &str) -> Result<Email, &'static str> {
    Email::parse(text).map_err(|error| match error {
        EmailError::Empty => "EMAIL_MISSING",
        EmailError::Malformed => "EMAIL_MALFORMED",
    })
}

fn dob(text: &str, now: OffsetDateTime) -> Result<Date, &'static str> {
    if text.is_empty() {
        return Err("DOB_MISSING");
    }
    let today = now.to_offset(NAIROBI).date();
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .ok()
        .filter(|born| born.year() >= 1900 && *born <= today)
        .ok_or("DOB_MALFORMED")
        .and_then(
            |born| {
                if age(born, today) >= ADULT_AGE { Ok(born) } else { Err("DOB_TOO_YOUNG") }
            },
        )
}

/// Full years. In a year without a 29th of February, a birthday on that day is on the 1st
/// of March.
fn age(born: Date, today: Date) -> i32 {
    let had_birthday = (today.month() as u8, today.day()) >= (born.month() as u8, born.day());
    today.year() - born.year() - i32::from(!had_birthday)
}

fn gender(text: &str) -> Result<&'static str, &'static str> {
    if text.is_empty() {
        return Err("GENDER_MISSING");
    }
    ["MALE", "FEMALE", "OTHER"].into_iter().find(|known| *known == text).ok_or("GENDER_UNKNOWN")
}

fn phone(text: &str) -> Result<Msisdn, &'static str> {
    if text.is_empty() {
        return Err("PHONE_MISSING");
    }
    Msisdn::parse(text).map_err(|_| "PHONE_MALFORMED")
}

/// Returns a code in upper case, or an empty text, which is no code, when `typed` has another form:
/// Postgres cannot even store some texts (U+0000).
fn code(typed: &str) -> String {
    let text = typed.trim();
    let form = text.len() <= 3 && text.bytes().all(|b| b.is_ascii_alphabetic());
    if form { text.to_ascii_uppercase() } else { String::new() }
}

fn existing(code: &str, exists: bool) -> Option<String> {
    exists.then(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    fn reserved() -> ReservedUsernames {
        ReservedUsernames::new(["playon", "support"])
    }

    const DATA: ReferenceData = ReferenceData {
        now: datetime!(2026-11-20 09:00 UTC),
        currency_exists: true,
        country_exists: true,
    };

    /// A draft of one field.
    fn draft(field: &str, text: &str) -> Draft {
        let mut draft = Draft::default();
        let place = match field {
            "name" => &mut draft.name,
            "username" => &mut draft.username,
            "email" => &mut draft.email,
            "dob" => &mut draft.dob,
            "gender" => &mut draft.gender,
            "phone" => &mut draft.phone,
            "currency_id" => &mut draft.currency_id,
            "country_id" => &mut draft.country_id,
            other => panic!("no field {other}"),
        };
        *place = Some(text.to_owned());
        draft
    }

    #[test]
    fn invalid_fields_have_the_specifications_texts() {
        let long = "x".repeat(81);
        for (field, typed, key) in [
            ("name", "", "NAME_MISSING"),
            ("name", "Not set. Click to set.", "NAME_MISSING"),
            ("name", &long, "NAME_TOO_LONG"),
            ("name", "A\u{7}b", "NAME_INVISIBLE"),
            ("name", "A\r\nB", "NAME_INVISIBLE"),
            ("name", "A\u{202e}b", "NAME_INVISIBLE"),
            ("name", "A\u{61c}b", "NAME_INVISIBLE"),
            ("name", "\u{3164}\u{2800}", "NAME_MISSING"),
            ("username", " ", "USERNAME_MISSING"),
            ("username", "ab", "USERNAME_MALFORMED"),
            ("username", "wan jiru", "USERNAME_MALFORMED"),
            ("username", "wanjirũ", "USERNAME_MALFORMED"),
            ("username", "abcdefghijklmnopqrstu", "USERNAME_MALFORMED"),
            ("username", &"support".repeat(9_000), "USERNAME_MALFORMED"),
            ("username", "Supp0rt_7", "USERNAME_RESERVED"),
            ("name", "PlayOn Support", "NAME_RESERVED"),
            ("email", "", "EMAIL_MISSING"),
            ("email", "wanjiru", "EMAIL_MALFORMED"),
            ("dob", "", "DOB_MISSING"),
            ("dob", "20-11-1990", "DOB_MALFORMED"),
            ("dob", "1990-02-30", "DOB_MALFORMED"),
            ("dob", "1899-12-31", "DOB_MALFORMED"),
            ("dob", "2026-11-21", "DOB_MALFORMED"),
            ("dob", "2008-11-21", "DOB_TOO_YOUNG"),
            ("gender", "", "GENDER_MISSING"),
            ("gender", "female", "GENDER_UNKNOWN"),
            ("phone", "Enter number.", "PHONE_MISSING"),
            ("phone", "12345", "PHONE_MALFORMED"),
        ] {
            let errors = draft(field, typed).validate(DATA, &reserved()).unwrap_err();
            assert_eq!(errors, [FieldError { field, key }], "{field} {typed:?}");
        }
    }

    #[test]
    fn accepted_values_are_normalised() {
        let edit = Draft {
            name: Some("  Wanjirũ wa Kamau ".to_owned()),
            username: Some("Wanjiru.K_1".to_owned()),
            email: Some("W@Example.com".to_owned()),
            dob: Some("2008-11-20".to_owned()),
            gender: Some("OTHER".to_owned()),
            phone: Some("0712 345 678".to_owned()),
            currency_id: Some("kes".to_owned()),
            country_id: Some(" ke".to_owned()),
        }
        .validate(DATA, &reserved())
        .unwrap();
        assert_eq!(edit.name.as_deref(), Some("Wanjirũ wa Kamau"));
        assert_eq!(edit.username, Username::parse("wanjiru.k_1"));
        assert_eq!(edit.email, Email::parse("w@example.com").ok());
        assert_eq!(edit.dob, Some(date!(2008 - 11 - 20)));
        assert_eq!(edit.gender, Some("OTHER"));
        assert_eq!(edit.phone.map(|phone| phone.e164()).as_deref(), Some("+254712345678"));
        assert_eq!(edit.currency_id.as_deref(), Some("KES"));
        assert_eq!(edit.country_id.as_deref(), Some("KE"));
    }

    #[test]
    fn one_invalid_field_refuses_the_draft_and_each_is_named() {
        let draft = Draft {
            name: Some("Wanjiru".to_owned()),
            gender: Some("X".to_owned()),
            country_id: Some("ZZ".to_owned()),
            ..Draft::default()
        };
        let data = ReferenceData { country_exists: false, ..DATA };
        let fields: Vec<_> = draft
            .validate(data, &reserved())
            .unwrap_err()
            .iter()
            .map(|error| error.field)
            .collect();
        assert_eq!(fields, ["gender", "country_id"]);
    }

    #[test]
    fn a_player_turns_18_at_midnight_in_nairobi() {
        let evening = datetime!(2026-11-20 20:59:59 UTC);
        assert!(dob("2008-11-21", evening).is_err());
        assert!(dob("2008-11-21", evening + time::Duration::SECOND).is_ok());
    }

    #[test]
    fn a_leap_day_birthday_is_on_the_first_of_march() {
        assert_eq!(age(date!(2008 - 02 - 29), date!(2026 - 02 - 28)), 17);
        assert_eq!(age(date!(2008 - 02 - 29), date!(2026 - 03 - 01)), 18);
    }
}

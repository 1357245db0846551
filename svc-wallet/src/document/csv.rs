//! Statements as CSV (RFC 4180).

use std::borrow::Cow;

use types::Money;

use super::local;
use crate::domain::{Days, Statement, StatementLine};

/// Without a byte order mark, spreadsheets do not read the file as UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// The keys of the columns, before that of the ids.
const COLUMNS: [&str; 7] = [
    "STATEMENT_DATE",
    "STATEMENT_TIME",
    "STATEMENT_TYPE",
    "STATEMENT_DETAIL",
    "STATEMENT_AMOUNT",
    "STATEMENT_BALANCE",
    "STATEMENT_RECEIPT",
];

/// Returns the statement in UTF-8. The first and the last row have the balances before and after.
pub(crate) fn csv(statement: &Statement) -> Vec<u8> {
    let Days { from, to } = statement.days;
    let mut text = String::with_capacity(128 * (statement.lines.len() + 3));
    text.push_str(BYTE_ORDER_MARK);
    for column in COLUMNS {
        text.push_str(&statement.say(column));
        text.push(',');
    }
    text.push_str("Id\r\n");
    let balance = |day: String, title: &str, balance| {
        [
            day,
            String::new(),
            statement.say(title).into_owned(),
            String::new(),
            String::new(),
            number(balance),
        ]
        .into_iter()
        .chain([String::new(), String::new()])
        .collect::<Vec<String>>()
        .join(",")
            + "\r\n"
    };
    text.push_str(&balance(from.to_string(), "STATEMENT_OPENING", statement.opening));
    for line in &statement.lines {
        push(&mut text, line, statement.say(line.title));
    }
    text.push_str(&balance(to.to_string(), "STATEMENT_CLOSING", statement.closing));
    text.into_bytes()
}

fn push(text: &mut String, line: &StatementLine, title: Cow<'_, str>) {
    let at = local(line.at);
    let time = format!("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second());
    let fields = [
        at.date().to_string().into(),
        time.into(),
        title,
        field(line.detail.as_deref().unwrap_or_default()),
        number(line.amount).into(),
        line.balance.map(number).unwrap_or_default().into(),
        field(line.receipt.as_deref().unwrap_or_default()),
        Cow::Borrowed(line.id.as_str()),
    ];
    text.push_str(&fields.join(","));
    text.push_str("\r\n");
}

/// Formats an amount for programs: `-1250.00`.
fn number(money: Money) -> String {
    let cents = money.cents().unsigned_abs();
    let sign = if money < Money::ZERO { "-" } else { "" };
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// Quotes a text as a field. Spreadsheets run a field that begins like a formula, and players
/// choose their names, so such a text gets an apostrophe in front. Leading spaces do not hide a
/// formula.
fn field(text: &str) -> Cow<'_, str> {
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || text.starts_with(['\t', '\r', '\n']);
    let quoted = text.contains(['"', ',', '\r', '\n', ';']) || is_formula;
    if !quoted {
        return Cow::Borrowed(text);
    }
    let guard = if is_formula { "'" } else { "" };
    Cow::Owned(format!("\"{guard}{}\"", text.replace('"', "\"\"")))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use types::Language;

    use super::*;

    #[test]
    fn fields_are_quoted_and_formulas_are_texts() {
        for (text, expected) in [
            ("Boost from Wanjikũ", "Boost from Wanjikũ"),
            ("Amina, \"Mimi\"", "\"Amina, \"\"Mimi\"\"\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("+254712345678", "\"'+254712345678\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            (" =1", "\"' =1\""),
            ("\t=1", "\"'\t=1\""),
            ("＝1", "\"'＝1\""),
            ("", ""),
        ] {
            assert_eq!(field(text), expected);
        }
    }

    #[test]
    fn a_statement_has_a_header_its_lines_and_the_balances_around_them() {
        let line = StatementLine {
            id: "an-id".to_owned(),
            at: datetime!(2026-11-20 21:30:05 UTC),
            title: "TRANSACTION_BOOST",
            detail: Some("=cmd, x".to_owned()),
            amount: Money::from_cents(-125_050),
            balance: Some(Money::from_cents(5)),
            receipt: None,
        };
        let statement = Statement {
            language: Language::English,
            holder: Some("amina".to_owned()),
            days: Days::parse("2026-11-20", "2026-11-22").unwrap(),
            opening: Money::from_cents(125_055),
            closing: Money::from_cents(5),
            lines: vec![line.clone(), StatementLine { balance: None, ..line }],
        };
        let text = String::from_utf8(csv(&statement)).unwrap();
        let rows: Vec<&str> = text.trim_start_matches(BYTE_ORDER_MARK).split("\r\n").collect();
        assert_eq!(
            rows,
            [
                "Date,Time,Type,Detail,Amount (KES),Balance (KES),Receipt,Id",
                "2026-11-20,,Opening balance,,,1250.55,,",
                "2026-11-21,00:30:05,Boost a friend,\"'=cmd, x\",-1250.50,0.05,,an-id",
                "2026-11-21,00:30:05,Boost a friend,\"'=cmd, x\",-1250.50,,,an-id",
                "2026-11-22,,Closing balance,,,0.05,,",
                "",
            ]
        );
        let text = String::from_utf8(csv(&Statement { language: Language::Swahili, ..statement }));
        let text = text.unwrap();
        assert!(
            text.contains("Tarehe,Saa,Aina,Maelezo,Kiasi (KES),Salio (KES),Risiti,Id"),
            "{text}"
        );
        assert!(text.contains(",Salio la mwisho,,,0.05,,"), "{text}");
    }
}

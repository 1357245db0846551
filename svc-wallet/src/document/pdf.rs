//! Statements as PDF, on A4.

#![expect(clippy::float_arithmetic, reason = "places on paper; money stays in cents")]

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};
use types::Money;

use super::{
    day, figure,
    font::{Font, fonts},
    local,
};
use crate::domain::{Statement, StatementLine};

const WIDTH: f32 = 595.28;
const HEIGHT: f32 = 841.89;
const MARGIN: f32 = 44.0;
const RIGHT: f32 = WIDTH - MARGIN;
/// The height of the band on the first page, and on the others.
const BAND: f32 = 92.0;
const SMALL_BAND: f32 = 10.0;
const ROW: f32 = 19.0;
/// The lower end of the rows, above the foot of the page.
const FOOT: f32 = 60.0;
/// The upper end of the rows on the first page, and on the others.
const FIRST_TOP: f32 = HEIGHT - BAND - 160.0;
const TOP: f32 = HEIGHT - 62.0;
/// The positions of the columns: the left edge of the texts, the right edge of the figures.
const DETAIL: f32 = MARGIN + 104.0;
const AMOUNT: f32 = RIGHT - 92.0;

type Colour = [u8; 3];
const MANGO: Colour = [0xff, 0xb2, 0x24];
const CORAL: Colour = [0xff, 0x6b, 0x5e];
const INK: Colour = [0x1b, 0x14, 0x26];
const SOFT: Colour = [0x5e, 0x53, 0x6e];
const MINT: Colour = [0x0c, 0x7a, 0x50];
const CARD: Colour = [0xff, 0xf6, 0xe6];
const STRIPE: Colour = [0xfc, 0xf8, 0xf1];
const RULE: Colour = [0xe8, 0xdf, 0xd0];

const REGULAR_NAME: Name<'static> = Name(b"F1");
const SEMIBOLD_NAME: Name<'static> = Name(b"F2");
/// The ids of the objects that are written once; those of the pages follow.
const CATALOG: i32 = 1;
const PAGES: i32 = 2;
const INFO: i32 = 3;
const REGULAR: i32 = 4;
const SEMIBOLD: i32 = 9;
const FIRST_PAGE: i32 = 14;

/// Returns the statement as PDF; `None` if the build has broken fonts.
pub(crate) fn pdf(statement: &Statement) -> Option<Vec<u8>> {
    let [regular, semibold] = fonts()?;
    let pages = pages(&statement.lines);
    let mut pdf = Pdf::new();
    let ids: Vec<(Ref, Ref)> = (FIRST_PAGE..)
        .step_by(2)
        .map(|id| (Ref::new(id), Ref::new(id + 1)))
        .take(pages.len())
        .collect();
    let mut catalog = pdf.catalog(Ref::new(CATALOG));
    catalog.pages(Ref::new(PAGES));
    catalog.lang(TextStr(statement.language.tag()));
    catalog.finish();
    pdf.document_info(Ref::new(INFO))
        .title(TextStr(&statement.say_days("STATEMENT_FILE_TITLE")))
        .creator(TextStr("PlayOn"));
    let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
    pdf.pages(Ref::new(PAGES)).kids(ids.iter().map(|(page, _)| *page)).count(count);
    regular.embed(&mut pdf, REGULAR);
    semibold.embed(&mut pdf, SEMIBOLD);
    for (number, ((page_id, content_id), lines)) in ids.into_iter().zip(&pages).enumerate() {
        let mut sheet = Sheet { content: Content::new(), regular, semibold };
        if number == 0 {
            sheet.first(statement);
        } else {
            sheet.band(SMALL_BAND);
        }
        sheet.table(statement, lines, if number == 0 { FIRST_TOP } else { TOP });
        let is_outside = lines.iter().any(|line| line.balance.is_none());
        sheet.foot(statement, (number + 1, pages.len()), is_outside);
        let mut page = pdf.page(page_id);
        page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT))
            .parent(Ref::new(PAGES))
            .contents(content_id);
        page.resources()
            .fonts()
            .pair(REGULAR_NAME, Ref::new(REGULAR))
            .pair(SEMIBOLD_NAME, Ref::new(SEMIBOLD));
        page.finish();
        let compressed = compress_to_vec_zlib(&sheet.content.finish(), 6);
        pdf.stream(content_id, &compressed).filter(Filter::FlateDecode);
    }
    Some(pdf.finish())
}

/// Splits the lines into pages; at least one page.
fn pages(lines: &[StatementLine]) -> Vec<&[StatementLine]> {
    let (first, rest) = lines.split_at(rows(FIRST_TOP).min(lines.len()));
    std::iter::once(first).chain(rest.chunks(rows(TOP))).collect()
}

/// Returns how many rows fit below a table's head at this height.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a page has some tens of rows"
)]
fn rows(top: f32) -> usize {
    ((top - ROW - FOOT) / ROW) as usize
}

/// The edge of a text that its position means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Left,
    Right,
}

/// The content of a page.
struct Sheet {
    content: Content,
    regular: &'static Font,
    semibold: &'static Font,
}

impl Sheet {
    fn fill(&mut self, [red, green, blue]: Colour) -> &mut Content {
        let part = |byte: u8| f32::from(byte) / 255.0;
        self.content.set_fill_rgb(part(red), part(green), part(blue))
    }

    fn area(&mut self, colour: Colour, x: f32, y: f32, width: f32, height: f32) {
        self.fill(colour).rect(x, y, width, height).fill_nonzero();
    }

    fn text(
        &mut self,
        text: &str,
        (x, y): (f32, f32),
        size: f32,
        bold: bool,
        colour: Colour,
        edge: Edge,
    ) {
        let (font, name) =
            if bold { (self.semibold, SEMIBOLD_NAME) } else { (self.regular, REGULAR_NAME) };
        let x = if edge == Edge::Right { x - font.width(text) * size } else { x };
        let encoded = font.encode(text);
        self.fill(colour)
            .begin_text()
            .set_font(name, size)
            .next_line(x, y)
            .show(Str(&encoded))
            .end_text();
    }

    /// The band at the top, with the edge of woven diamonds.
    fn band(&mut self, height: f32) {
        self.area(MANGO, 0.0, HEIGHT - height, WIDTH, height);
        let (half, y) = (6.0, HEIGHT - height);
        let mut x = 0.0;
        self.fill(CORAL);
        while x < WIDTH + half {
            self.content
                .move_to(x - half, y)
                .line_to(x, y + half * 0.7)
                .line_to(x + half, y)
                .line_to(x, y - half * 0.7)
                .close_path()
                .fill_nonzero();
            x += half * 2.0;
        }
    }

    /// PlayOn's mark: a round o whose counter is a play triangle.
    fn mark(&mut self, x: f32, y: f32, radius: f32) {
        // Four curves make a circle at this share of the radius.
        let bend = radius * 0.5523;
        self.fill(INK)
            .move_to(x + radius, y)
            .cubic_to(x + radius, y + bend, x + bend, y + radius, x, y + radius)
            .cubic_to(x - bend, y + radius, x - radius, y + bend, x - radius, y)
            .cubic_to(x - radius, y - bend, x - bend, y - radius, x, y - radius)
            .cubic_to(x + bend, y - radius, x + radius, y - bend, x + radius, y)
            .close_path()
            .move_to(x - radius * 0.36, y + radius * 0.46)
            .line_to(x + radius * 0.46, y)
            .line_to(x - radius * 0.36, y - radius * 0.46)
            .close_path()
            .fill_even_odd();
    }

    /// Draws what only the first page has: the brand, the player, the days and the balances.
    fn first(&mut self, statement: &Statement) {
        self.band(BAND);
        let middle = HEIGHT - BAND / 2.0;
        self.mark(MARGIN + 17.0, middle + 2.0, 17.0);
        self.text("PlayOn", (MARGIN + 44.0, middle - 6.0), 24.0, true, INK, Edge::Left);
        self.text(
            &statement.say("STATEMENT_TITLE"),
            (RIGHT, middle - 4.0),
            15.0,
            true,
            INK,
            Edge::Right,
        );

        let top = HEIGHT - BAND - 40.0;
        let unknown = statement.say("STATEMENT_HOLDER_UNKNOWN");
        let holder = statement.holder.as_deref().unwrap_or(&unknown);
        let holder = self.semibold.fit(holder, 20.0, RIGHT - MARGIN);
        self.text(&holder, (MARGIN, top), 20.0, true, INK, Edge::Left);
        let days = statement.say_days("STATEMENT_DAYS");
        self.text(&days, (MARGIN, top - 18.0), 10.5, false, SOFT, Edge::Left);
        let (into, out) = statement.totals();
        let cards = [
            ("STATEMENT_OPENING", statement.opening),
            ("STATEMENT_IN", into),
            ("STATEMENT_OUT", out),
            ("STATEMENT_CLOSING", statement.closing),
        ];
        let (gap, y) = (10.0, top - 88.0);
        let width = (RIGHT - MARGIN - 3.0 * gap) / 4.0;
        let mut x = MARGIN;
        for (label, amount) in cards {
            self.area(CARD, x, y, width, 50.0);
            self.area(MANGO, x, y, 3.0, 50.0);
            self.text(&statement.say(label), (x + 12.0, y + 32.0), 8.5, false, SOFT, Edge::Left);
            let amount = amount.to_string();
            // Shrink the text so that amounts of millions fit.
            let size = (13.0_f32).min((width - 20.0) / self.semibold.width(&amount));
            self.text(&amount, (x + 12.0, y + 13.0), size, true, INK, Edge::Left);
            x += width + gap;
        }
    }

    fn table(&mut self, statement: &Statement, lines: &[StatementLine], top: f32) {
        let y = top - ROW + 6.0;
        self.text(&statement.say("STATEMENT_DATE"), (MARGIN + 6.0, y), 8.5, true, SOFT, Edge::Left);
        self.text(&statement.say("STATEMENT_WHAT"), (DETAIL, y), 8.5, true, SOFT, Edge::Left);
        self.text(&statement.say("STATEMENT_AMOUNT"), (AMOUNT, y), 8.5, true, SOFT, Edge::Right);
        self.text(
            &statement.say("STATEMENT_BALANCE"),
            (RIGHT - 6.0, y),
            8.5,
            true,
            SOFT,
            Edge::Right,
        );
        self.area(RULE, MARGIN, top - ROW, RIGHT - MARGIN, 0.8);
        if lines.is_empty() {
            let text = statement.say("STATEMENT_NONE");
            self.text(&text, (MARGIN + 6.0, top - ROW - 22.0), 10.0, false, SOFT, Edge::Left);
        }
        let mut y = top - ROW;
        for (place, line) in lines.iter().enumerate() {
            y -= ROW;
            if place % 2 == 1 {
                self.area(STRIPE, MARGIN, y, RIGHT - MARGIN, ROW);
            }
            self.row(line, &statement.say(line.title), y + 6.0);
        }
    }

    fn row(&mut self, line: &StatementLine, title: &str, y: f32) {
        let at = local(line.at);
        let date = format!("{} {:02}:{:02}", day(at.date()), at.hour(), at.minute());
        self.text(&date, (MARGIN + 6.0, y), 8.5, false, SOFT, Edge::Left);
        let room = AMOUNT - DETAIL - 72.0;
        self.text(title, (DETAIL, y), 9.0, true, INK, Edge::Left);
        let width = self.semibold.width(title) * 9.0 + 6.0;
        if let Some(detail) = &line.detail {
            let detail = self.regular.fit(detail, 9.0, room - width);
            self.text(&detail, (DETAIL + width, y), 9.0, false, SOFT, Edge::Left);
        }
        let (amount, colour) = if line.amount > Money::ZERO {
            (format!("+{}", figure(line.amount)), MINT)
        } else {
            (figure(line.amount).replace('-', "−"), INK)
        };
        let colour = if line.balance.is_some() { colour } else { SOFT };
        self.text(&amount, (AMOUNT, y), 9.0, true, colour, Edge::Right);
        let balance = line.balance.map_or_else(|| "*".to_owned(), figure);
        self.text(&balance, (RIGHT - 6.0, y), 9.0, false, INK, Edge::Right);
    }

    fn foot(&mut self, statement: &Statement, (number, of): (usize, usize), is_outside: bool) {
        self.area(RULE, MARGIN, 44.0, RIGHT - MARGIN, 0.8);
        let mut text = statement.say("STATEMENT_NAIROBI").into_owned();
        if is_outside {
            text.push_str("  ");
            text.push_str(&statement.say("STATEMENT_OUTSIDE"));
        }
        self.text(&text, (MARGIN, 29.0), 8.0, false, SOFT, Edge::Left);
        let numbers = [("number", &*number.to_string()), ("of", &of.to_string())];
        let page = statement.say_with("STATEMENT_PAGE", numbers);
        self.text(&page, (RIGHT, 29.0), 8.0, false, SOFT, Edge::Right);
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::domain::Days;
    use types::Language;

    fn statement(count: usize) -> Statement {
        let line = |place: usize| StatementLine {
            id: format!("00000000-0000-7000-8000-{place:012}"),
            at: datetime!(2026-11-01 06:00 UTC)
                + Duration::minutes(7) * i32::try_from(place).unwrap(),
            title: ["TRANSACTION_TOP_UP", "TRANSACTION_BOOST", "TRANSACTION_SUBSCRIPTION"]
                [place % 3],
            detail: Some(["M-Pesa", "to Wanjikũ wa Mũthoni", "Gold package"][place % 3].to_owned()),
            amount: Money::from_cents([125_000, -7_550, -5_000][place % 3]),
            balance: (place % 7 != 4)
                .then(|| Money::from_cents(125_000 + 100 * i64::try_from(place).unwrap())),
            receipt: None,
        };
        Statement {
            language: Language::Swahili,
            holder: Some("Wanjikũ wa Mũthoni".to_owned()),
            days: Days::parse("2026-11-01", "2026-11-30").unwrap(),
            opening: Money::ZERO,
            closing: Money::from_cents(1_234_567_890),
            lines: (0..count).map(line).collect(),
        }
    }

    #[test]
    fn every_line_is_on_a_page() {
        for count in [0, 1, rows(FIRST_TOP), rows(FIRST_TOP) + 1, 5_000] {
            let lines = statement(count).lines;
            let pages = pages(&lines);
            assert_eq!(pages.iter().map(|page| page.len()).sum::<usize>(), count);
            assert!(pages.iter().skip(1).all(|page| !page.is_empty()));
        }
    }

    #[test]
    fn the_longest_statement_is_below_two_mebibytes() {
        let document = pdf(&statement(5_000)).unwrap();
        assert!(document.starts_with(b"%PDF-"));
        assert!(document.len() < 2 * 1024 * 1024, "{}", document.len());
        if let Some(path) = std::env::var_os("PLAYON_STATEMENT") {
            std::fs::write(path, pdf(&statement(90)).unwrap()).unwrap();
        }
    }
}

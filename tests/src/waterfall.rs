//! Draws a trace as a picture: a bar over time for each span, below the bar of its parent.

#![expect(clippy::float_arithmetic, reason = "coordinates of a picture")]

use std::{collections::HashMap, fmt::Write as _};

use crate::Span;

/// The height of a row.
const HEIGHT: usize = 22;
/// The x coordinate at which the bars begin, right of the names.
const NAMES: f64 = 470.0;
/// The length of the longest bar.
const BARS: f64 = 560.0;
/// The height of the head, above the first row.
const HEAD: usize = 64;

/// Draws a trace as SVG, with the text of `title` above it.
pub fn waterfall(title: &str, spans: &[Span]) -> String {
    let rows = rows(spans);
    let begin = spans.iter().map(|span| span.start).min().unwrap_or_default();
    let end = spans.iter().map(|span| span.end).max().unwrap_or_default();
    let scale = BARS / milliseconds(end.saturating_sub(begin).max(1));
    let (width, height) = (NAMES + BARS + 100.0, HEAD + rows.len() * HEIGHT + 12);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>\n\
         <text x=\"12\" y=\"46\" fill=\"#555555\">{} spans of {} processes, {:.1} ms</text>\n",
        escaped(title),
        spans.len(),
        colours(spans).len(),
        milliseconds(end.saturating_sub(begin)),
    );
    let colours = colours(spans);
    for (index, (depth, span)) in rows.iter().enumerate() {
        let y = HEAD + index * HEIGHT;
        let baseline = y + 15;
        let colour = colours.get(span.service.as_str()).copied().unwrap_or("#888888");
        let x = NAMES + milliseconds(span.start - begin) * scale;
        let took = milliseconds(span.end.saturating_sub(span.start));
        let bar = (took * scale).max(2.0);
        if index % 2 == 0 {
            let _ = writeln!(
                svg,
                "<rect y=\"{y}\" width=\"100%\" height=\"{HEIGHT}\" fill=\"#f6f7f9\"/>"
            );
        }
        let indent = 12 + depth * 16;
        let link = if span.links.is_empty() { "" } else { "  ⇠ link" };
        let failed = if span.failed { "  ✗ failed" } else { "" };
        let _ = writeln!(
            svg,
            "<text x=\"{indent}\" y=\"{baseline}\"><tspan font-weight=\"600\" fill=\"{colour}\">{}\
             </tspan>  {}<tspan fill=\"#b3261e\">{failed}</tspan><tspan fill=\"#555555\">{link}\
             </tspan></text>\n\
             <rect x=\"{x:.1}\" y=\"{}\" width=\"{bar:.1}\" height=\"10\" rx=\"2\" fill=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"{baseline}\" font-size=\"11\" fill=\"#555555\">{took:.1} ms</text>",
            escaped(&span.service),
            escaped(&span.name),
            y + 6,
            if span.failed { "#b3261e" } else { colour },
            x + bar + 6.0,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The spans in the order of the picture, each with its depth. A span whose parent is
/// missing is drawn as a root.
fn rows(spans: &[Span]) -> Vec<(usize, &Span)> {
    let has_parent = |span: &Span| spans.iter().any(|other| other.id == span.parent);
    let mut waiting: Vec<_> =
        spans.iter().filter(|span| !has_parent(span)).map(|span| (0, span)).collect();
    let latest_first =
        |part: &mut [(usize, &Span)]| part.sort_by_key(|(_, span)| u64::MAX - span.start);
    latest_first(&mut waiting);
    let mut rows = Vec::new();
    while let Some((depth, span)) = waiting.pop() {
        rows.push((depth, span));
        let children = spans.iter().filter(|child| child.parent == span.id);
        let mut children: Vec<_> = children.map(|child| (depth + 1, child)).collect();
        latest_first(&mut children);
        waiting.extend(children);
    }
    rows
}

/// A colour for each process, in the order of the names.
fn colours(spans: &[Span]) -> HashMap<&str, &'static str> {
    const COLOURS: [&str; 6] = ["#0b57d0", "#0f7b4d", "#8a3ffc", "#b26a00", "#00696f", "#a3006d"];
    let mut services: Vec<_> = spans.iter().map(|span| span.service.as_str()).collect();
    services.sort_unstable();
    services.dedup();
    services.into_iter().zip(COLOURS.into_iter().cycle()).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a picture has fewer pixels than a float digits")]
fn milliseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

//! `GET /media/…`: stored media, streamed.

use std::ops::Range;

use axum::{
    body::Body,
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{
        ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
        CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
    },
};
use http_range_header::{EndPosition, StartPosition, parse_range_header};
use mesh::Fault;

use crate::{Gateway, envelope::Refusal, media::MediaPath};

/// Caches for ever, because the content under a name never changes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// A document that is opened from here loads nothing, runs nothing and has no origin.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The part of a file that a call asks for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Whole,
    Part(Range<u64>),
    /// A range that begins after the file's end.
    Nothing,
}

/// `GET /media/{shelf}/{owner}/{file}`, and `HEAD`.
pub(crate) async fn read(
    State(gateway): State<Gateway>,
    method: Method,
    segments: Result<Path<(String, String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Path((shelf, owner, file)) = segments.map_err(|_| Refusal::not_found())?;
    let path = MediaPath::parse(&shelf, &owner, &file).ok_or_else(Refusal::not_found)?;
    let known = gateway.media().find(&path).await.map_err(|error| Fault::failure(&error))?;
    let size = known.ok_or_else(Refusal::not_found)?.size;
    let tag = path.entity_tag();
    if is_cached(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, about(&path)).into_response());
    }
    let asked = if method == Method::GET { asked(&headers, &tag, size) } else { Asked::Whole };
    let (status, part) = match asked {
        Asked::Whole => (StatusCode::OK, None),
        Asked::Part(part) => (StatusCode::PARTIAL_CONTENT, Some(part)),
        Asked::Nothing => {
            let all = [(CONTENT_RANGE, format!("bytes */{size}"))];
            return Ok((StatusCode::RANGE_NOT_SATISFIABLE, all).into_response());
        }
    };
    let length = part.as_ref().map_or(size, |part| part.end - part.start);
    let range =
        part.as_ref().map(|Range { start, end }| format!("bytes {start}-{}/{size}", end - 1));
    let body = if method == Method::HEAD {
        Body::empty()
    } else {
        let content = gateway.media().read(&path, part).await;
        let content = content.map_err(|error| Fault::failure(&error))?;
        // `None` if it was deleted since it was found.
        Body::from_stream(content.ok_or_else(Refusal::not_found)?.into_stream())
    };
    let range = range.map(|range| [(CONTENT_RANGE, range)]);
    let length = [(CONTENT_LENGTH, length.to_string())];
    Ok((status, about(&path), length, range.map(axum::response::AppendHeaders), body)
        .into_response())
}

/// The headers of a file and of each part of it.
fn about(path: &MediaPath) -> HeaderMap {
    let disposition = if path.kind.shown { "inline" } else { "attachment" };
    let mut headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(path.kind.content_type)),
        (CONTENT_DISPOSITION, HeaderValue::from_static(disposition)),
        (ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (CACHE_CONTROL, FOR_EVER),
        (CONTENT_SECURITY_POLICY, POLICY),
        (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
    ]);
    if let Ok(tag) = HeaderValue::from_str(&path.entity_tag()) {
        headers.insert(ETAG, tag);
    }
    headers
}

/// Whether the caller has cached the file.
fn is_cached(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .map(|theirs| theirs.trim().trim_start_matches("W/"))
        .any(|theirs| theirs == "*" || theirs == tag)
}

/// The part that the caller asks for. One range is a part; several ranges, or a header that is no
/// range, mean the whole file.
fn asked(headers: &HeaderMap, tag: &str, size: u64) -> Asked {
    if headers.get(IF_RANGE).is_some_and(|theirs| theirs != tag) {
        return Asked::Whole;
    }
    let range = headers.get(RANGE).and_then(|range| range.to_str().ok());
    let Some(Ok(parsed)) = range.map(parse_range_header) else {
        return Asked::Whole;
    };
    let [range] = &*parsed.ranges else {
        return Asked::Whole;
    };
    let start = match range.start {
        StartPosition::Index(start) => start,
        StartPosition::FromLast(length) => size.saturating_sub(length),
    };
    let end = match range.end {
        EndPosition::Index(last) if last < start => return Asked::Whole,
        EndPosition::Index(last) => size.min(last.saturating_add(1)),
        EndPosition::LastByte => size,
    };
    if start < end { Asked::Part(start..end) } else { Asked::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &str = "\"t\"";

    fn asked_of_ten(range: &str) -> Asked {
        let headers = HeaderMap::from_iter([(RANGE, range.parse().unwrap())]);
        asked(&headers, TAG, 10)
    }

    #[test]
    fn one_range_is_a_part() {
        for (range, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=0-", 0..10),
            ("bytes=2-5", 2..6),
            ("bytes=9-99", 9..10),
            ("bytes=5-18446744073709551615", 5..10),
            ("bytes=-3", 7..10),
            ("bytes=-99", 0..10),
        ] {
            assert_eq!(asked_of_ten(range), Asked::Part(part), "{range}");
        }
    }

    #[test]
    fn a_range_after_the_end_is_nothing_and_an_invalid_one_the_whole_file() {
        for range in ["bytes=10-", "bytes=10-20", "bytes=18446744073709551615-"] {
            assert_eq!(asked_of_ten(range), Asked::Nothing, "{range}");
        }
        for range in ["", "bytes=", "bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "0-1"] {
            assert_eq!(asked_of_ten(range), Asked::Whole, "{range}");
        }
        let none = HeaderMap::from_iter([(RANGE, "bytes=0-".parse().unwrap())]);
        assert_eq!(asked(&none, TAG, 0), Asked::Nothing);
    }

    #[test]
    fn a_range_of_another_version_is_the_whole_file() {
        for (theirs, whole) in [("\"t\"", false), ("\"u\"", true), ("W/\"t\"", true)] {
            let headers = HeaderMap::from_iter([
                (RANGE, "bytes=0-1".parse().unwrap()),
                (IF_RANGE, theirs.parse().unwrap()),
            ]);
            assert_eq!(asked(&headers, TAG, 10) == Asked::Whole, whole, "{theirs}");
        }
    }

    #[test]
    fn a_file_with_the_callers_tag_is_cached() {
        for (theirs, cached) in [
            ("\"t\"", true),
            ("W/\"t\"", true),
            ("*", true),
            ("\"a\", \"t\"", true),
            ("\"a\"", false),
        ] {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, theirs.parse().unwrap())]);
            assert_eq!(is_cached(&headers, TAG), cached, "{theirs}");
        }
    }
}

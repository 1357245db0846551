//! From the wire's types to the domain's.

use mesh::Fault;
use tonic::Code as GrpcCode;
use types::{Cursor, CursorError};

use crate::{
    domain::{Code, Name, {{Noun}}Id},
    error::{Error, Refused},
};

/// Most {{nouns_words}} in one page.
const PAGE_LIMIT: u32 = 100;
/// Most ids in one batch.
const BATCH_LIMIT: usize = 100;

/// A malformed id gets the same reply as an unknown one.
pub(super) fn {{noun}}_id(text: &str) -> Result<{{Noun}}Id, Error> {
    Ok({{Noun}}Id::parse(text).map_err(|_| Refused::{{Noun}}NotFound)?)
}

/// Texts that are no ids are left out, as unknown ids are.
pub(super) fn {{noun}}_ids(texts: &[String]) -> Result<Vec<{{Noun}}Id>, Error> {
    if texts.len() > BATCH_LIMIT {
        let text = format!("Ask for at most {BATCH_LIMIT} at a time.");
        return Err(Fault::invalid_field("ids", text).into());
    }
    Ok(texts.iter().filter_map(|text| {{Noun}}Id::parse(text).ok()).collect())
}

/// A malformed code gets the same reply as an unknown one.
pub(super) fn code(text: &str) -> Result<Code, Error> {
    Ok(Code::parse(text).ok_or(Refused::{{Noun}}NotFound)?)
}

pub(super) fn name(text: &str) -> Result<Name, Error> {
    Ok(Name::parse(text).map_err(Refused::from)?)
}

pub(super) fn cursor(token: &str, size: u32) -> Result<Cursor<{{Noun}}Id>, Error> {
    let cursor = Cursor::parse(token, size, PAGE_LIMIT).map_err(|error| match error {
        CursorError::Invalid => Fault::new(GrpcCode::InvalidArgument, "INVALID_PAGE_TOKEN"),
        CursorError::TooLarge { max } => {
            Fault::invalid_field("pageSize", format!("Ask for at most {max} at a time."))
        }
    });
    Ok(cursor?)
}

//! The gateway's OpenAPI document, made of the route table and the handlers' types.

pub mod document;
pub(crate) mod operation;
mod refusals;
pub(crate) mod schema;

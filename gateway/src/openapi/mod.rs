//! The gateway's OpenAPI document, made of the route table and the handlers' types.

pub(crate) mod operation;
pub(crate) mod schema;

//! SQL, a table family a file. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod tournament;

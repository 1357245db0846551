//! SQL, a table family a file. Functions take a connection and leave the
//! transaction to whoever began it.

pub mod {{noun}};

//! Mutual TLS between the processes of the mesh.
//!
//! A process proves its name with a certificate, whose only DNS name is the process's
//! name, and connects only to processes that prove theirs. The files are read again
//! every few seconds, so a renewed certificate needs no restart: new connections use it,
//! open ones go on. Operators' certificates come from an authority of their own.

mod callers;
mod certificates;
mod incoming;
mod name;

pub use certificates::Certificates;
pub use incoming::{Connection, OperatorCertificate, Peer, incoming};

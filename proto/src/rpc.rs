//! What the contract says about each RPC.

pub use crate::types::v1::{Access, Priority};
use ::types::Role;

/// The options of an RPC, from `types/v1/rpc.proto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rpc {
    /// `/{package}.{Service}/{Method}`.
    pub path: &'static str,
    /// Who may call.
    pub access: Access,
    /// What is shed first under overload.
    pub priority: Priority,
    /// The caller may repeat it after a lost reply (`idempotency_level`).
    pub repeatable: bool,
    /// The roles that let an operator call: one of them is enough. Empty for all other callers.
    pub roles: &'static [Role],
}

/// All RPCs of the mesh, sorted by path.
pub const RPCS: &[Rpc] = include!("gen/rpcs.rs");

impl Rpc {
    /// The RPC of a path.
    pub fn of(path: &str) -> Option<&'static Self> {
        let found = RPCS.binary_search_by_key(&path, |rpc| rpc.path);
        found.ok().map(|index| &RPCS[index])
    }

    /// The full name of its service, `playon.wallet.v1.WalletService`.
    pub fn service(&self) -> &'static str {
        self.path[1..].split_once('/').map_or("", |(service, _)| service)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rpc_is_found_by_its_path() {
        for rpc in RPCS {
            assert_eq!(Rpc::of(rpc.path), Some(rpc));
        }
        assert_eq!(Rpc::of("/playon.wallet.v1.WalletService/Rob"), None);
        assert_eq!(Rpc::of(""), None);
    }

    #[test]
    fn the_service_is_the_middle_of_the_path() {
        let rpc = Rpc::of("/playon.wallet.v1.WalletService/TopUp").unwrap();
        assert_eq!(rpc.service(), "playon.wallet.v1.WalletService");
        assert_eq!((rpc.access, rpc.priority), (Access::Active, Priority::High));
        assert!(rpc.repeatable);
    }
}

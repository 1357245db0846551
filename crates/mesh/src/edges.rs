//! Who may call whom: the one list of the calls within the mesh.
//!
//! Each process checks the callers of its own RPCs against it, and refuses to connect to
//! an upstream that it has no edge to. The network policies in `k8s/base` and the table in
//! `docs/ARCHITECTURE.md` are compared with it by tests.

/// Calls that one process may make to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The name in the caller's certificate.
    pub caller: &'static str,
    /// The name in the callee's certificate.
    pub callee: &'static str,
    /// The services of the contract that the caller may call, by their full names.
    pub services: &'static [&'static str],
}

/// The operators' program, whose certificates name the operator.
pub const OPERATORS: &str = "playonctl";

/// All edges, by callee and then by caller.
pub const EDGES: &[Edge] = &[
    edge(
        "gateway",
        "svc-auth",
        &[
            "playon.auth.v1.AuthService",
            "playon.auth.v1.DirectoryService",
            "playon.auth.v1.KeyService",
            "playon.auth.v1.PictureService",
            "playon.auth.v1.PlayerService",
        ],
    ),
    edge(
        "svc-wallet",
        "svc-auth",
        &[
            "playon.auth.v1.AdmissionService",
            "playon.auth.v1.DirectoryService",
            "playon.auth.v1.KeyService",
        ],
    ),
    edge(
        "svc-games",
        "svc-auth",
        &[
            "playon.auth.v1.AdmissionService",
            "playon.auth.v1.ErasureService",
            "playon.auth.v1.KeyService",
        ],
    ),
    edge(
        "svc-tournament",
        "svc-auth",
        &[
            "playon.auth.v1.AdmissionService",
            "playon.auth.v1.KeyService",
            "playon.auth.v1.PersonService",
        ],
    ),
    edge(
        "svc-chat",
        "svc-auth",
        &[
            "playon.auth.v1.AdmissionService",
            "playon.auth.v1.ErasureService",
            "playon.auth.v1.KeyService",
            "playon.auth.v1.PlayerLookupService",
        ],
    ),
    edge(
        OPERATORS,
        "svc-auth",
        &["playon.auth.v1.OperatorAdminService", "playon.auth.v1.PlayerAdminService"],
    ),
    edge(
        "gateway",
        "svc-wallet",
        &[
            "playon.wallet.v1.CallbackService",
            "playon.wallet.v1.PayoutService",
            "playon.wallet.v1.SpendingService",
            "playon.wallet.v1.SubscriptionService",
            "playon.wallet.v1.WalletService",
        ],
    ),
    edge(
        "svc-tournament",
        "svc-wallet",
        &["playon.wallet.v1.AwardService", "playon.wallet.v1.EntitlementService"],
    ),
    edge(
        "svc-auth",
        "svc-wallet",
        &["playon.privacy.v1.PlayerDataService", "playon.wallet.v1.FormerAccountService"],
    ),
    edge(
        OPERATORS,
        "svc-wallet",
        &["playon.wallet.v1.MoneyOperationsService", "playon.wallet.v1.WalletAdminService"],
    ),
    edge("gateway", "svc-games", &["playon.games.v1.GamesService", "playon.games.v1.PlayService"]),
    edge("svc-auth", "svc-games", &["playon.privacy.v1.PlayerDataService"]),
    edge(
        "svc-tournament",
        "svc-games",
        &["playon.games.v1.GamesService", "playon.games.v1.RunService"],
    ),
    edge(
        OPERATORS,
        "svc-games",
        &["playon.games.v1.CatalogueAdminService", "playon.games.v1.RunAdminService"],
    ),
    edge("gateway", "svc-tournament", &["playon.tournament.v1.TournamentService"]),
    edge("svc-auth", "svc-tournament", &["playon.privacy.v1.PlayerDataService"]),
    edge("svc-games", "svc-tournament", &["playon.tournament.v1.ScoreService"]),
    edge(
        OPERATORS,
        "svc-tournament",
        &["playon.tournament.v1.AwardAdminService", "playon.tournament.v1.TournamentAdminService"],
    ),
    edge(
        "gateway",
        "svc-chat",
        &[
            "playon.chat.v1.ChatMediaService",
            "playon.chat.v1.ChatService",
            "playon.chat.v1.PlayerNotificationService",
            "playon.chat.v1.PushService",
            "playon.chat.v1.SafetyService",
            "playon.chat.v1.SupportService",
        ],
    ),
    edge(
        "svc-auth",
        "svc-chat",
        &["playon.chat.v1.NotificationService", "playon.privacy.v1.PlayerDataService"],
    ),
    edge("svc-wallet", "svc-chat", &["playon.chat.v1.NotificationService"]),
    edge("svc-tournament", "svc-chat", &["playon.chat.v1.NotificationService"]),
    edge(
        OPERATORS,
        "svc-chat",
        &["playon.chat.v1.ChatAdminService", "playon.chat.v1.SafetyAdminService"],
    ),
];

const fn edge(from: &'static str, to: &'static str, services: &'static [&'static str]) -> Edge {
    Edge { caller: from, callee: to, services }
}

/// The edge from one process to another, if there is one.
pub fn find(from: &str, to: &str) -> Option<&'static Edge> {
    EDGES.iter().find(|edge| edge.caller == from && edge.callee == to)
}

/// Whether a process may call a service of the contract. The callee needs no name here: the names
/// of services are unique in the mesh, but for `PlayerDataService`, which has one caller.
pub fn allow(caller: &str, service: &str) -> bool {
    EDGES.iter().any(|edge| edge.caller == caller && edge.services.contains(&service))
}

//! gRPC clients of the services' own ports, past the gateway and with its certificate. They show that each
//! service verifies access tokens itself.

use mesh::grpc::client::Upstream;
use proto::{
    auth::v1::{GetProfileRequest, player_service_client::PlayerServiceClient},
    chat::v1::{ListRoomsRequest, chat_service_client::ChatServiceClient},
    wallet::v1::{GetBalanceRequest, wallet_service_client::WalletServiceClient},
};
use tonic::Code;

use crate::{Mesh, Player, Process, eventually};

/// A client of each service with an RPC that needs a player's token.
pub struct ServiceClients {
    auth: PlayerServiceClient<Upstream>,
    wallet: WalletServiceClient<Upstream>,
    chat: ChatServiceClient<Upstream>,
}

impl ServiceClients {
    /// Connects to the ports of the running services.
    pub fn connect(mesh: &Mesh) -> Self {
        let gateway = Process::find(mesh, "gateway");
        let upstream = |callee| Process::find(mesh, callee).upstream(callee, &gateway, "gateway");
        Self {
            auth: PlayerServiceClient::new(upstream("svc-auth")),
            wallet: WalletServiceClient::new(upstream("svc-wallet")),
            chat: ChatServiceClient::new(upstream("svc-chat")),
        }
    }

    /// Asserts that every service accepts the player's access token.
    pub async fn assert_accepted(&self, player: &Player) {
        assert_eq!(self.codes(player).await, [Code::Ok; 3]);
    }

    /// Waits until every service refuses the player's access token.
    pub async fn until_refused(&self, player: &Player) {
        eventually("every service refuses the access token", || async {
            (self.codes(player).await == [Code::Unauthenticated; 3]).then_some(())
        })
        .await;
    }

    /// The gRPC codes of one authenticated call to each service.
    async fn codes(&self, player: &Player) -> [Code; 3] {
        let (mut auth, mut wallet, mut chat) =
            (self.auth.clone(), self.wallet.clone(), self.chat.clone());
        let (auth, wallet, chat) = tokio::join!(
            auth.get_profile(signed(player, GetProfileRequest {})),
            wallet.get_balance(signed(player, GetBalanceRequest {})),
            chat.list_rooms(signed(player, ListRoomsRequest {})),
        );
        let code =
            |outcome: Option<tonic::Status>| outcome.map_or(Code::Ok, |status| status.code());
        [code(auth.err()), code(wallet.err()), code(chat.err())]
    }
}

fn signed<T>(player: &Player, message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    let bearer = format!("Bearer {}", player.access_token).parse().expect("a header");
    request.metadata_mut().insert("authorization", bearer);
    request
}

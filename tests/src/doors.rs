//! The services' own doors, which the gateway stands in front of. Each judges
//! tokens for itself; that can be seen only where nobody judged before.

use proto::{
    auth::v1::{GetProfileRequest, player_service_client::PlayerServiceClient},
    chat::v1::{ListRoomsRequest, chat_service_client::ChatServiceClient},
    wallet::v1::{GetBalanceRequest, wallet_service_client::WalletServiceClient},
};
use tonic::{Code, transport::Channel};

use crate::{Mesh, Player, Process, eventually};

/// Every service that judges players, asked without the gateway.
pub struct Doors {
    auth: PlayerServiceClient<Channel>,
    wallet: WalletServiceClient<Channel>,
    chat: ChatServiceClient<Channel>,
}

impl Doors {
    /// Finds them.
    pub async fn open(mesh: &Mesh) -> Self {
        Self {
            auth: PlayerServiceClient::new(Process::find(mesh, "svc-auth").channel().await),
            wallet: WalletServiceClient::new(Process::find(mesh, "svc-wallet").channel().await),
            chat: ChatServiceClient::new(Process::find(mesh, "svc-chat").channel().await),
        }
    }

    /// Each takes the player in.
    pub async fn admit(&self, player: &Player) {
        assert_eq!(self.ask(player).await, [Code::Ok; 3]);
    }

    /// Waits until each turns the player away.
    pub async fn turn_away(&self, player: &Player) {
        eventually("every service turns the player away", || async {
            (self.ask(player).await == [Code::Unauthenticated; 3]).then_some(())
        })
        .await;
    }

    async fn ask(&self, player: &Player) -> [Code; 3] {
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

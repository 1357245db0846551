//! From the domain's types to the wire's.

use proto::games::v1::Game as WireGame;

use crate::domain::Game;

impl From<Game> for WireGame {
    fn from(game: Game) -> Self {
        Self {
            id: game.id.to_string(),
            name: game.name,
            package_id: game.package_id,
            description: game.description,
            game_icon: game.game_icon,
            trailer_link: game.trailer_link,
            game_url: game.game_url,
            featured: game.featured,
        }
    }
}

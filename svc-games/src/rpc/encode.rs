//! From the domain's types to the wire's.

use proto::{
    games::v1::{
        Event as WireEvent, Game as WireGame, Rules, StartSessionResponse, SubmitScoreResponse, Trust as WireTrust,
        TvItem as WireTvItem,
    },
    timestamp,
};

use crate::{
    app::{Score, Started},
    domain::{Event, Game, Trust, TvItem},
};

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
            world: game.world,
            levels: game.levels.unsigned_abs(),
        }
    }
}

impl From<Started> for StartSessionResponse {
    fn from(Started { ticket, session, game }: Started) -> Self {
        let rules = Rules {
            url: format!("{}rules.wasm?{}", game.game_url, session.rules),
            sha256: session.rules.to_string(),
        };
        Self {
            session: ticket.expose(),
            game_url: game.game_url,
            expires_at: Some(timestamp(session.expires_at)),
            seed: session.seed,
            level: session.level.unsigned_abs(),
            rules: Some(rules),
        }
    }
}

impl From<Score> for SubmitScoreResponse {
    fn from(score: Score) -> Self {
        let trust = match score.trust {
            Trust::Proven => WireTrust::Proven,
            Trust::Signed => WireTrust::Signed,
            Trust::Claimed => WireTrust::Claimed,
            Trust::Held => WireTrust::Held,
        };
        Self { points: score.points, best: score.best, trust: trust.into() }
    }
}

impl From<Event> for WireEvent {
    fn from(event: Event) -> Self {
        Self {
            id: event.id.to_string(),
            created_at: Some(timestamp(event.created_at)),
            title: event.title,
            description: event.description,
            event_banner_url: event.event_banner_url,
        }
    }
}

impl From<TvItem> for WireTvItem {
    fn from(item: TvItem) -> Self {
        Self {
            id: item.id.to_string(),
            title: item.title,
            channel_url: item.channel_url,
            primary: item.is_primary,
            created_at: Some(timestamp(item.created_at)),
        }
    }
}

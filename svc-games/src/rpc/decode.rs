//! From the wire's types to the domain's.

use proto::{
    from_timestamp,
    games::v1::{
        ContentKind as WireKind, EventManifest as WireEvent, GameManifest as WireGame,
        TvItemManifest as WireTvItem,
    },
};

use crate::{
    domain::{
        ContentKind, EventManifest, GameId, GameManifest, Inputs, InvalidContent, Key, RulesHash,
        TvItemManifest,
    },
    error::{Error, Refused},
    proof::Ticket,
};

/// A malformed id gets the same reply as an unknown one.
pub(super) fn game_id(text: &str) -> Result<GameId, Error> {
    Ok(GameId::parse(text).map_err(|_| Refused::GameNotFound)?)
}

/// A malformed hash gets the same reply as an unknown one.
pub(super) fn rules(text: &str) -> Result<RulesHash, Error> {
    Ok(RulesHash::parse(text).ok_or(Refused::RulesNotFound)?)
}

/// A malformed ticket gets the same reply as a forged one.
pub(super) fn ticket(text: &str) -> Result<Ticket, Error> {
    Ok(Ticket::parse(text).ok_or(Refused::SessionNotFound)?)
}

pub(super) fn inputs(bytes: Vec<u8>) -> Result<Inputs, Error> {
    Ok(Inputs::parse(bytes).map_err(Refused::from)?)
}

pub(super) fn key(text: &str) -> Result<Key, Error> {
    Ok(Key::parse(text).map_err(Refused::from)?)
}

pub(super) fn kind(kind: WireKind) -> Result<ContentKind, Error> {
    match kind {
        WireKind::Game => Ok(ContentKind::Game),
        WireKind::Event => Ok(ContentKind::Event),
        WireKind::TvItem => Ok(ContentKind::TvItem),
        WireKind::Unspecified => Err(invalid("kind", "is missing").into()),
    }
}

pub(super) fn game(game: WireGame) -> Result<GameManifest, Error> {
    let rules = game.rules_sha256;
    let rules = (!rules.is_empty()).then(|| {
        RulesHash::parse(&rules).ok_or_else(|| invalid("rules", "has a sha256 of 64 hex digits"))
    });
    Ok(GameManifest {
        key: key(&game.key)?,
        name: game.name,
        package_id: game.package_id,
        description: game.description,
        game_icon: game.game_icon,
        trailer_link: game.trailer_link,
        game_url: (!game.game_url.is_empty()).then_some(game.game_url),
        featured: game.featured,
        world: game.world,
        levels: i32::try_from(game.levels).map_err(|_| invalid("levels", "is 1 to 16"))?,
        rules: rules.transpose()?,
    })
}

pub(super) fn event(event: WireEvent) -> Result<EventManifest, Error> {
    let created_at = from_timestamp(event.created_at, "createdAt");
    Ok(EventManifest {
        key: key(&event.key)?,
        title: event.title,
        description: event.description,
        event_banner_url: event.event_banner_url,
        created_at: created_at.map_err(|_| invalid("createdAt", "is a time"))?,
    })
}

pub(super) fn tv_item(item: WireTvItem) -> Result<TvItemManifest, Error> {
    let created_at = from_timestamp(item.created_at, "createdAt");
    Ok(TvItemManifest {
        key: key(&item.key)?,
        title: item.title,
        channel_url: item.channel_url,
        is_primary: item.primary,
        created_at: created_at.map_err(|_| invalid("createdAt", "is a time"))?,
    })
}

fn invalid(field: &'static str, problem: &str) -> Refused {
    Refused::Content(InvalidContent { field, problem: problem.to_owned() })
}

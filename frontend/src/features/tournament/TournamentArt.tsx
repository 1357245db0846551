import type { CSSProperties } from "react";
import type { Game } from "@/entities/game/api";
import { GameArt } from "@/entities/game/GameArt";
import { ownWorld } from "@/entities/game/model";
import { WorldArt } from "@/ui/WorldArt";
import type { Tournament } from "./api";
import { tournamentWorld } from "./model";

interface TournamentArtProps {
  readonly tournament: Tournament;
  readonly games: readonly Game[] | undefined;
  readonly className: string | undefined;
  /** The style of art that moves between pages. */
  readonly style?: CSSProperties | undefined;
}

/** The drawing of the game's world; for a game of another publisher, its own picture. */
export function TournamentArt({ tournament, games, className, style }: TournamentArtProps) {
  const game = games?.find(({ id }) => id === tournament.gameId);
  if (game && !ownWorld(game)) {
    return (
      <span className={className} style={style}>
        <GameArt game={game} />
      </span>
    );
  }
  return <WorldArt world={tournamentWorld(tournament, games)} className={className} style={style} />;
}

import { useLocation, useParams } from "react-router";
import { accountPaths } from "@/app/accountPaths";
import { gamePath, playPath } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { Leaderboard } from "@/features/tournament/Leaderboard";
import { passedTournament } from "@/features/tournament/model";

export function Component() {
  const { id = "" } = useParams();
  const { state } = useLocation();
  const passed = passedTournament(state);
  return (
    <Leaderboard
      key={id}
      id={id}
      passed={passed?.id === id ? passed : null}
      back={paths.tournaments}
      toPlay={playPath}
      phones={accountPaths.phones}
      toGame={(tournament) => gamePath(tournament.gameId, { tournamentId: tournament.id })}
    />
  );
}

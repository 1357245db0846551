import { gamePath } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { boardPath } from "@/app/tournamentPaths";
import { TournamentList } from "@/features/tournament/TournamentList";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <Screen title={t("tournaments.title")} back={paths.dashboard} wide>
      <TournamentList
        home={paths.dashboard}
        toGame={({ id, gameId }) => gamePath(gameId, { tournamentId: id })}
        toBoard={({ id }) => boardPath(id)}
      />
    </Screen>
  );
}

import { paths } from "@/app/paths";
import { TournamentList } from "@/features/tournament/TournamentList";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <Screen title={t("tournaments.title")} back={paths.dashboard}>
      <TournamentList home={paths.dashboard} />
    </Screen>
  );
}

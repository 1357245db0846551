import { gamePath } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { AllGames } from "@/features/games/GameLists";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { Screen } from "@/ui/Screen";

/** All games. Guests may look at them, and practise. */
export function Component() {
  const home = useSignedIn() ? paths.dashboard : paths.home;
  return (
    <Screen title={t("games.title")} back={home} wide>
      <AllGames linkOf={gamePath} />
    </Screen>
  );
}

import { paths } from "@/app/paths";
import { HallOfFame } from "@/features/tournament/HallOfFame";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <Screen title={t("fame.title")} back={paths.dashboard} wide>
      <HallOfFame />
    </Screen>
  );
}

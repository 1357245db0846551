import { useSignOutEverywhere } from "@/app/layouts/useLogout";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { Button, ButtonLink } from "@/ui/Button";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";

/** What a player can do about a sign-in on a device that the account was not known on. A notification leads here. */
export function Component() {
  const signOut = useSignOutEverywhere();
  return (
    <Screen title={t("newDevice.title")} back={paths.notifications}>
      <DumaCard world="dash" pose="sleep">
        {t("newDevice.line")}
      </DumaCard>
      <p>{t("newDevice.text")}</p>
      <Button variant="danger" wide busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("newDevice.notMe")}
      </Button>
      <ButtonLink variant="quiet" wide to={paths.notifications}>
        {t("newDevice.wasMe")}
      </ButtonLink>
    </Screen>
  );
}

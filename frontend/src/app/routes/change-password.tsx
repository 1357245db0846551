import { paths } from "@/app/paths";
import { ChangePasswordForm } from "@/features/auth/components/ChangePasswordForm";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { usePlayer } from "@/lib/session/useSession";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";

/** The change of a signed-in player's password. */
export function Component() {
  const player = usePlayer();
  const goBack = useGoBack(paths.account);
  return (
    <Screen title={t("password.change.title")} back={paths.account}>
      <DumaCard world="maneno" pose="look">
        {t("password.change.line")}
      </DumaCard>
      <ChangePasswordForm email={player?.email ?? ""} onChanged={goBack} />
    </Screen>
  );
}

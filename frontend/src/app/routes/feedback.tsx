import { paths } from "@/app/paths";
import { Contacts } from "@/features/support/Contacts";
import { FeedbackForm } from "@/features/support/FeedbackForm";
import { t } from "@/lib/i18n/i18n";
import { usePlayer, useSignedIn } from "@/lib/session/useSession";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";

/** Contact us: the form, and the other ways to reach the support. Open to guests. */
export function Component() {
  const player = usePlayer();
  const isSignedIn = useSignedIn();
  return (
    <Screen title={t("support.title")} back={isSignedIn ? paths.dashboard : paths.home}>
      <DumaCard world="maneno" pose="look">
        <strong>{t("support.headline")}</strong>
        <span>{t("support.line")}</span>
      </DumaCard>
      <FeedbackForm email={player?.email ?? ""} />
      <Contacts />
    </Screen>
  );
}

import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { Passes } from "@/features/wallet/components/Passes";
import type { Draft } from "@/features/wallet/draft";
import { t } from "@/lib/i18n/i18n";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";
import styles from "./subscriptions.module.css";

/** The packages. Choosing one opens the review, and with it the methods for a player who has used none of them. */
export function Component() {
  const navigate = useNavigate();
  return (
    <Screen title={t("passes.title")} back={paths.account}>
      <DumaCard world="dash" pose="wave">
        <p className={styles.intro}>{t("passes.intro")}</p>
      </DumaCard>
      <Passes
        onChoose={({ id, name, amount }) => {
          const draft: Draft = {
            id: crypto.randomUUID(),
            type: "SUBSCRIPTION",
            amount,
            subscriptionPackageId: id,
            packageName: name,
            previousPath: paths.subscriptions,
          };
          // The entry is not replaced, so that back leads to the packages again.
          void navigate(paths.review, { state: draft, viewTransition: true });
        }}
      />
    </Screen>
  );
}

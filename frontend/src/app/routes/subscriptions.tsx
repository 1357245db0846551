import { useState } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { Passes } from "@/features/wallet/components/Passes";
import type { Draft } from "@/features/wallet/draft";
import { useMethodChoice } from "@/features/wallet/hooks/useMethodChoice";
import { nextStep } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import { DumaCard } from "@/ui/DumaCard";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";
import styles from "./subscriptions.module.css";

const MethodSheet = lazyOverlay(
  async () => (await import("@/features/wallet/components/MethodSheet")).MethodSheet,
);

/** The packages. Choosing one opens the methods, and then the confirmation or the airtime screen. */
export function Component() {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft | null>(null);
  const choice = useMethodChoice(draft, (next) => {
    const isAirtime = nextStep(next.type, next.paymentMethod ?? "") === "airtime";
    // The entry is not replaced, so that back leads to the packages again.
    void navigate(isAirtime ? paths.airtime : paths.pay, { state: next, viewTransition: true });
  });
  return (
    <Screen title={t("passes.title")} back={paths.account}>
      <DumaCard world="dash" pose="wave">
        <p className={styles.intro}>{t("passes.intro")}</p>
      </DumaCard>
      <Passes
        onChoose={({ id, name, amount }) => {
          setDraft({
            id: crypto.randomUUID(),
            type: "SUBSCRIPTION",
            amount,
            subscriptionPackageId: id,
            packageName: name,
            previousPath: paths.subscriptions,
          });
          choice.open();
        }}
      />
      {choice.isOpen && draft ? (
        <MethodSheet draft={draft} onChoose={choice.choose} onClose={choice.close} />
      ) : null}
    </Screen>
  );
}

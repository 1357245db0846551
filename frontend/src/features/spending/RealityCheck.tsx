import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { StagePage } from "@/ui/Stage";
import { restartPlayTime } from "./playTime";
import { spendingQuery } from "./queries";

interface RealityCheckProps {
  readonly onGoOn: () => void;
  readonly onStop: () => void;
  /** Called when a player wants to set a limit. */
  readonly onLimits: () => void;
}

/** Says after an hour of play how long that was and, to a player, what was paid in and won today. */
export function RealityCheck({ onGoOn, onStop, onLimits }: RealityCheckProps) {
  const isSignedIn = useSignedIn();
  const { data } = useQuery({ ...spendingQuery, enabled: isSignedIn });
  const today = data?.find(({ period }) => period === "DAY");
  const title = t("check.title");
  useTitle(title);
  useEffect(restartPlayTime, []);
  const figures =
    today &&
    t("check.today", {
      moneyIn: formatKes(today.moneyIn.spent),
      packages: formatKes(today.packages.spent),
      won: formatKes(today.won),
    });
  return (
    <StagePage pose="wave" world="dash" title={title} text={figures ?? t("check.text")}>
      <Button wide onClick={onStop}>
        {t("check.stop")}
      </Button>
      <Button wide variant="quiet" onClick={onGoOn}>
        {t("check.goOn")}
      </Button>
      {isSignedIn ? (
        <Button wide variant="plain" onClick={onLimits}>
          {t("check.limits")}
        </Button>
      ) : null}
    </StagePage>
  );
}

import { useBestSubscription } from "@/features/wallet/hooks/useSubscriptions";
import { timeLeft } from "@/features/wallet/timeLeft";
import { TickingText } from "@/ui/Countdown";

/** The best active package with its remaining time: "Gold · 18 h 20 min". Without one, the text `none`. */
export function RunningPass({ none }: { readonly none: string }) {
  const best = useBestSubscription();
  if (!best) return none;
  return <TickingText textAt={(now) => `${best.name} · ${timeLeft(best.until.getTime() - now)}`} />;
}

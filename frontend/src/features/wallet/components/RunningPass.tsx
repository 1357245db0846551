import { useBestSubscription } from "@/features/wallet/hooks/useSubscriptions";
import { timeLeft } from "@/features/wallet/timeLeft";
import { TickingText } from "@/ui/Countdown";

/** The best package that runs and the time that is left of it: "Gold · 18 h 20 min". Else the text for none. */
export function RunningPass({ none }: { readonly none: string }) {
  const best = useBestSubscription();
  if (!best) return none;
  return <TickingText textAt={(now) => `${best.name} · ${timeLeft(best.until.getTime() - now)}`} />;
}

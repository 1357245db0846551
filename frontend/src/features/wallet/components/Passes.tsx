import { Check, Crown, Flame } from "lucide-react";
import type { Package } from "@/features/wallet/api/subscriptions";
import { usePackages, useSubscriptions } from "@/features/wallet/hooks/useSubscriptions";
import { inOrder, runsUntil, tierOf } from "@/features/wallet/subscriptions";
import { timeLeft } from "@/features/wallet/timeLeft";
import { formatCount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useServerNowAfter } from "@/lib/useServerNow";
import { Button } from "@/ui/Button";
import { TickingText } from "@/ui/Countdown";
import { Listing, Steps } from "@/ui/Listing";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./Passes.module.css";

interface PassProps {
  readonly pass: Package;
  /** When the player's subscription of the package ends; null without one. */
  readonly until: Date | null;
  readonly onChoose: () => void;
}

/** One package as a day pass: the metal stub with its price, and its benefits. */
function Pass({ pass, until, onChoose }: PassProps) {
  const { name, description, currency, amount, duration, popular } = pass;
  const tier = tierOf(name);
  return (
    <li className={styles.place}>
      {popular ? (
        <span className={styles.popular}>
          <Flame size={14} fill="currentColor" aria-hidden="true" />
          {t("passes.popular")}
        </span>
      ) : null}
      <article
        className={styles.pass}
        data-tier={tier}
        data-running={until ? "" : undefined}
        aria-label={name}
      >
        <p className={styles.stub}>
          {tier === "platinum" ? <Crown size={24} fill="currentColor" aria-hidden="true" /> : null}
          <span>{currency}</span>
          <b className={styles.price}>{formatCount(amount)}</b>
          <span>{duration}</span>
        </p>
        <div className={styles.words}>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.text}>{description}</p>
          {until ? (
            <>
              <p className={styles.subscribed}>
                <Check className={styles.check} size={18} strokeWidth={3} aria-hidden="true" />
                <span>
                  {t("passes.subscribed")}
                  <small className={styles.left}>
                    <TickingText
                      textAt={(now) => t("passes.left", { time: timeLeft(until.getTime() - now) })}
                    />
                  </small>
                </span>
              </p>
              <Button variant="plain" onClick={onChoose} aria-label={t("passes.extendNamed", { name })}>
                {t("passes.extend")}
              </Button>
            </>
          ) : (
            <Button
              variant={tier === "platinum" ? "hero" : popular ? "primary" : "quiet"}
              wide
              onClick={onChoose}
              aria-label={t("passes.chooseNamed", { name })}
            >
              {t("passes.choose")}
            </Button>
          )}
        </div>
      </article>
    </li>
  );
}

/** The packages, each with the remaining time of the player's subscription. */
export function Passes({ onChoose }: { readonly onChoose: (pass: Package) => void }) {
  const packages = usePackages();
  const subscriptions = useSubscriptions();
  const ends = (subscriptions.data ?? []).map(({ expiresAt }) => new Date(expiresAt));
  // The time is renewed when a subscription ends.
  const now = useServerNowAfter(ends);
  return (
    <Listing
      query={{ ...packages, data: packages.data && [...inOrder(packages.data)] }}
      skeleton={
        <div className={styles.passes}>
          {[0, 1, 2, 3].map((place) => (
            <Skeleton key={place} height={148} radius={20} />
          ))}
        </div>
      }
      empty={{ title: t("ui.empty"), text: t("passes.empty"), world: "ajua" }}
    >
      {(passes) => (
        <Steps className={styles.passes}>
          {passes.map((pass) => (
            <Pass
              key={pass.id}
              pass={pass}
              until={runsUntil(subscriptions.data, pass.id, now)}
              onChoose={() => onChoose(pass)}
            />
          ))}
        </Steps>
      )}
    </Listing>
  );
}

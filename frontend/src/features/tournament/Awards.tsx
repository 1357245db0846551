import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./Awards.module.css";
import type { Award } from "./api";
import { awardsByTier, TIERS, type Tier } from "./board";
import { ordinalText } from "./ordinal";
import { Kes } from "./Parts";
import { awardsQuery } from "./queries";

/** Positions of a tier that are shown at first; a press shows the others. */
const FIRST = 3;

const names = { gold: "awards.gold", silver: "awards.silver", bronze: "awards.bronze" } as const;

/** Whether an award's name says no more than the money beside it. */
function isAmount(name: string, cash: number): boolean {
  return Number.parseFloat(name.replace(/[^\d.]/g, "")) === cash && /^(?:kes|ksh)?[\s\d.,]*$/i.test(name);
}

function Line({ award: { position, award, cash } }: { readonly award: Award }) {
  const hasCash = cash !== null && cash > 0;
  return (
    <li className={styles.line}>
      <span className={styles.position}>{ordinalText(position)}</span>
      {hasCash ? (
        <strong className={styles.cash}>
          <Kes amount={cash} />
        </strong>
      ) : null}
      {hasCash && isAmount(award.name, cash) ? null : <span className={styles.award}>{award.name}</span>}
    </li>
  );
}

interface TierCardProps {
  readonly tier: Tier;
  readonly awards: readonly Award[];
  /** The next lower tier that has awards, which is shown for a tier without any. */
  readonly instead: Tier | undefined;
}

function TierCard({ tier, awards, instead }: TierCardProps) {
  return (
    <section className={`${styles.tier} ${styles[tier]}`} aria-label={t(names[tier])}>
      <h3 className={styles.title}>{t(names[tier])}</h3>
      {awards.length === 0 ? (
        <p className={styles.award}>
          {instead ? t("awards.asNext", { tier: t(names[instead]) }) : t("awards.none")}
        </p>
      ) : null}
      <ol className={styles.lines}>
        {awards.map((award) => (
          <Line key={`${award.position} ${award.award.name}`} award={award} />
        ))}
      </ol>
    </section>
  );
}

/**
 * The award of each position, by the player's package: Gold, Silver and Bronze. Renders nothing in a tournament without
 * awards.
 */
export function Awards({ tournamentId }: { readonly tournamentId: string }) {
  const query = useQuery(awardsQuery(tournamentId));
  const error = useLastError(query);
  const [areAllShown, showAll] = useState(false);
  const heading = useId();
  if (query.data?.length === 0) return null;
  const tiers = awardsByTier(query.data ?? []);
  const isLong = TIERS.some((tier) => tiers[tier].length > FIRST);
  return (
    <section className={styles.awards} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {t("awards.title")}
      </h2>
      {query.data ? (
        <>
          <div className={styles.tiers}>
            {TIERS.map((tier, place) => (
              <TierCard
                key={tier}
                tier={tier}
                instead={TIERS.slice(place + 1).find((lower) => tiers[lower].length > 0)}
                awards={areAllShown ? tiers[tier] : tiers[tier].slice(0, FIRST)}
              />
            ))}
          </div>
          <p className={styles.note}>{t("awards.note")}</p>
          {isLong ? (
            <Button variant="plain" aria-expanded={areAllShown} onClick={() => showAll(!areAllShown)}>
              {t(areAllShown ? "awards.fewer" : "awards.all")}
            </Button>
          ) : null}
        </>
      ) : error ? (
        <div className={styles.failed} role="alert">
          <p>
            {t("awards.failed")}. {messageOf(error)}
          </p>
          <Button variant="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
            {t("ui.retry")}
          </Button>
        </div>
      ) : (
        <AwardsSkeleton />
      )}
    </section>
  );
}

export function AwardsSkeleton() {
  return (
    <div className={styles.tiers}>
      {TIERS.map((tier) => (
        <Skeleton key={tier} height={156} radius={16} />
      ))}
    </div>
  );
}

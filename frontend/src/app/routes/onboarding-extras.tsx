import { ArrowUp, Check } from "lucide-react";
import { formatCount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import styles from "./onboarding.module.css";
import amina from "./onboarding-art/amina.svg";
import kiprono from "./onboarding-art/kiprono.svg";
import wanjiru from "./onboarding-art/wanjiru.svg";

/** The names of the games, which are Swahili words. */
const GAMES = ["Ajua", "Maneno", "Duma Dash"];

/** Below the first slide's picture: the names of the games. */
export function Games() {
  return (
    <ul className={styles.games} lang="sw">
      {GAMES.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}

/** Sample rows of a leaderboard, the reader's own first. */
const ROWS = [
  { rank: 4, face: wanjiru, name: null, points: 1386 },
  { rank: 5, face: amina, name: "amina.k", points: 1377 },
  { rank: 6, face: kiprono, name: "kiprono_k", points: 1352 },
];

/** Below the second slide's picture: the reader has climbed five ranks. */
export function Climb() {
  return (
    <ol className={styles.climb} aria-label={t("onboarding.compete.climb")}>
      {ROWS.map(({ rank, face, name, points }) => (
        <li key={rank} className={name === null ? styles.you : undefined}>
          <b>{rank}</b>
          <img src={face} width="36" height="36" alt="" />
          <span className={styles.name}>{name ?? t("onboarding.compete.you")}</span>
          {name === null ? (
            <span className={styles.up}>
              <ArrowUp size={16} strokeWidth={2.5} aria-hidden="true" />5
            </span>
          ) : null}
          <span className={styles.points}>{formatCount(points)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Below the third slide's picture: money has arrived on the phone. */
export function Paid() {
  return (
    <p className={styles.paid}>
      <span className={styles.tick}>
        <Check size={24} strokeWidth={3} aria-hidden="true" />
      </span>
      <span className={styles.name}>
        <b>{formatKes(250)}</b> <span>{t("onboarding.cash.sent")}</span>
      </span>
    </p>
  );
}

import { Hourglass, Lock, MicOff } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import styles from "./Safety.module.css";
import type { Sending } from "./sending";

/** "12 s", "5 min", "2 h" or "3 d": rounded up, so that the time is never over early. */
export function shortTime(seconds: number): string {
  if (seconds < 60) return t("chat.seconds", { count: seconds });
  if (seconds < 3_600) return t("chat.minutes", { count: Math.ceil(seconds / 60) });
  if (seconds < 86_400) return t("chat.hours", { count: Math.ceil(seconds / 3_600) });
  return t("chat.days", { count: Math.ceil(seconds / 86_400) });
}

/** Says why the player cannot send now, or how often; renders nothing for a player who may send. */
export function SendingNotice({ sending }: { readonly sending: Sending }) {
  const { isClosed, muted, wait, slowMode } = sending;
  const icon = { size: 18, "aria-hidden": true } as const;
  if (isClosed) {
    return (
      <p className={styles.notice} role="status">
        <Lock {...icon} /> {t("chat.roomClosed")}
      </p>
    );
  }
  if (muted > 0) {
    return (
      <p className={styles.notice} role="status">
        <MicOff {...icon} /> {t("chat.muted", { time: shortTime(muted) })}
      </p>
    );
  }
  if (slowMode === 0) return null;
  return (
    // The countdown is not announced each second.
    <p className={styles.notice}>
      <Hourglass {...icon} />{" "}
      {wait > 0
        ? t("chat.slowWait", { time: shortTime(wait) })
        : t("chat.slowMode", { time: shortTime(slowMode) })}
    </p>
  );
}

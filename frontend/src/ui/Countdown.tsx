import { useServerNow } from "@/lib/useServerNow";
import styles from "./Countdown.module.css";

const pad = (value: number) => String(value).padStart(2, "0");

/** Hours, minutes and seconds; or days, hours and minutes from one day on. */
function figuresOf(ms: number): [number, number, number] {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  return days > 0 ? [days, hours, minutes] : [hours, minutes, seconds % 60];
}

interface CountdownProps {
  readonly until: Date;
  /** The time that is left in words, for screen readers: "Ends in 2 h 14 min". */
  readonly label: (ms: number) => string;
}

/** The time until a moment by the server's clock, in three boxes that never move sideways. */
export function Countdown({ until, label }: CountdownProps) {
  const left = until.getTime() - useServerNow();
  return (
    <span role="timer" aria-label={label(left)} className={styles.countdown}>
      {figuresOf(left).map((figure, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the three places never change.
        <span key={place} className={styles.figure} aria-hidden="true">
          {pad(figure)}
        </span>
      ))}
    </span>
  );
}

import type { Game } from "@/entities/game/api";
import { levelName } from "@/features/games/level";
import { t } from "@/lib/i18n/i18n";
import styles from "./LevelChoice.module.css";

interface LevelChoiceProps {
  readonly game: Game;
  readonly level: number;
  readonly onChoose: (level: number) => void;
}

/** The choice of the next run's level. */
export function LevelChoice({ game, level, onChoose }: LevelChoiceProps) {
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{t("game.level")}</legend>
      <div className={styles.levels}>
        {Array.from({ length: game.levels }, (_, each) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the level.
          <label key={each} className={styles.level}>
            <input
              type="radio"
              name="level"
              className={styles.radio}
              checked={each === level}
              onChange={() => onChoose(each)}
            />
            <span className={styles.face}>{levelName(game, each)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

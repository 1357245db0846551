import { formatNumber, translate } from "./texts";
import type { Language, Mode, Result } from "./types";

export interface Verdict {
  /** Whether the result is celebrated: a new best, and not in a lost game. */
  celebrates: boolean;
  mood: NonNullable<Result["mood"]>;
  ribbon: string;
  /** The line below the score. Empty for 0 points, which are not compared with the best. */
  line: string;
}

/** Returns what the result screen says about a score. `best` is the best score before the run, 0 if there was none. */
export function verdictOf(
  { mode, score, best, own }: { mode: Mode; score: number; best: number; own: Result },
  language: Language,
): Verdict {
  const watching = mode === "watch";
  const newBest = !watching && score > best;
  const mood = own.mood ?? (newBest ? "cheer" : "wave");
  const ribbon = watching
    ? translate(language, "watched")
    : (own.ribbon ?? translate(language, ribbonOf(score, best)));
  const line = watching ? "" : (own.line ?? comparison(score, best, language));
  return { celebrates: newBest && mood === "cheer", mood, ribbon, line };
}

/** The result of a live run that ended before the game was over. */
export function cutResult(language: Language): Result {
  return { ribbon: translate(language, "wellPlayed"), mood: "wave", line: translate(language, "cut") };
}

function ribbonOf(score: number, best: number): "noPoints" | "first" | "newBest" | "soClose" | "wellPlayed" {
  if (score === 0) return "noPoints";
  if (score > best) return best > 0 ? "newBest" : "first";
  return score >= best * 0.85 ? "soClose" : "wellPlayed";
}

function comparison(score: number, best: number, language: Language): string {
  if (score === 0) return "";
  if (best === 0) return translate(language, "firstScore");
  if (score > best) return translate(language, "moreThanBest", formatNumber(score - best));
  if (score === best) return translate(language, "equalsBest");
  return translate(language, "lessThanBest", formatNumber(best - score));
}

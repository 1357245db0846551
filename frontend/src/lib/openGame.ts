import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { hardNavigate, leaveApp } from "@/lib/navigation";

/** A page of a game to open: for a run, for practice, or to watch a run. */
export interface GamePage {
  readonly url: string;
  /** Whether PlayOn serves the page, which opens inside the app. The page of another company opens in the app's place. */
  readonly hosted: boolean;
  /** The path of the app's screen around the game. */
  readonly screen: string;
}

/** What the navigation state of the screen around a game holds. */
export interface PlayState {
  /** Null once the run is over. */
  readonly gameUrl: string | null;
  /** Whether the entry is that of a run, which Back pauses. */
  readonly isRun: boolean;
}

/**
 * Opens a game in this page's place in the history, unless `keepsPage`. The game's way back takes that place again, so
 * that Back never enters a game that was left. `isLeaving` is true while another company's page loads.
 */
export function useOpenGame() {
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  // Going back can show this page again as it was left.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false);
    window.addEventListener("pageshow", shown);
    return () => window.removeEventListener("pageshow", shown);
  }, []);
  const open = useCallback(
    ({ url, hosted, screen }: GamePage, { keepsPage = false } = {}) => {
      const state: PlayState = { gameUrl: url, isRun: false };
      if (hosted) return void navigate(screen, { replace: !keepsPage, state });
      setLeaving(true);
      if (keepsPage) hardNavigate(url);
      else leaveApp(url);
    },
    [navigate],
  );
  return { open, isLeaving };
}

/** The URL of the game in the navigation state of the screen around it; null without one. */
export function gameUrlIn(state: unknown): string | null {
  const { gameUrl } = (state ?? {}) as Partial<PlayState>;
  return typeof gameUrl === "string" ? gameUrl : null;
}

/** Whether a navigation state is that of a run. */
export function isRunIn(state: unknown): boolean {
  return ((state ?? {}) as Partial<PlayState>).isRun === true;
}

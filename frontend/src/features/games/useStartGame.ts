import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Game } from "@/entities/game/api";
import { startSession } from "@/features/games/api";
import { practiceUrl, sessionUrl } from "@/features/games/launch";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage } from "@/lib/i18n/language";
import { hardNavigate } from "@/lib/navigation";
import { toast } from "@/lib/toast";

interface Run {
  readonly tournamentId: string | null;
  readonly level: number | null;
  /** Skips the game's title screen: the player asked for another run. */
  readonly go?: boolean;
}

/** Opens a game in this window: with a play session, whose score counts, or for practice. */
export function useStartGame(game: Game) {
  const [isLeaving, setLeaving] = useState(false);

  // The way back can show this page again as it was left.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false);
    window.addEventListener("pageshow", shown);
    return () => window.removeEventListener("pageshow", shown);
  }, []);

  const open = (url: string | null) => {
    if (!url) return toast.error(t("game.failed"));
    setLeaving(true);
    hardNavigate(url);
  };
  const session = useMutation({
    mutationFn: ({ tournamentId, level }: Run) => startSession({ gameId: game.id, tournamentId, level }),
    meta: { change: "game/opened" },
    onSuccess: ({ gameUrl }, { go = false }) =>
      open(sessionUrl(gameUrl, { go, language: currentLanguage() })),
  });
  return {
    isStarting: session.isPending || isLeaving,
    play: session.mutate,
    practise: (go = false) => open(practiceUrl(game, { go, language: currentLanguage() })),
  };
}

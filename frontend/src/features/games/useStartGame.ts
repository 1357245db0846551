import { useMutation } from "@tanstack/react-query";
import type { Game } from "@/entities/game/api";
import { startSession } from "@/features/games/api";
import { practiceUrl, sessionUrl } from "@/features/games/launch";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage } from "@/lib/i18n/language";
import { useOpenGame } from "@/lib/openGame";
import { useSignedIn } from "@/lib/session/useSession";
import { messageOf, toast } from "@/lib/toast";

interface Run {
  readonly tournamentId: string | null;
  readonly level: number | null;
  /** Skips the game's title screen. */
  readonly go?: boolean;
}

export interface StartOptions {
  /** The path of the screen around the game. */
  readonly screen: string;
  /** The server refused a session with this code. Returns whether the page shows it. */
  readonly onRefused?: ((code: string) => boolean) | undefined;
  /** Whether the page stays in the history: the game's way back does not lead to it. */
  readonly keepsPage?: boolean;
}

/** Opens a game: with a play session, whose score counts, or for practice. */
export function useStartGame(game: Game, { screen, onRefused, keepsPage = false }: StartOptions) {
  const isSignedIn = useSignedIn();
  const { open: openPage, isLeaving } = useOpenGame();
  const open = (url: string | null) => {
    if (!url) return toast.error(t("game.failed"));
    openPage({ url, hosted: game.hosted, screen }, { keepsPage });
  };
  const session = useMutation({
    mutationFn: ({ tournamentId, level }: Run) => startSession({ gameId: game.id, tournamentId, level }),
    meta: { change: "game/played", quiet: true },
    onSuccess: ({ gameUrl }, { go = false }) =>
      open(sessionUrl(gameUrl, { go, language: currentLanguage() })),
    onError: (cause) => {
      if (cause instanceof Fault && (cause.unauthenticated || onRefused?.(cause.code))) return;
      toast.error(messageOf(cause));
    },
  });
  return {
    isStarting: session.isPending || isLeaving,
    play: session.mutate,
    practise: (go = false) =>
      open(practiceUrl(game, { go, isGuest: !isSignedIn, language: currentLanguage() })),
  };
}

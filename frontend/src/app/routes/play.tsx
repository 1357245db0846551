import { useEffect, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { accountPaths } from "@/app/accountPaths";
import { gamePath, pathFromGame } from "@/app/gamePaths";
import { pageFallback } from "@/app/layouts/pageFallback";
import { paths } from "@/app/paths";
import { GameFrame } from "@/features/games/GameFrame";
import { isCheckDue, usePlayTime } from "@/features/spending/playTime";
import { announce } from "@/lib/changes";
import { gameUrlIn, isRunIn, type PlayState } from "@/lib/openGame";
import { useSignedIn } from "@/lib/session/useSession";
import { lazyComponent } from "@/ui/Lazy";

const RealityCheck = lazyComponent(
  async () => (await import("@/features/spending/RealityCheck")).RealityCheck,
  pageFallback(<main />),
);

/**
 * A game inside the app. Without the URL of a game in the navigation state, the address leads to the game's details.
 * During a run the screen has a history entry of its own, so that Back pauses first.
 */
export function Component() {
  const { id = "" } = useParams();
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const [url] = useState(() => gameUrlIn(state));
  const isRunning = isRunIn(state);
  const [target, setTarget] = useState(() => (url === null ? gamePath(id) : null));
  /** The page that the game leads to, while the player reads how long they have played. */
  const [afterCheck, setAfterCheck] = useState<string | null>(null);
  const isSignedIn = useSignedIn();
  usePlayTime(afterCheck === null);

  // The next page takes the place of the entry that opened the game: Back never enters a game that was left.
  useEffect(() => {
    if (target === null) return;
    if (isRunning) void navigate(-1);
    else void navigate(target, { replace: true });
  }, [target, isRunning, navigate]);

  // Behind the check stands no game: Back opens the page before it, and a reload the game's details.
  useEffect(() => {
    if (afterCheck === null || target !== null) return;
    if (isRunning) void navigate(-1);
    else if (gameUrlIn(state) !== null) {
      const over: PlayState = { gameUrl: null, isRun: false };
      void navigate(pathname, { replace: true, state: over });
    }
  }, [afterCheck, target, isRunning, state, pathname, navigate]);

  if (url === null) return null;
  if (afterCheck !== null) {
    return (
      <RealityCheck
        onGoOn={() => setTarget(afterCheck)}
        onStop={() => setTarget(isSignedIn ? paths.dashboard : paths.home)}
        onLimits={() => setTarget(accountPaths.spending)}
      />
    );
  }
  const stay = (next: PlayState, replace: boolean) => void navigate(pathname, { replace, state: next });
  return (
    <GameFrame
      id={id}
      url={url}
      back={gamePath(id)}
      isRunning={isRunning || target !== null}
      onRun={() => isRunning || stay({ gameUrl: gameUrlIn(state), isRun: true }, false)}
      onOver={() => {
        announce("game/played");
        // A reload must not open the page of a run that is over.
        stay({ gameUrl: null, isRun: isRunning }, true);
      }}
      onBack={() => (isCheckDue() ? setAfterCheck(gamePath(id)) : void navigate(-1))}
      onLeave={(wanted) => {
        announce("game/played");
        const next = pathFromGame(wanted, id);
        if (isCheckDue()) setAfterCheck(next);
        else setTarget(next);
      }}
    />
  );
}

import { useEffect, useEffectEvent, useRef, useState } from "react";
import * as z from "zod/mini";
import { gameWorld } from "@/entities/game/model";
import { useGame } from "@/entities/game/queries";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { Button, ButtonLink } from "@/ui/Button";
import { StagePage } from "@/ui/Stage";
import styles from "./GameFrame.module.css";
import { keepForGame, keptByGame, prefixOf } from "./keptByGame";
import { shareRun } from "./shareRun";

/** How long a game's page may take until it says that it is open, in milliseconds. */
const LATE_MS = 20_000;

/** What a game's page tells the app (games/README.md, "Inside the app"). */
const message = z.discriminatedUnion("playon", [
  z.object({ playon: z.literal("open") }),
  z.object({ playon: z.literal("keep"), key: z.string(), text: z.nullable(z.string()) }),
  z.object({ playon: z.literal("run") }),
  z.object({ playon: z.literal("over") }),
  z.object({ playon: z.literal("back") }),
  z.object({
    playon: z.literal("share"),
    points: z.int().check(z.nonnegative()),
    picture: z.nullable(z.instanceof(Blob)),
  }),
  z.object({ playon: z.literal("leave"), url: z.string() }),
]);

interface GameFrameProps {
  readonly id: string;
  /** The game's page, on the game's own origin. */
  readonly url: string;
  /** The path of the game's details. */
  readonly back: string;
  /** Whether the history stands on the entry of a run: when it is left by Back, the game pauses. */
  readonly isRunning: boolean;
  /** Called when a run begins or goes on. */
  readonly onRun: () => void;
  /** Called when the run is over, whose session is in the URL. */
  readonly onOver: () => void;
  /** Called when Back was pressed and the game has no run to pause. */
  readonly onBack: () => void;
  /** Called with the URL of the app's page that the game leads to. */
  readonly onLeave: (url: string) => void;
}

/**
 * A game inside the app, in a frame that fills the window. The game's page has an origin of its own, can load no other
 * site and opens no window. The app accepts the messages above from it.
 */
export function GameFrame({ id, url, back, isRunning, ...on }: GameFrameProps) {
  const game = useGame(id).data;
  useTitle(game?.name ?? t("games.title"));
  const frame = useRef<HTMLIFrameElement>(null);
  const [stage, setStage] = useState<"opening" | "late" | "open">("opening");
  const [tries, setTries] = useState(0);

  const origin = new URL(url).origin;
  const tell = (data: object) => frame.current?.contentWindow?.postMessage(data, origin);

  const heard = useEffectEvent((event: MessageEvent) => {
    if (event.source !== frame.current?.contentWindow || event.origin !== origin) return;
    const said = z.safeParse(message, event.data);
    if (!said.success) return;
    switch (said.data.playon) {
      case "open":
        setStage("open");
        frame.current?.focus();
        return tell({ playon: "opened", kept: keptByGame(id) });
      case "keep":
        return keepForGame(id, said.data.key, said.data.text);
      case "run":
        return on.onRun();
      case "over":
        return on.onOver();
      case "back":
        return on.onBack();
      case "share": {
        const { points, picture } = said.data;
        return void shareRun({ name: game?.name ?? t("games.title"), path: back, points, picture });
      }
      case "leave":
        return on.onLeave(said.data.url);
    }
  });
  const keptElsewhere = useEffectEvent(({ key, newValue }: StorageEvent) => {
    const prefix = prefixOf(id);
    if (key?.startsWith(prefix)) tell({ playon: "kept", key: key.slice(prefix.length), text: newValue });
  });
  useEffect(() => {
    const onMessage = (event: MessageEvent) => heard(event);
    const onStorage = (event: StorageEvent) => keptElsewhere(event);
    window.addEventListener("message", onMessage);
    window.addEventListener("storage", onStorage);
    return () => {
      window.removeEventListener("message", onMessage);
      window.removeEventListener("storage", onStorage);
    };
  }, []);
  const pressedBack = useEffectEvent(() => tell({ playon: "back" }));
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) pressedBack();
    wasRunning.current = isRunning;
  }, [isRunning]);
  useEffect(() => {
    if (stage !== "opening") return;
    const timer = setTimeout(() => setStage("late"), LATE_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  const tryAgain = () => {
    setTries(tries + 1);
    setStage("opening");
  };
  return (
    <div className={styles.page}>
      <iframe
        key={tries}
        ref={frame}
        className={styles.frame}
        title={game?.name ?? t("games.title")}
        src={url}
        sandbox="allow-scripts allow-same-origin"
        allow="autoplay; fullscreen"
        referrerPolicy="no-referrer"
      />
      {stage === "open" ? null : (
        <div className={styles.waiting}>
          <Waiting game={game} isLate={stage === "late"} back={back} onRetry={tryAgain} />
        </div>
      )}
    </div>
  );
}

interface WaitingProps {
  readonly game: ReturnType<typeof useGame>["data"];
  readonly isLate: boolean;
  readonly back: string;
  readonly onRetry: () => void;
}

/** Stands in the game's place until its page is open. */
function Waiting({ game, isLate, back, onRetry }: WaitingProps) {
  const world = game ? gameWorld(game) : "dash";
  const name = game?.name ?? t("games.title");
  if (!isLate) return <StagePage pose="run" world={world} title={t("game.starting", { name })} />;
  return (
    <StagePage pose="sulk" world={world} title={t("game.failed")}>
      <Button wide onClick={onRetry}>
        {t("ui.retry")}
      </Button>
      <ButtonLink wide variant="quiet" replace to={back}>
        {t("ui.back")}
      </ButtonLink>
    </StagePage>
  );
}

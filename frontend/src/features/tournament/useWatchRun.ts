import { useMutation } from "@tanstack/react-query";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage } from "@/lib/i18n/language";
import { useOpenGame } from "@/lib/openGame";
import { messageOf, toast } from "@/lib/toast";
import { webUrl } from "@/lib/webUrl";
import { RUN_NOT_FOUND, type Run } from "./api";

/** The URL at which the game's page plays a run, in the player's language. */
function watchUrlOf({ watchUrl }: Run): string | null {
  const url = webUrl(watchUrl);
  if (url) url.hash = `${url.hash || "#"}&lang=${currentLanguage()}`.replace("#&", "#");
  return url?.href ?? null;
}

/**
 * Fetches a run on a tap, and opens it within the screen around its game, if it is still there. `busyWith` is the run
 * that is being opened.
 */
export function useWatchRun<V>(fetchRun: (what: V) => Promise<Run | null>, screen: string) {
  const { open, isLeaving } = useOpenGame();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: fetchRun,
    onSuccess: (run) => {
      if (!run) return toast.info(t("runs.gone"));
      const url = watchUrlOf(run);
      if (url) open({ url, hosted: run.hosted, screen });
      else toast.error(t("runs.failed"));
    },
    onError: (cause) => {
      if (cause instanceof Fault && cause.code === RUN_NOT_FOUND) toast.info(t("runs.gone"));
      else if (!(cause instanceof Fault && cause.unauthenticated)) toast.error(messageOf(cause));
    },
    meta: { quiet: true },
  });
  return { watch: mutate, busyWith: isPending || isLeaving ? variables : undefined };
}

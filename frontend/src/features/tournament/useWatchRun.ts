import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage } from "@/lib/i18n/language";
import { openGame } from "@/lib/navigation";
import { messageOf, toast } from "@/lib/toast";
import { webUrl } from "@/lib/webUrl";
import { RUN_NOT_FOUND, type Run } from "./api";

/** Opens a run to watch in this window. The game's page plays it, in the player's language. */
export function openRun({ watchUrl }: Pick<Run, "watchUrl">): boolean {
  const url = webUrl(watchUrl);
  if (!url) {
    toast.error(t("runs.failed"));
    return false;
  }
  url.hash = `${url.hash || "#"}&lang=${currentLanguage()}`.replace("#&", "#");
  openGame(url.href);
  return true;
}

/** Fetches a run on a tap, and opens it, if it is still there. `busyWith` is the run that is being opened. */
export function useWatchRun<V>(fetchRun: (what: V) => Promise<Run | null>) {
  const [isLeaving, setLeaving] = useState(false);
  // Going back can show this page again as it was left.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false);
    window.addEventListener("pageshow", shown);
    return () => window.removeEventListener("pageshow", shown);
  }, []);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: fetchRun,
    onSuccess: (run) => {
      if (run) setLeaving(openRun(run));
      else toast.info(t("runs.gone"));
    },
    onError: (cause) => {
      if (cause instanceof Fault && cause.code === RUN_NOT_FOUND) toast.info(t("runs.gone"));
      else if (!(cause instanceof Fault && cause.unauthenticated)) toast.error(messageOf(cause));
    },
    meta: { quiet: true },
  });
  return { watch: mutate, busyWith: isPending || isLeaving ? variables : undefined };
}

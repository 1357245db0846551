import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { pushState, switchPushOff, switchPushOn } from "./subscription";
import { onTokenChange } from "./token";

/** Whether notifications reach this phone, and the switch for it. */
export function usePush() {
  // A refresh in the background can find that the browser has lost its subscription.
  const state = useSyncExternalStore(onTokenChange, pushState);
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) await switchPushOn();
      else await switchPushOff();
    },
    onError: (cause) => {
      // biome-ignore lint/suspicious/noConsole: the specification asks for this log
      console.warn("Push could not be switched.", cause);
      toast.error(t("push.failed"));
    },
    // The text above shows the failure.
    meta: { quiet: true },
  });
  return { state, isChanging: change.isPending, change: change.mutate };
}

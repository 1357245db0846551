import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { type PushState, pushState, switchPushOff, switchPushOn } from "./subscription";

/** Whether notifications reach this phone, and the switch for it. */
export function usePush() {
  const [state, setState] = useState<PushState>(pushState);
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) return switchPushOn();
      await switchPushOff();
      return pushState();
    },
    onSuccess: setState,
    onError: (cause) => {
      // biome-ignore lint/suspicious/noConsole: the specification asks for this log
      console.warn("Push could not be switched.", cause);
      toast.error(t("push.failed"));
      setState(pushState());
    },
    // The text above says it.
    meta: { quiet: true },
  });
  return { state, isChanging: change.isPending, change: change.mutate };
}

import { useEffect, useRef } from "react";
import type { PaymentMethod } from "@/features/wallet/api/requests";
import type { Draft } from "@/features/wallet/draft";
import { canPay, isAirtimeRefused, nextStep } from "@/features/wallet/kinds";
import { preferredMethod, rememberMethod } from "@/features/wallet/lastMethod";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { toast } from "@/lib/toast";
import { useMethods } from "./useWallet";

const METHODS = "methods";

export interface MethodChoice {
  /** The chosen or remembered method; null when the player has to choose, undefined until the methods are known. */
  readonly method: PaymentMethod | null | undefined;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly choose: (method: PaymentMethod) => void;
}

/**
 * The method that pays for a draft, and the sheet of methods. The sheet opens by itself for a player without a
 * remembered method. The choice is kept on the phone, so that a reload and the next payment begin with it.
 */
export function useMethodChoice({ type, packageName }: Draft): MethodChoice {
  const { current, show, hide } = useOverlay();
  const { data } = useMethods();
  const method = data && preferredMethod(data.filter(({ code }) => canPay(type, code, packageName)));
  const wasOffered = useRef(false);
  useEffect(() => {
    if (method !== null || wasOffered.current) return;
    wasOffered.current = true;
    if (current === undefined) show(METHODS);
  }, [method, current, show]);
  const choose = (chosen: PaymentMethod) => {
    if (nextStep(type, chosen.code) === "soon")
      return toast.info(t("pay.method.soon", { method: chosen.name }));
    if (isAirtimeRefused(chosen.code, packageName)) return toast.info(t("pay.method.airtimeLimit"));
    rememberMethod(chosen.code);
    hide();
  };
  return { method, isOpen: current === METHODS, open: () => show(METHODS), close: hide, choose };
}

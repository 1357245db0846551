import { useEffect, useState } from "react";
import type { PaymentMethod } from "@/features/wallet/api/requests";
import type { Draft } from "@/features/wallet/draft";
import { isAirtimeRefused, nextStep } from "@/features/wallet/kinds";
import { rememberMethod } from "@/features/wallet/lastMethod";
import { methodName } from "@/features/wallet/methodName";
import { t } from "@/lib/i18n/i18n";
import { type Overlay, useOverlay } from "@/lib/navigation";
import { toast } from "@/lib/toast";

const METHODS = "methods";

export interface MethodChoice {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: Overlay["hide"];
  readonly choose: (method: PaymentMethod) => void;
}

/** The sheet of methods for a draft. `onChosen` opens the next screen with the draft and its method. */
export function useMethodChoice(draft: Draft | null, onChosen: (next: Draft) => void): MethodChoice {
  const overlay = useOverlay();
  const [chosen, setChosen] = useState<PaymentMethod | null>(null);
  const isOpen = overlay.current === METHODS && draft !== null;
  const choose = (method: PaymentMethod) => {
    if (!draft) return;
    if (nextStep(draft.type, method.code) === "soon")
      return toast.info(t("pay.method.soon", { method: methodName(method) }));
    if (isAirtimeRefused(method.code, draft.packageName)) return toast.info(t("pay.method.airtimeLimit"));
    rememberMethod(method.code);
    setChosen(method);
    overlay.hide();
  };
  useEffect(() => {
    // The sheet is a history entry itself: the next screen replaces this one only after the sheet's entry is gone.
    if (!chosen || isOpen || !draft) return;
    setChosen(null);
    onChosen({
      ...draft,
      paymentMethod: chosen.code,
      paymentMethodName: chosen.name,
      paymentMethodId: chosen.id,
    });
  }, [chosen, isOpen, draft, onChosen]);
  return { isOpen, open: () => overlay.show(METHODS), close: overlay.hide, choose };
}

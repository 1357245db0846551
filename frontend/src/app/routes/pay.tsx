import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { parseDraft } from "@/features/wallet/draft";
import { rememberMethod } from "@/features/wallet/lastMethod";
import { useGoBack } from "@/lib/navigation";

/**
 * The addresses of the confirmation and of airtime, which are parts of the review: they lead to it with the draft and
 * its method, and go back without a type or an amount.
 */
export function Component() {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const goBack = useGoBack(pathname === paths.airtime ? paths.subscriptions : paths.wallet);
  const leave = useEffectEvent(() => {
    const draft = parseDraft(state);
    if (!draft) return goBack();
    if (draft.paymentMethod) rememberMethod(draft.paymentMethod);
    void navigate(paths.review, { replace: true, state: draft });
  });
  useEffect(() => leave(), []);
  return null;
}

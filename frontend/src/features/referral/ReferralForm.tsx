import { zodResolver } from "@hookform/resolvers/zod";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { redeemReferral } from "@/features/referral/api";
import { storedCampaign } from "@/lib/campaign";
import { announce } from "@/lib/changes";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Referral.module.css";

const UPDATE = ["update", "referral"];

/** The code is optional. The server knows which codes there are. */
const schema = z.object({ code: z.string().check(z.trim()) });

/** Redeems a friend's code. Without a code the player just continues. */
export function ReferralForm({ onDone }: { readonly onDone: () => void }) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: storedCampaign() } });
  // Set on the press itself: a second press may come before the button renders as busy.
  const submitted = useRef(false);
  const isUpdating = useIsMutating({ mutationKey: UPDATE }) > 0;
  const redeem = useMutation({
    mutationKey: UPDATE,
    mutationFn: redeemReferral,
    meta: { change: "referral/redeemed" },
    onSuccess: (message) => toast.success(message),
    // The code may have been redeemed by an earlier call whose reply was lost: the screen then offers to continue.
    onError: (cause) => {
      if (cause instanceof Fault && cause.code === "REFERRAL_ALREADY_USED") announce("referral/changed");
    },
  });

  const submit = form.handleSubmit(({ code }) => {
    // Stays busy after success, while the next screen loads: the code would be refused as used.
    if (submitted.current) return reportBusy();
    if (code === "") return onDone();
    if (!currentSession()) return toast.error(t("fault.signedOut"));
    submitted.current = true;
    redeem.mutate(code, {
      onSuccess: onDone,
      onError: () => {
        submitted.current = false;
      },
    });
  });

  function reportBusy() {
    if (!redeem.isSuccess) toast.error(t("update.inProgress"));
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        {...form.register("code")}
        label={t("referral.code")}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Button type="submit" wide busy={isUpdating || redeem.isSuccess} onBusyPress={reportBusy}>
        {t("referral.continue")}
      </Button>
      {redeem.isError ? (
        // The prefilled utm_source may be a campaign's name instead of a friend's code.
        <Button variant="plain" onClick={onDone}>
          {t("referral.without")}
        </Button>
      ) : null}
    </form>
  );
}

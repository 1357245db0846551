import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { redeemReferral } from "@/features/referral/api";
import { referralKey } from "@/features/referral/useReferral";
import { storedCampaign } from "@/lib/campaign";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Referral.module.css";

const UPDATE = ["update", "referral"];

/** A friend's code, if there is one; without it the player simply goes on. */
export function ReferralForm({ onDone }: { readonly onDone: () => void }) {
  const [code, setCode] = useState(storedCampaign);
  // A tap is counted where it happens: the next render, which shows the button busy, may come after a second one.
  const asked = useRef(false);
  const client = useQueryClient();
  const isUnderway = useIsMutating({ mutationKey: UPDATE }) > 0;
  const askAnew = () => void client.invalidateQueries({ queryKey: referralKey });
  const redeem = useMutation({
    mutationKey: UPDATE,
    mutationFn: redeemReferral,
    onSuccess: () => {
      toast.success(t("referral.accepted"));
      askAnew();
    },
    // Perhaps by this very code, whose answer was lost: the screen then offers the way on.
    onError: (cause) => {
      if (cause instanceof Fault && cause.code === "REFERRAL_ALREADY_USED") askAnew();
    },
  });

  function submit() {
    const typed = code.trim();
    // Also once it is accepted, while the next screen loads: the code would be refused as used.
    if (asked.current) return refuse();
    if (typed === "") return onDone();
    if (!currentSession()) return toast.error(t("fault.signedOut"));
    asked.current = true;
    redeem.mutate(typed, {
      onSuccess: onDone,
      onError: () => {
        asked.current = false;
      },
    });
  }

  function refuse() {
    if (!redeem.isSuccess) toast.error(t("update.underway"));
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={t("referral.code")}
        name="referralCode"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <Button type="submit" wide busy={isUnderway || redeem.isSuccess} onBusyPress={refuse}>
        {t("referral.continue")}
      </Button>
      {redeem.isError ? (
        // What is filled in may be the name of a campaign and no friend's code at all.
        <Button look="plain" onClick={onDone}>
          {t("referral.without")}
        </Button>
      ) : null}
    </form>
  );
}

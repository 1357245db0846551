import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { redeemReferral } from "@/features/referral/api";
import { referralKey } from "@/features/referral/useReferral";
import { storedCampaign } from "@/lib/campaign";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Referral.module.css";

const UPDATE = ["update", "referral"];

/** A friend's code, if there is one; without it the player simply goes on. */
export function ReferralForm({ onDone }: { readonly onDone: () => void }) {
  const [code, setCode] = useState(storedCampaign);
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
    if (typed === "") onDone();
    else redeem.mutate(typed, { onSuccess: onDone });
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
      <Button type="submit" wide busy={isUnderway} onBusyPress={() => toast.error(t("update.underway"))}>
        {t("referral.continue")}
      </Button>
    </form>
  );
}

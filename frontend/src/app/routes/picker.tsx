import { useCallback } from "react";
import { paths } from "@/app/paths";
import type { Preference } from "@/features/profile/model";
import { useSavePreference } from "@/features/profile/useSavePreference";
import type { ReferenceType } from "@/features/reference/model";
import { ReferencePicker } from "@/features/reference/ReferencePicker";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { currentSession } from "@/lib/session/session";
import { usePlayer } from "@/lib/session/useSession";
import { Screen } from "@/ui/Screen";
import styles from "./picker.module.css";

const preferences: Record<ReferenceType, Preference> = { currency: "currencyId", country: "countryId" };

/** The one screen for currency and country: choosing saves and goes back to where the player came from, else home. */
export function Picker({ type }: { readonly type: ReferenceType }) {
  const preference = preferences[type];
  const selected = usePlayer()?.[preference] ?? null;
  const goBack = useGoBack(paths.dashboard);
  const save = useSavePreference(currentSession()?.uid ?? "", preference);
  const { isPending, isSuccess, variables, mutate } = save;
  const saving = isPending || isSuccess;
  const choose = useCallback(
    (value: string) => {
      if (saving) return;
      if (value === selected) goBack();
      // Told by the call, not by the hook: a player who has gone back meanwhile must not be led back once more.
      else mutate(value, { onSuccess: goBack });
    },
    [saving, selected, goBack, mutate],
  );
  return (
    <Screen title={t(`picker.${type}.title`)} back={paths.dashboard}>
      <ReferencePicker
        type={type}
        selected={selected}
        saving={isPending ? (variables ?? null) : null}
        onChoose={choose}
      />
      <div role="status" className={styles.status}>
        {isPending ? <p className={styles.updating}>{t("picker.updating")}</p> : null}
      </div>
    </Screen>
  );
}

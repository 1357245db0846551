import { useCallback } from "react";
import { paths } from "@/app/paths";
import { useSavePreference } from "@/features/profile/hooks/useSavePreference";
import type { Preference } from "@/features/profile/model";
import type { ReferenceType } from "@/features/reference/model";
import { ReferencePicker } from "@/features/reference/ReferencePicker";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { currentSession } from "@/lib/session/session";
import { usePlayer } from "@/lib/session/useSession";
import { Screen } from "@/ui/Screen";
import styles from "./picker.module.css";

const preferences: Record<ReferenceType, Preference> = { currency: "currencyId", country: "countryId" };

/** The picker screen of currency and country. A choice is saved and goes back to the previous screen, else home. */
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
      // The callback belongs to this call, not to the hook: a player who went back meanwhile must not go back twice.
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

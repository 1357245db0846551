import { useMutation } from "@tanstack/react-query";
import { updateProfile } from "@/features/profile/api/requests";
import { labelOfPreference, type Preference } from "@/features/profile/model";
import { savePlayerIfCurrent } from "@/features/profile/savePlayerIfCurrent";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";

/** Saves the player's currency or country by its code. */
export function useSavePreference(uid: string, preference: Preference) {
  return useMutation({
    mutationFn: (code: string) => updateProfile(uid, preference, code),
    onSuccess: (player) => {
      savePlayerIfCurrent(player);
      toast.success(t("profile.updated", { field: labelOfPreference(preference) }));
    },
  });
}

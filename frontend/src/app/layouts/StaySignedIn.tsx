import { useMutation } from "@tanstack/react-query";
import { Smartphone } from "lucide-react";
import { useSyncExternalStore } from "react";
import { t } from "@/lib/i18n/i18n";
import { setStaySignedIn } from "@/lib/session/access";
import { currentSession, onSessionChange } from "@/lib/session/session";
import { RowSwitch } from "@/ui/RowSwitch";
import { Tile } from "@/ui/Tile";

const isStaying = () => currentSession()?.staySignedIn === true;

/** A row in which the player chooses whether this phone stays signed in after its browser was closed. */
export function StaySignedIn() {
  const stays = useSyncExternalStore(onSessionChange, isStaying);
  const change = useMutation({ mutationFn: setStaySignedIn });
  return (
    <RowSwitch
      icon={
        <Tile tone="mint">
          <Smartphone size={22} strokeWidth={2.25} aria-hidden="true" />
        </Tile>
      }
      title={t("account.stay")}
      detail={t("account.stay.hint")}
      isOn={change.isPending ? change.variables : stays}
      disabled={change.isPending}
      onChange={change.mutate}
    />
  );
}

import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { StagePage } from "@/ui/Stage";

/** Shown while there is no connection. The app leaves it by itself when the server can be reached again. */
export function OfflineScreen() {
  const goBack = useGoBack(paths.home);
  useTitle(t("offline.title"));
  return (
    <StagePage pose="sleep" world="ajua" title={t("offline.title")} text={t("offline.text")}>
      <Button wide onClick={goBack}>
        {t("ui.back")}
      </Button>
    </StagePage>
  );
}

import { useEffect } from "react";
import { useNavigate } from "react-router";
import { tvItemPath } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { enterFullScreen, leaveFullScreen } from "@/features/tv/fullScreen";
import { TvList } from "@/features/tv/TvList";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

/** PlayOn TV: the primary video, and the others to watch full screen. */
export function Component() {
  const navigate = useNavigate();
  useEffect(leaveFullScreen, []);
  return (
    <Screen title={t("tv.title")} back={paths.dashboard}>
      <TvList
        onWatch={({ id }) => {
          enterFullScreen();
          void navigate(tvItemPath(id), { state: { previousPath: paths.tv, isWanted: true } });
        }}
      />
    </Screen>
  );
}

import { useLocation, useNavigate, useParams } from "react-router";
import { paths } from "@/app/paths";
import { FullScreenVideo } from "@/features/tv/FullScreenVideo";
import { useReturn } from "@/lib/navigation";

/** One video of PlayOn TV, full screen. */
export function Component() {
  const { id = "" } = useParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const close = useReturn(paths.tv);
  return (
    <FullScreenVideo
      key={id}
      id={id}
      isWanted={(state as { isWanted?: unknown } | null)?.isWanted === true}
      onClose={close}
      onMissing={() => void navigate(paths.tv, { replace: true })}
    />
  );
}

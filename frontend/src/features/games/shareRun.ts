import { formatCount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { share } from "@/lib/share";
import { toast } from "@/lib/toast";

/** Most bytes of a result's picture: messengers make larger ones smaller. */
const PICTURE_MAX = 1 << 20;

export interface SharedRun {
  /** The game's name. */
  readonly name: string;
  /** The path of the game's details. */
  readonly path: string;
  readonly points: number;
  /** The picture that the game's page has drawn. */
  readonly picture: Blob | null;
}

/** Shares a result with its picture and a link to the game. */
export async function shareRun({ name, path, points, picture }: SharedRun): Promise<void> {
  const isPicture = picture?.type === "image/jpeg" && picture.size <= PICTURE_MAX;
  const done = await share({
    title: name,
    text: t("game.share.text", { name, points: formatCount(points) }),
    url: window.location.origin + path,
    picture: isPicture ? new File([picture], "playon.jpg", { type: picture.type }) : null,
  });
  if (done === "copied") toast.success(t("game.share.copied"));
  if (done === "failed") toast.info(t("game.share.failed"));
}

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { uploadPicture } from "@/features/profile/api/requests";
import { savePlayerIfCurrent } from "@/features/profile/savePlayerIfCurrent";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { shrinkPhoto } from "@/lib/photo";
import { currentPlayer } from "@/lib/session/session";
import { messageOf, toast } from "@/lib/toast";

/**
 * Longest side of an uploaded picture, in pixels: twice the size that the server keeps (512), so that its own
 * resampling has enough detail.
 */
const SIDE = 1024;
/** The server's limit, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024;
const TOO_LARGE = 413;
const UNSUPPORTED = 415;

function refusal(status: number): Fault {
  const text = status === TOO_LARGE ? t("picture.tooLarge") : t("picture.unsupported");
  return new Fault(text, { code: status === TOO_LARGE ? "FILE_TOO_LARGE" : "UNSUPPORTED_MEDIA", status });
}

/** Whether the failure is due to the file, so that a retry cannot help. */
function isFileError(cause: Error): boolean {
  return cause instanceof Fault && (cause.status === TOO_LARGE || cause.status === UNSUPPORTED);
}

/** The text of a failed upload. A proxy's 413 or 415, which has no envelope, reads like the server's. */
function reasonOf(cause: Error): string {
  const isFromProxy = cause instanceof Fault && cause.code === BAD_REPLY && isFileError(cause);
  return messageOf(isFromProxy ? refusal(cause.status) : cause);
}

/** The URL of a picture that is shown before it is uploaded; null without one. */
function usePreview() {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => (preview ? () => URL.revokeObjectURL(preview) : undefined), [preview]);
  return {
    preview,
    show: (picture: File) => setPreview(URL.createObjectURL(picture)),
    hide: () => setPreview(null),
  };
}

/** Uploads a profile picture and stores its URL in the profile. */
export function usePictureUpload(uid: string) {
  const [progress, setProgress] = useState(0);
  const { preview, show, hide } = usePreview();
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: async (file: File) => {
      setProgress(0);
      // A file picker's `accept` is only a suggestion: the player can choose any file.
      if (!file.type.startsWith("image/")) throw refusal(UNSUPPORTED);
      const picture = await shrinkPhoto(file, SIDE);
      if (picture.size > MAX_BYTES) throw refusal(TOO_LARGE);
      show(picture);
      return uploadPicture(uid, picture, setProgress);
    },
    // The component shows the failure under the picture, with a Retry button.
    meta: { quiet: true },
    onError: (cause) => toast.error(reasonOf(cause)),
    onSuccess: (profilePic) => {
      const player = currentPlayer();
      if (player?.uid === uid) savePlayerIfCurrent({ ...player, profilePic });
      toast.success(t("picture.uploaded"));
    },
    // Show the profile's own picture again: the new one, or the old one after a failure.
    onSettled: hide,
  });
  return {
    isPending,
    progress,
    /** The URL of the picture that is being uploaded. */
    preview,
    problem: error ? reasonOf(error) : null,
    choose: mutate,
    /** Sends the same file again; null when that cannot help. */
    retry: variables && error && !isFileError(error) ? () => mutate(variables) : null,
  };
}

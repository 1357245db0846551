import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { uploadPicture } from "@/features/profile/api";
import { keepPlayer } from "@/features/profile/keep";
import { forUpload, MOST_BYTES } from "@/features/profile/picture";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentPlayer } from "@/lib/session/session";
import { messageOf, toast } from "@/lib/toast";

const TOO_LARGE = 413;
const UNSUPPORTED = 415;

function refusal(status: number): Fault {
  const text = status === TOO_LARGE ? t("picture.tooLarge") : t("picture.unsupported");
  return new Fault(text, { code: status === TOO_LARGE ? "FILE_TOO_LARGE" : "UNSUPPORTED_MEDIA", status });
}

/** The failure lies in the file: sending the same one again will not help. */
function isTheFiles(cause: Error): boolean {
  return cause instanceof Fault && (cause.status === TOO_LARGE || cause.status === UNSUPPORTED);
}

/** What to tell of a failed upload: a proxy's refusal, which is no envelope, means the same as the server's. */
function reasonOf(cause: Error): string {
  const isProxys = cause instanceof Fault && cause.code === BAD_REPLY && isTheFiles(cause);
  return messageOf(isProxys ? refusal(cause.status) : cause);
}

/** The way of a picture from the phone to every place that shows the player. */
export function usePictureUpload(uid: string) {
  const [progress, setProgress] = useState(0);
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: async (file: File) => {
      setProgress(0);
      // The dialog that offers images alone lets a person choose anything else as well.
      if (!file.type.startsWith("image/")) throw refusal(UNSUPPORTED);
      const picture = await forUpload(file);
      if (picture.size > MOST_BYTES) throw refusal(TOO_LARGE);
      return uploadPicture(uid, picture, setProgress);
    },
    // The failure stands under the picture as well, where it can be tried again.
    meta: { quiet: true },
    onError: (cause) => toast.error(reasonOf(cause)),
    onSuccess: (profilePic) => {
      const player = currentPlayer();
      if (player?.uid === uid) keepPlayer({ ...player, profilePic });
      toast.success(t("picture.uploaded"));
    },
  });
  return {
    isPending,
    progress,
    problem: error ? reasonOf(error) : null,
    choose: mutate,
    /** Sends the same file again; null where that cannot help. */
    retry: variables && error && !isTheFiles(error) ? () => mutate(variables) : null,
  };
}

import { useMutation } from "@tanstack/react-query";
import { fetchChallenge, signIn, signUp } from "@/features/auth/api";
import { solveCaptcha } from "@/features/auth/captcha";
import type { Credentials, Mode } from "@/features/auth/model";
import { fetchProfile } from "@/lib/session/access";
import { dropSession, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";

async function authenticate(mode: Mode, { email, password }: Credentials): Promise<string> {
  const session =
    mode === "signUp"
      ? await signUp(email, password, await solveCaptcha(await fetchChallenge()))
      : await signIn(email, password);
  saveSession(session);
  try {
    return (await fetchProfile(session.accessToken)).message;
  } catch (cause) {
    // Half signed in is not signed in: without a profile no screen could open.
    dropSession();
    throw cause;
  }
}

/** Signs in or up, stores session and profile, says so, and hands over to the caller. */
export function useAuthenticate(mode: Mode, onDone: () => void) {
  return useMutation({
    mutationFn: (credentials: Credentials) => authenticate(mode, credentials),
    onSuccess: (message) => {
      toast.success(message);
      onDone();
    },
  });
}

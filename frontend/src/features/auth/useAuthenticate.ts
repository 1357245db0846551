import { useMutation } from "@tanstack/react-query";
import { fetchChallenge, signIn, signUp } from "@/features/auth/api";
import { solveCaptcha } from "@/features/auth/captcha";
import type { Credentials, Mode } from "@/features/auth/model";
import { Fault } from "@/lib/http/fault";
import { dropRefused, fetchProfile } from "@/lib/session/access";
import { saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";

/** What the server says to a player who came in; null when its words were lost on the way. */
async function authenticate(mode: Mode, { email, password }: Credentials): Promise<string | null> {
  const session =
    mode === "signUp"
      ? // A new puzzle for every try: the server takes a solution once, also where it then refuses the sign-up.
        await signUp(email, password, await solveCaptcha(await fetchChallenge()))
      : await signIn(email, password);
  saveSession(session);
  try {
    return (await fetchProfile(session.accessToken)).message;
  } catch (cause) {
    const refused = cause instanceof Fault && cause.unauthenticated;
    // The account is there and the player in it. A profile that did not arrive is fetched by the next screen's guard.
    if (!refused) return null;
    dropRefused(session.accessToken);
    throw cause;
  }
}

/** Signs in or up, stores session and profile, says so, and hands over to the caller. */
export function useAuthenticate(mode: Mode, onDone: () => void) {
  return useMutation({
    mutationFn: (credentials: Credentials) => authenticate(mode, credentials),
    onSuccess: (message) => {
      if (message !== null) toast.success(message);
      onDone();
    },
  });
}

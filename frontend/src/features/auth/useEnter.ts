import { useMutation } from "@tanstack/react-query";
import { useNavigation } from "react-router";
import type { SignedIn } from "@/features/auth/api";
import { Fault } from "@/lib/http/fault";
import { dropRefused, fetchProfile } from "@/lib/session/access";
import { markOnboarded, type Session, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";

/** Told which kind of account has just signed in: one that this very sign-in made, or one that was there. */
export type OnEntered = (isNewUser: boolean) => void;

/** What the server says to a player who came in; null when its words were lost on the way. */
async function welcome(session: Session): Promise<string | null> {
  saveSession(session);
  // Who has an account needs no onboarding on this phone, whichever way they came to the login.
  markOnboarded();
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

/** Every way in ends here: session and profile are stored, the player is told, and the screen goes on. */
export function useEnter<Proof>(signInBy: (proof: Proof) => Promise<SignedIn>, onEntered: OnEntered) {
  const { state } = useNavigation();
  const entry = useMutation({
    mutationFn: async (proof: Proof) => {
      const { session, isNewUser } = await signInBy(proof);
      return { isNewUser, message: await welcome(session) };
    },
    onSuccess: ({ isNewUser, message }) => {
      if (message !== null) toast.success(message);
      onEntered(isNewUser);
    },
  });
  // Also while the next screen loads: a second press would spend a code, or an email, that is good once.
  const isEntering = entry.isPending || (entry.isSuccess && state !== "idle");
  return { enter: entry.mutate, isEntering };
}

import { useMutation } from "@tanstack/react-query";
import { useNavigation } from "react-router";
import type { SignedIn } from "@/features/auth/api";
import { Fault } from "@/lib/http/fault";
import { dropRefused, fetchProfile } from "@/lib/session/access";
import { markOnboarded, type Session, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";

/** Called after a sign-in. `isNewUser` says whether it created the account. */
export type OnEntered = (isNewUser: boolean) => void;

/** Stores the session and fetches the profile. Returns the server's greeting, or null when the fetch failed. */
async function welcome(session: Session): Promise<string | null> {
  saveSession(session);
  // A player with an account does not need the onboarding on this phone.
  markOnboarded();
  try {
    return (await fetchProfile(session.accessToken)).message;
  } catch (cause) {
    const refused = cause instanceof Fault && cause.unauthenticated;
    // The player is signed in. The next screen's guard fetches a profile that did not arrive.
    if (!refused) return null;
    dropRefused(session.accessToken);
    throw cause;
  }
}

/** The end of every way to sign in: stores session and profile, shows the server's greeting, and calls `onEntered`. */
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
  // Also while the next screen loads: a second submission would use up another code or email.
  const isEntering = entry.isPending || (entry.isSuccess && state !== "idle");
  return { enter: entry.mutate, isEntering };
}

import { useMutation } from "@tanstack/react-query";
import { useNavigation } from "react-router";
import type { SignedIn } from "@/features/auth/api/requests";
import { Fault } from "@/lib/http/fault";
import { dropRefused, fetchProfile } from "@/lib/session/access";
import { forgetPushRegistration } from "@/lib/session/pushRegistration";
import { markOnboarded, type Session, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";

/** Called after a sign-in. `isNewUser` says whether it created the account. */
export type OnSignedIn = (isNewUser: boolean) => void;

/** Stores the session and fetches the profile. Returns the server's greeting, or null when the fetch failed. */
async function storeSession(session: Session): Promise<string | null> {
  // The registration is forgotten here, because a session can end without being cleared in this browser.
  forgetPushRegistration();
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

/** Stores session and profile, and shows the server's greeting. */
export async function completeSignIn({ session }: SignedIn): Promise<void> {
  const message = await storeSession(session);
  if (message !== null) toast.success(message);
}

/** The end of every way to sign in: stores session and profile, shows the server's greeting, and calls `onSignedIn`. */
export function useCompleteSignIn<Proof>(
  signInBy: (proof: Proof) => Promise<SignedIn>,
  onSignedIn: OnSignedIn,
  /** Whether the caller shows the errors, or which. */
  quiet: boolean | ((cause: Error) => boolean) = false,
) {
  const { state } = useNavigation();
  const mutation = useMutation({
    mutationFn: async (proof: Proof) => {
      const signedIn = await signInBy(proof);
      await completeSignIn(signedIn);
      return signedIn.isNewUser;
    },
    meta: { quiet },
    onSuccess: (isNewUser) => onSignedIn(isNewUser),
  });
  // Stays busy while the next screen loads: a second submission would use up another code or email.
  const isSigningIn = mutation.isPending || (mutation.isSuccess && state !== "idle");
  return { completeSignIn: mutation.mutate, isSigningIn };
}

import { type Call, type Reply, send } from "@/lib/http/envelope";
import { Fault } from "@/lib/http/fault";
import { dropRefused, freshToken, replaceToken } from "@/lib/session/access";
import { currentSession } from "@/lib/session/session";

type Options = Omit<Call, "bearer">;

/** Runs a call with the player's token. When the server refuses the token, renews it and repeats the call once. */
export async function withAuth<T>(call: (bearer: string) => Promise<T>): Promise<T> {
  const bearer = await freshToken();
  try {
    return await call(bearer);
  } catch (cause) {
    if (!(cause instanceof Fault) || !cause.unauthenticated) throw cause;
    return retryOnce(call, await replaceToken(bearer));
  }
}

/** The second and last attempt. When the renewed token is refused too, the account's sessions were revoked. */
async function retryOnce<T>(call: (bearer: string) => Promise<T>, bearer: string): Promise<T> {
  try {
    return await call(bearer);
  } catch (cause) {
    if (cause instanceof Fault && cause.unauthenticated) dropRefused(bearer);
    throw cause;
  }
}

/** Sends a call with the player's token. */
export function asPlayer(path: string, options: Options = {}): Promise<Reply<unknown>> {
  return withAuth((bearer) => send(path, { ...options, bearer }));
}

/**
 * Sends a call that guests may make too. Adds a signed-in player's token without renewing it. When others behind the
 * player's address have used up its limit, gets the browser a device cookie and repeats the call once.
 */
export async function asGuest(path: string, options: Options = {}): Promise<Reply<unknown>> {
  const call = () => send(path, { ...options, bearer: currentSession()?.accessToken });
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "DEVICE_NEEDED") throw cause;
    const { introduceDevice } = await import("@/lib/captcha/device");
    await introduceDevice();
    return call();
  }
}

import { type Call, type Reply, send } from "@/lib/http/envelope";
import { Fault } from "@/lib/http/fault";
import { dropRefused, freshToken, replaceToken } from "@/lib/session/access";
import { currentSession } from "@/lib/session/session";

type Options = Omit<Call, "bearer">;

/** Runs a call with the player's token. One that the server refuses is replaced and the call made once more. */
export async function inPlayersName<T>(call: (bearer: string) => Promise<T>): Promise<T> {
  const bearer = await freshToken();
  try {
    return await call(bearer);
  } catch (cause) {
    if (!(cause instanceof Fault) || !cause.unauthenticated) throw cause;
    return onceMore(call, await replaceToken(bearer));
  }
}

/** The second and last try: a new token refused as well means that the account's sessions were ended. */
async function onceMore<T>(call: (bearer: string) => Promise<T>, bearer: string): Promise<T> {
  try {
    return await call(bearer);
  } catch (cause) {
    if (cause instanceof Fault && cause.unauthenticated) dropRefused(bearer);
    throw cause;
  }
}

/** A call in the player's name. */
export function asPlayer(path: string, options: Options = {}): Promise<Reply<unknown>> {
  return inPlayersName((bearer) => send(path, { ...options, bearer }));
}

/** A call anyone may make; a signed-in player's token goes along as it is. */
export function asGuest(path: string, options: Options = {}): Promise<Reply<unknown>> {
  return send(path, { ...options, bearer: currentSession()?.accessToken });
}

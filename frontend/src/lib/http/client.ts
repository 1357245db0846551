import { type Call, type Reply, send } from "@/lib/http/envelope";
import { Fault } from "@/lib/http/fault";
import { dropRefused, freshToken, replaceToken } from "@/lib/session/access";
import { currentSession } from "@/lib/session/session";

type Options = Omit<Call, "bearer">;

/** A call in the player's name. A refused token is replaced and the call sent once more. */
export async function asPlayer(path: string, options: Options = {}): Promise<Reply<unknown>> {
  const bearer = await freshToken();
  try {
    return await send(path, { ...options, bearer });
  } catch (cause) {
    if (!(cause instanceof Fault) || !cause.unauthenticated) throw cause;
    return resend(path, options, await replaceToken(bearer));
  }
}

/** The second and last try: a new token refused as well means that the account's sessions were ended. */
async function resend(path: string, options: Options, bearer: string): Promise<Reply<unknown>> {
  try {
    return await send(path, { ...options, bearer });
  } catch (cause) {
    if (cause instanceof Fault && cause.unauthenticated) dropRefused(bearer);
    throw cause;
  }
}

/** A call anyone may make; a signed-in player's token goes along as it is. */
export function asGuest(path: string, options: Options = {}): Promise<Reply<unknown>> {
  return send(path, { ...options, bearer: currentSession()?.accessToken });
}

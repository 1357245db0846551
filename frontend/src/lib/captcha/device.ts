import { fetchChallenge, solveChallenge } from "@/lib/captcha/captcha";
import { send } from "@/lib/http/envelope";

let introducing: Promise<unknown> | undefined;

async function introduce(): Promise<void> {
  const captcha = await solveChallenge(await fetchChallenge());
  // Without a solution the repeated call says what the first one said.
  if (captcha) await send("/auth/device", { method: "POST", body: { captcha } });
}

/**
 * Gets this browser a device cookie for a solved captcha. Calls at the same time share one. The server counts a guest by
 * device then, and no longer with everyone else behind the same address, whom a carrier may have thousands of.
 */
export async function introduceDevice(): Promise<void> {
  introducing ??= introduce().finally(() => {
    introducing = undefined;
  });
  await introducing;
}

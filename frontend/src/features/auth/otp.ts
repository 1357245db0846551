// WebOTP (https://wicg.github.io/web-otp/), for which TypeScript has no types: with the player's consent, Chrome on
// Android reads a code from an SMS that ends in "@origin #code".
interface OtpRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ["sms"] };
}

function codeOf(credential: Credential | null): string | null {
  const code: unknown = credential && "code" in credential ? credential.code : null;
  return typeof code === "string" ? code : null;
}

/** Calls `onCode` with the code of the next SMS, in browsers that support WebOTP. */
export async function readSms(signal: AbortSignal, onCode: (code: string) => void): Promise<void> {
  if (!("OTPCredential" in window)) return;
  const request: OtpRequest = { otp: { transport: ["sms"] }, signal };
  try {
    const code = codeOf(await navigator.credentials.get(request));
    if (code !== null && !signal.aborted) onCode(code);
  } catch {
    // Aborted, refused by the player, or no SMS in time: the player types the code.
  }
}

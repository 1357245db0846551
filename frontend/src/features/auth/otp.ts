// WebOTP (https://wicg.github.io/web-otp/), which TypeScript does not know: Chrome on Android reads a code out of an
// SMS that ends in "@origin #code", if the player allows it.
interface OtpRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ["sms"] };
}

function codeOf(credential: Credential | null): string | null {
  const code: unknown = credential && "code" in credential ? credential.code : null;
  return typeof code === "string" ? code : null;
}

/** Hands over the code of the next SMS, where the browser can read it; otherwise nothing happens. */
export async function readSms(signal: AbortSignal, onCode: (code: string) => void): Promise<void> {
  if (!("OTPCredential" in window)) return;
  const request: OtpRequest = { otp: { transport: ["sms"] }, signal };
  try {
    const code = codeOf(await navigator.credentials.get(request));
    if (code !== null && !signal.aborted) onCode(code);
  } catch {
    // Aborted, refused by the player, or no SMS in time: they type it.
  }
}

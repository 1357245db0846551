// The sandbox's control API (handsets, SMS, mail) and the provider pages that it shows.
import { SANDBOX_URL } from "./browser.mjs";

/** A generous limit, which only broken code should reach. */
const TIMEOUT_MS = 15_000;

async function control(path, init) {
  const reply = await fetch(`${SANDBOX_URL}/control/${path}`, init);
  if (!reply.ok) throw new Error(`the sandbox refused ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** Repeats `probe` until it returns a truthy value, and returns that. `what` names the condition in the error. */
export async function eventually(what, probe) {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sets how a sandbox handset answers M-Pesa prompts. */
export function scriptHandset(msisdn, plan) {
  return control(`handsets/${msisdn}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(plan),
  });
}

/** Waits until a handset shows an M-Pesa prompt. */
export function promptOn(msisdn) {
  return eventually(`a prompt on ${msisdn}`, async () => (await control(`handsets/${msisdn}`)).prompt);
}

/** Types a PIN on the prompt of a handset with `stk: "manual"`; 0000 is a wrong PIN. */
export async function typePin(msisdn, pin) {
  await promptOn(msisdn);
  return control(`handsets/${msisdn}/prompt`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ action: "pin", pin }),
  });
}

/** The SMS of a phone, newest first. */
export function textsTo(msisdn) {
  return control(`sms?${new URLSearchParams({ to: `+${msisdn}` })}`);
}

/** The code in the newest SMS of a phone. */
export async function codeSentTo(msisdn) {
  const texts = await eventually(`a text to ${msisdn}`, async () => {
    const found = await textsTo(msisdn);
    return found.length > 0 && found;
  });
  return /#(\d+)\s*$/.exec(texts[0].text)[1];
}

/** Waits for a mail with a link to a screen. Returns the newest one, with the link. */
export async function mailTo(address, screen) {
  const link = new RegExp(`https?://[^\\s"<>]+/${screen}\\?token=[\\w.~-]+`);
  return eventually(`a mail to ${address} with a link to ${screen}`, async () => {
    const mails = await control(`mail?${new URLSearchParams({ to: address })}`);
    const mail = mails.find(({ text }) => link.test(text));
    return mail && { ...mail, link: link.exec(mail.text)[0] };
  });
}

/** Waits for a mail to an address with a subject. */
export function mailAbout(address, subject) {
  return eventually(`a mail to ${address} about ${subject}`, async () => {
    const mails = await control(`mail?${new URLSearchParams({ to: address })}`);
    return mails.find((mail) => mail.subject === subject);
  });
}

/** The URL that shows a mail's HTML. */
export function mailPage({ id }) {
  return `${SANDBOX_URL}/control/mail/${id}/html`;
}

/** On a provider's page: creates an account and continues with it. */
export async function signInWithNewAccount(page, { name, email }) {
  const another = page.locator("details");
  if (!(await another.evaluate((details) => details.open))) {
    await another.getByText("Use another account").click();
  }
  await page.getByLabel("Name").fill(name);
  if (email) await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create and continue" }).click();
}

/** On a provider's page: continues with the account of this email. */
export async function signInWithAccount(page, { email }) {
  await page.getByRole("button", { name: email }).click();
}

/** On a provider's page: cancels the sign-in. */
export async function decline(page) {
  await page.getByRole("button", { name: "Cancel" }).click();
}

/** A browser of the sandbox that subscribed with the server's key: its id, and its push subscription. */
export function pushBrowser(applicationServerKey) {
  return control("push/browsers", { method: "POST", body: JSON.stringify({ applicationServerKey }) });
}

/** Waits for the newest message that was pushed to a browser of the sandbox. */
export function pushedTo(id) {
  return eventually(`a push to ${id}`, async () =>
    (await control("push")).find(({ browser }) => browser === id),
  );
}

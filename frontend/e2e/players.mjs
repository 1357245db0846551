import assert from "node:assert/strict";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { PLAYON_URL, screenshot } from "./browser.mjs";
import { eventually } from "./sandbox.mjs";

/** The details of a player without an account. The phone number is in Safaricom's 0712 range. */
export function newPlayer() {
  const unique = `${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;
  const digits = String(Math.floor(Math.random() * 1_000_000)).padStart(6, "0");
  return {
    email: `wanjiru.${unique}@example.com`,
    password: "kiondo-na-ajua",
    name: "Wanjiru Kamau",
    username: `w${unique}`.slice(0, 20),
    phone: `0712${digits}`,
    msisdn: `254712${digits}`,
  };
}

export async function onboard(page, prefix) {
  await page.goto(PLAYON_URL);
  await page.getByRole("heading", { name: "Welcome to PlayOn" }).waitFor();
  await screenshot(page, `${prefix}-01-welcome`);
  await page.getByRole("link", { name: "Get Started" }).click();
  for (const [index, title] of ["Play games you know", "Climb the board", "Cash out to M-Pesa"].entries()) {
    await page.getByRole("heading", { name: title }).waitFor();
    await screenshot(page, `${prefix}-02-onboarding-${index + 1}`);
    await page.getByRole("button", { name: "Next" }).click();
  }
  await page.getByRole("heading", { name: "Create account" }).waitFor();
}

/** Creates an account on the login screen, which the onboarding opens with its sign-up toggle on. */
export async function register(page, player, prefix) {
  const title = page.getByRole("heading", { level: 1 });
  if ((await title.textContent()) === "Welcome back!")
    await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await page.getByLabel("Email").fill(player.email);
  await page.getByLabel("Password", { exact: true }).fill(player.password);
  if (prefix) await screenshot(page, `${prefix}-03-register`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expectProfileRequired(page);
}

/** Waits for the profile screen that every new account must complete first. */
export async function expectProfileRequired(page) {
  // Wait for all at once, because toasts disappear after 5 s.
  await Promise.all([
    page.getByText("You have been logged in.").waitFor(),
    page.getByText("You need to update your profile details to proceed").waitFor(),
    page.getByRole("heading", { name: "Profile", exact: true }).waitFor(),
  ]);
}

export async function signIn(page, { email, password }) {
  await page.goto(`${PLAYON_URL}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Opens the dialog of a profile field. */
export async function openField(page, label) {
  await page.getByRole("button", { name: new RegExp(`^${label}`) }).click();
  const dialog = page.getByRole("dialog", { name: `Edit ${label}` });
  await dialog.waitFor();
  return dialog;
}

async function editField(page, label, fill) {
  const dialog = await openField(page, label);
  await fill(dialog);
  await dialog.getByRole("button", { name: "Okay" }).click();
  await page.getByText(`Your ${label} was updated successfully.`).first().waitFor();
  await dialog.waitFor({ state: "hidden" });
}

/** The profile as the app stores it; with the email alone where it may store nothing. */
function knownDetails(page) {
  return page.evaluate(() => {
    try {
      return JSON.parse(sessionStorage.getItem("profile"));
    } catch {
      return { name: null, username: null, email: "stored", dob: null, gender: null, phone: null };
    }
  });
}

/** Fills in what is missing, one dialog after the other, and gives the player the name of the test. */
export async function completeProfile(page, player, prefix) {
  const details = [
    ["name", "Name", player.name],
    ["username", "Username", player.username],
    ["email", "Email", player.email],
    ["dob", "Date of birth", "1996-04-12"],
    ["gender", "Gender", "FEMALE"],
    ["phone", "Phone Number", player.phone],
  ];
  const known = await knownDetails(page);
  if (prefix) await screenshot(page, `${prefix}-04-profile-empty`);
  await page.getByRole("button", { name: "Complete your profile" }).click();
  for (const [field, label, value] of details.filter(([each]) => known[each] === null)) {
    const dialog = page.getByRole("dialog", { name: `Edit ${label}` });
    const input = dialog.getByLabel(label);
    await (field === "gender" ? input.selectOption(value) : input.fill(value));
    await dialog.getByRole("button", { name: "Okay" }).click();
    await dialog.waitFor({ state: "hidden" });
  }
  if (known.name !== null && known.name !== player.name)
    await editField(page, "Name", (dialog) => dialog.getByLabel("Name").fill(player.name));
  await page.getByText("All set. Let's play!").waitFor();
  assert.ok((await page.locator(".Toastify__toast").count()) <= 2, "two toasts at most");
  if (prefix) await screenshot(page, `${prefix}-05-profile-complete`);
}

/** Goes from the complete profile through the referral step, which every new account sees once, to the home screen. */
export async function finishReferralStep(page, player, prefix) {
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Do you have a referral code?" }).waitFor();
  if (prefix) await screenshot(page, `${prefix}-06-referral`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expectHome(page, player);
}

export async function expectHome(page, player) {
  await page.getByRole("heading", { name: `Hi ${player.name.split(" ")[0]}` }).waitFor();
}

/** Waits until a session that was ended elsewhere is refused, which takes up to a second. */
export async function expectSignedOut(page) {
  await eventually("the other phone is signed out", async () => {
    await page.goto(`${PLAYON_URL}/account/wallet`);
    const out = page.waitForURL(/\/login/).then(() => true);
    const stillIn = page.getByTestId("balance").getByText("0.00").waitFor();
    return Promise.any([out, stillIn.then(() => false)]);
  });
}

/**
 * Creates an account with a complete profile, and signs in to the home screen. It calls the API directly instead of the
 * forms, which `register` to `finishReferralStep` fill in.
 */
export async function createPlayer(page, player) {
  await page.goto(`${PLAYON_URL}/login`);
  // The page makes the calls, so that they use the phone's own proxy and cookies.
  const call = async (method, path, body, headers) => {
    const send = async ([path, options]) => {
      const reply = await fetch(`/api${path}`, options);
      return { ok: reply.ok, ...(await reply.json()) };
    };
    const json = body && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    };
    const { ok, message, payload } = await page.evaluate(send, [path, { method, ...json }]);
    assert.ok(ok, `${path}: ${message}`);
    return payload;
  };
  const challenge = await call("GET", "/auth/captcha");
  const solution = await solveChallenge({ challenge, deriveKey });
  const captcha = btoa(JSON.stringify({ challenge, solution }));
  const { email, password, name, username, phone } = player;
  const session = await call("POST", "/auth/sign-up", { email, password, captcha });
  const profile = { name, username, dob: "1996-04-12", gender: "FEMALE", phone };
  const authorization = `Bearer ${session.accessToken}`;
  await call("PUT", `/profile/${session.uid}`, profile, { authorization });
  await signIn(page, player);
  await expectHome(page, player);
}

/** Goes from a screen with a Top up button to the review of KES 100. */
export async function askForHundred(page, prefix) {
  await page.getByRole("link", { name: "Top up" }).click();
  await page.getByRole("heading", { name: "Top up amount" }).waitFor();
  const keypad = page.getByRole("group", { name: "Keypad" });
  for (const digit of ["1", "0", "0"]) await keypad.getByRole("button", { name: digit, exact: true }).click();
  if (prefix) await screenshot(page, `${prefix}-07-amount`);
  await page.getByRole("button", { name: "Review" }).click();
  await page.waitForURL(/\/account\/payment\/review$/);
}

/** Chooses a method on the review: in the sheet that is open at a player's first payment, or that the field opens. */
export async function chooseMethod(page, name, prefix) {
  const sheet = page.getByRole("dialog", { name: "Payment Method" });
  const field = page.getByRole("button", { name: /^Payment Method/ });
  await sheet.or(field).waitFor();
  if (await field.isVisible()) await field.click();
  await sheet.getByText("Please select your preferred method of payment").waitFor();
  if (prefix) await screenshot(page, `${prefix}-08-methods`);
  await sheet.getByRole("button", { name }).click();
}

/** Chooses M-Pesa on the review, and returns the button that pays. */
export async function chooseMpesa(page, player, prefix) {
  await chooseMethod(page, /m-?pesa/i, prefix);
  const phone = page.getByLabel("M-Pesa phone number");
  await phone.waitFor();
  await phone.fill(player.phone);
  if (prefix) await screenshot(page, `${prefix}-09-review`);
  return page.getByRole("button", { name: "Pay KES 100.00" });
}

/** Goes from a screen with a Top up button to the review of KES 100 by M-Pesa, and returns the button that pays. */
export async function toHundred(page, player, prefix) {
  await askForHundred(page, prefix);
  return chooseMpesa(page, player, prefix);
}

/** Goes from home to the waiting screen of a KES 100 top-up. */
export async function topUpHundred(page, player, prefix) {
  const pay = await toHundred(page, player, prefix);
  await pay.click();
  await page.waitForURL(/\/waiting\?payment=/);
}

// Signing in with a phone number and an SMS code.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { completeProfile, expectProfileRequired, finishReferralStep, newPlayer } from "./players.mjs";
import { codeSentTo, textsTo } from "./sandbox.mjs";

const SENT = "A confirmation code was sent to your phone number. Please enter it below.";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function toPhoneMode(page) {
  await page.goto(`${PLAYON_URL}/login`);
  await page.getByRole("button", { name: "PHONE" }).click();
  await page.getByRole("heading", { name: "Continue with your phone" }).waitFor();
}

async function askForCode(page, phone) {
  await page.getByLabel("Phone Number").fill(phone);
  await page.getByLabel("I am not a robot").click();
  await page.getByText("Thank you, you are not a robot.").waitFor();
  await page.getByRole("button", { name: "Send code" }).click();
}

async function toCodeEntry(page, phone) {
  await toPhoneMode(page);
  await askForCode(page, phone);
  await page.getByText(SENT).waitFor();
  await page.getByRole("heading", { name: "Enter the code" }).waitFor();
}

/** A code other than the given one. */
function wrong(code, step = 1) {
  return String((Number(code) + step) % 10 ** code.length).padStart(code.length, "0");
}

test("a new player signs in with a number, a captcha and the SMS code, pasted with spaces", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: PLAYON_URL });
  await toPhoneMode(page);
  await page.getByLabel("Phone Number").fill(player.phone);
  await screenshot(page, "phone-01-number");
  await page.getByLabel("I am not a robot").click();
  await page.getByText("Thank you, you are not a robot.").waitFor();
  await screenshot(page, "phone-02-captcha");
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByText(SENT).waitFor();
  await page.getByText(/We sent it to \+254 712 \d{3} \d{3}\./).waitFor();
  const field = page.getByLabel("Confirmation code");
  assert.equal(await field.getAttribute("autocomplete"), "one-time-code", "the phone offers the SMS's code");
  await screenshot(page, "phone-03-code");

  const code = await codeSentTo(player.msisdn);
  await field.fill(wrong(code));
  await page.getByText("That code is not right.").first().waitFor();
  await screenshot(page, "phone-04-wrong-code");

  await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`);
  await field.fill("");
  await field.focus();
  await page.keyboard.press("Control+V");
  await expectProfileRequired(page);
  await screenshot(page, "phone-05-profile");
  const { profile, user } = await page.evaluate(() => ({
    profile: JSON.parse(sessionStorage.getItem("profile")),
    user: JSON.parse(sessionStorage.getItem("user")),
  }));
  assert.equal(profile.uid, user.uid);

  await completeProfile(page, player);
  await finishReferralStep(page, player);
  assert.deepEqual(errors, []);
  await context.close();
});

test("after five wrong codes the right one has expired, and another can be requested", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await toCodeEntry(page, player.phone);
  const code = await codeSentTo(player.msisdn);
  const field = page.getByLabel("Confirmation code");
  for (let step = 1; step <= 5; step++) {
    const response = page.waitForResponse((reply) => reply.url().endsWith("/auth/phone/verify"));
    await field.fill(wrong(code, step));
    assert.equal((await response).status(), 401);
    await page.getByRole("alert").getByText("That code is not right.").first().waitFor();
  }
  await field.fill(code);
  await page.getByText("Too many wrong codes. Ask for another one.").first().waitFor();
  await page.getByText(/You can ask for another code in/).waitFor();
  await screenshot(page, "phone-06-code-expired");
  assert.equal(await page.evaluate(() => sessionStorage.getItem("user")), null, "no session is stored");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a captcha that was used elsewhere has expired and is solved again", async () => {
  const [player, other] = [newPlayer(), newPlayer()];
  const { context, page, errors } = await openPhone(browser);
  await page.route(
    "**/api/auth/phone/start",
    async (route) => {
      // Another client uses up the captcha first.
      const { captcha } = route.request().postDataJSON();
      await fetch(route.request().url(), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ phone: other.phone, captcha }),
      });
      await route.continue();
    },
    { times: 1 },
  );
  await toPhoneMode(page);
  await askForCode(page, player.phone);
  await page.getByText("CAPTCHA has expired. Please solve it again.").first().waitFor();
  await screenshot(page, "phone-07-captcha-expired");
  assert.equal((await textsTo(player.msisdn)).length, 0);
  await page.getByRole("button", { name: "Solve again" }).click();
  await page.getByText("Thank you, you are not a robot.").waitFor();
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByRole("heading", { name: "Enter the code" }).waitFor();
  await codeSentTo(player.msisdn);
  assert.equal((await textsTo(player.msisdn)).length, 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a number can be changed, an invalid one is refused, and the email form can be reopened", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser, "light");
  await toPhoneMode(page);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByText("Please enter your phone number.").first().waitFor();
  await askForCode(page, "0201234567");
  await page.getByText("Please enter a valid phone number.").first().waitFor();
  await screenshot(page, "phone-08-bad-number");

  await page.getByLabel("Phone Number").fill(player.phone);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByRole("heading", { name: "Enter the code" }).waitFor();
  await page.getByRole("button", { name: "Change number" }).click();
  assert.equal(await page.getByLabel("Phone Number").inputValue(), player.phone);
  await page.getByRole("button", { name: "Use Email and password to login" }).click();
  await page.getByRole("heading", { name: "Welcome back!" }).waitFor();
  await page.getByLabel("Email").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

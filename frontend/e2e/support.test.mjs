// Contact us: a guest sends a message, and the support receives the mail.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { mailAbout } from "./sandbox.mjs";

const SUPPORT = "help@playon.example";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a guest's feedback is confirmed and mailed to the support, with an address to answer to", async () => {
  const { page, errors } = await openPhone(browser);
  await page.goto(`${PLAYON_URL}/account/feedback`);
  const mail = page.getByRole("link", { name: SUPPORT });
  await mail.waitFor();
  assert.equal(await mail.getAttribute("href"), `mailto:${SUPPORT}`);
  await page.getByRole("button", { name: "Send" }).click();
  // The toast shows only the first failing message. The fields show their own below them.
  const toasts = page.locator(".Toastify__toast");
  await toasts.filter({ hasText: "Please enter your email" }).waitFor();
  assert.equal(await toasts.count(), 1);

  const subject = `Duma ${Math.random().toString(36).slice(2)}`;
  await page.getByLabel("Email").fill("wanjiru@example.com");
  await page.getByRole("button", { name: "Send" }).click();
  await toasts.filter({ hasText: "Please enter a subject." }).waitFor();
  assert.equal(await toasts.filter({ hasText: "Please enter a message." }).count(), 0);
  await page.getByLabel("Subject").fill(subject);
  await page.getByLabel("Message").fill("Nimeipenda sana.");
  await screenshot(page, "support-01-form");
  await page.getByRole("button", { name: "Send" }).click();
  const dialog = page.getByRole("dialog", { name: "We value your feedback" });
  const sent = page.waitForResponse((response) => response.url().endsWith("/contact-us/feedback"));
  await dialog.getByRole("button", { name: "Submit" }).click();
  const trace = (await sent).headers()["x-trace-id"];
  await page.getByText("Thank you! We have your message.").waitFor();

  const received = await mailAbout(SUPPORT, `[PlayOn feedback] ${subject}`);
  assert.equal(received.headers["Reply-To"], "wanjiru@example.com");
  assert.match(received.text, /Nimeipenda sana\./);
  assert.match(trace, /^[\da-f]{32}$/);
  assert.ok(received.text.includes(`Trace: ${trace}`), received.text);
  assert.deepEqual(errors, []);
});

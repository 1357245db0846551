// The profile: validation of its dialogs, the picture, and the two pickers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { drawPicture } from "./pictures.mjs";
import { completeProfile, createPlayer, newPlayer, openField, register } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Types into a field's dialog, presses Okay and expects an error with this text. */
async function refuses(page, label, value, words) {
  const dialog = await openField(page, label);
  await dialog.getByLabel(label).fill(value);
  await dialog.getByRole("button", { name: "Okay" }).click();
  await dialog.getByRole("alert").getByText(words).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

async function profileIn(page) {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("profile")));
}

test("each dialog refuses invalid values with the specification's texts", async () => {
  const [player, other] = [newPlayer(), newPlayer()];
  const first = await openPhone(browser);
  await first.page.goto(`${PLAYON_URL}/login`);
  await register(first.page, other);
  await completeProfile(first.page, other);
  await first.context.close();

  const { context, page, errors } = await openPhone(browser);
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, player);
  assert.equal(await page.getByText("Not set. Click to set.").count(), 4, "name, username, date, gender");
  await page.getByText("Enter number.").waitFor();
  await refuses(page, "Name", "", "Please enter your name.");
  await refuses(page, "Name", "Not set. Click to set.", "Please enter your name.");
  await refuses(page, "Username", "", "Please enter a username.");
  await refuses(page, "Username", other.username, "That username is already taken.");
  await refuses(page, "Email", "", "Please enter your email.");
  await refuses(page, "Email", "not-an-email", "Please enter a valid email.");
  await refuses(page, "Date of birth", "", "Please enter your date of birth.");
  await refuses(
    page,
    "Date of birth",
    `${new Date().getFullYear() - 17}-01-01`,
    "You must be 18 or older to use PlayOn.",
  );
  await refuses(page, "Phone Number", "", "Please enter your phone number.");
  const gender = await openField(page, "Gender");
  await gender.getByRole("button", { name: "Okay" }).click();
  await gender.getByText("Please enter your gender.").waitFor();
  await screenshot(page, "profile-01-gender");
  await page.keyboard.press("Escape");
  await gender.waitFor({ state: "hidden" });

  const { uid: _uid, email, ...rest } = await profileIn(page);
  assert.equal(email, player.email);
  for (const field of ["name", "username", "dob", "gender", "phone"]) assert.equal(rest[field], null, field);
  // Until the profile is complete, every other screen redirects to it.
  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.waitForURL(/\/profile\?from=%2Faccount%2Fwallet$/);
  await page.getByText("You need to update your profile details to proceed").first().waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a picture is uploaded and shown, and a file that is no picture is refused", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  await page.getByRole("link", { name: "Open your profile" }).click();
  const input = page.getByLabel("Change your picture");
  assert.equal(await input.getAttribute("accept"), "image/*");
  await input.setInputFiles({
    name: "no.png",
    mimeType: "image/png",
    buffer: Buffer.from("<svg onload=alert(1)>"),
  });
  // The server refuses the file; the client accepted it because of its type.
  await page.getByRole("main").getByText("Please choose a JPEG, PNG, WebP or GIF picture.").waitFor();
  await screenshot(page, "profile-02-no-picture");

  const buffer = await drawPicture(page, "image/png");
  await input.setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await page.getByText("Upload successful.").waitFor();
  const { uid, profilePic } = await profileIn(page);
  assert.match(profilePic, new RegExp(`/media/profile/${uid}/[^/]+\\.jpg$`));
  const shown = page.getByRole("main").locator(`img[src="${profilePic}"]`).first();
  await shown.waitFor();
  const size = await shown.evaluate((image) =>
    image.decode().then(() => [image.naturalWidth, image.naturalHeight]),
  );
  assert.deepEqual(size, [512, 512]);
  await screenshot(page, "profile-03-picture");
  assert.deepEqual(errors, []);
  await context.close();
});

test("currency and country are searched, saved and marked, and lead back to the account", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, player);
  for (const [title, search, typed, name, field, value] of [
    ["Currency", "Search currency", "kenya", /Kenyan Shilling/, "currencyId", "KES"],
    ["Country", "Search country", "ken", /Kenya/, "countryId", "KE"],
  ]) {
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByRole("link", { name: new RegExp(`^${title}`) }).click();
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    const box = page.getByRole("combobox", { name: search });
    assert.equal(await box.getAttribute("placeholder"), search);
    await page.getByRole("option").nth(150).waitFor({ state: "attached" });
    await screenshot(page, `profile-04-${title.toLowerCase()}`);
    await box.fill("no such thing");
    await page.getByText("Oops, there's nothing here.").waitFor();
    await box.fill(typed);
    await page.getByRole("option", { name }).first().click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    assert.equal((await profileIn(page))[field], value);
    await page.getByRole("link", { name: new RegExp(`^${title}`) }).click();
    await page.locator('[role="option"][aria-selected="true"]').getByText(name).waitFor();
    await screenshot(page, `profile-05-${title.toLowerCase()}-chosen`);
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("by keyboard, a dialog focuses its field and returns the focus to its opener", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, player);
  const row = page.getByRole("button", { name: /^Name/ });
  await row.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit Name" });
  await dialog.waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
  await page.keyboard.type(player.name);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  // The next missing detail.
  const next = page.getByRole("dialog", { name: "Edit Username" });
  await next.waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("autocomplete") === "username");
  await page.keyboard.press("Escape");
  await next.waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Name"));
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Name"));
  assert.deepEqual(errors, []);
  await context.close();
});

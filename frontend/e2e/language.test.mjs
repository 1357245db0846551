// The languages: the phone's at first, the switch in Account, and what is loaded for each.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** The catalogues that a page requests, as "sw-….js". */
function catalogues(page) {
  const requested = [];
  page.on("request", (request) => {
    const [, name] = /\/assets\/texts\/([^/]+)$/.exec(request.url()) ?? [];
    if (name) requested.push(name);
  });
  return requested;
}

test("a Swahili phone is greeted in Swahili, and loads no English texts", async () => {
  const { context, page, errors } = await openPhone(browser, "dark", { locale: "sw-KE" });
  const loaded = catalogues(page);
  await page.goto(PLAYON_URL);
  await page.getByRole("heading", { name: "Karibu PlayOn" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "sw");
  await page.getByRole("link", { name: "Anza", exact: true }).click();
  await page.getByRole("heading", { name: "Cheza michezo unayoijua" }).waitFor();
  await page.goto(`${PLAYON_URL}/login`);
  await page.getByRole("heading", { name: "Karibu tena!" }).waitFor();
  assert.ok(loaded.length >= 3, "catalogues of the first view, the app and signing in");
  assert.deepEqual(
    loaded.filter((name) => !/(?:^|\.)sw-/.test(name)),
    [],
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test("a Swahili phone shows the legal texts in Swahili alone, and the binding English ones on a tap", async () => {
  const { context, page, errors } = await openPhone(browser, "light", { locale: "sw-KE" });
  const loaded = catalogues(page);
  const isEnglish = (name) => /legal\.en-/.test(name);
  await page.goto(`${PLAYON_URL}/privacy`);
  await page.getByRole("heading", { name: "Sera ya Faragha" }).waitFor();
  await screenshot(page, "69-privacy-swahili");
  assert.deepEqual(loaded.filter(isEnglish), []);
  await page.getByRole("button", { name: "Soma kwa Kiingereza" }).click();
  await page.getByRole("heading", { name: "Your rights" }).waitFor();
  assert.equal(loaded.filter(isEnglish).length, 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the switch in Account changes the screen at once and is kept on the phone", async () => {
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, newPlayer());
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "English" }).waitFor();
  const calls = [];
  page.on("request", (request) => {
    // The beacon of web vitals has the browser's own language, and its reply is not read.
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/") && pathname !== "/api/rum")
      calls.push(request.headers()["accept-language"]);
  });
  await page.getByRole("button", { name: "Kiswahili" }).click();
  await page.getByRole("heading", { name: "Akaunti" }).waitFor();
  await page.getByRole("group", { name: "Lugha" }).waitFor();
  await screenshot(page, "70-account-swahili");

  await page.goto(`${PLAYON_URL}/account/wallet`);
  await page.getByRole("heading", { name: "Pochi" }).waitFor();
  await page.getByText("KES 0.00").first().waitFor();
  await screenshot(page, "71-wallet-swahili");
  assert.ok(calls.length > 0 && calls.every((language) => language === "sw-KE"), `${calls}`);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a game that was read before the switch is in the other language after it, without a reload", async () => {
  const { context, page, errors } = await openPhone(browser);
  await createPlayer(page, newPlayer());
  const openDash = async () => {
    await page
      .getByRole("link", { name: /Duma Dash/ })
      .first()
      .click();
    // The card on the home page has the description, too.
    await page.getByRole("heading", { name: "Duma Dash", level: 1 }).waitFor();
  };
  await openDash();
  await page.getByText(/^Run the savanna/).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Kiswahili" }).click();
  await page.getByRole("link", { name: "Mwanzo" }).click();
  await openDash();
  await page.getByText(/^Kimbia nyikani/).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

// A slow line, a lost one, and a release while a payment is open.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch, openPhone, screenshot } from "../browser.mjs";
import { askForHundred, chooseMpesa, completeProfile, newPlayer, register, toHundred } from "../players.mjs";
import { serveReleases } from "../releases.mjs";
import { scriptHandset, typePin } from "../sandbox.mjs";

/** Delay of every script and style sheet that the app requests after the first view. */
const LATE_MS = 3_000;
/**
 * Maximum time from the tap to a visible answer, which comes long before the code. The aim is 100 ms; the time is
 * printed and not asserted that closely, because machines that run tests are busy.
 */
const ANSWER_MS = 1_000;
/** Timeout for a payment's callback. */
const PAYMENT_MS = 30_000;

let browser;
let app;
before(async () => {
  browser = await launch();
});
beforeEach(async () => {
  app = await serveReleases();
});
afterEach(() => app?.close());
after(() => browser?.close());

/** A phone without service worker, because Playwright cannot delay what one fetches. */
async function slowPhone() {
  const phone = await openPhone(browser, "dark", { serviceWorkers: "block" });
  const first = [];
  let isFirst = true;
  await phone.page.route("**/assets/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (isFirst) first.push(pathname);
    else if (!first.includes(pathname)) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue().catch(() => {});
  });
  return {
    ...phone,
    firstViewLoaded: () => {
      isFirst = false;
    },
  };
}

/** Taps, and returns the time in ms until the page showed a change, measured in the page. */
async function answerTo(page, tap) {
  await page.evaluate(() => {
    window.answer = new Promise((resolve) => {
      const start = { at: null };
      addEventListener("click", () => (start.at ??= performance.now()), { capture: true, once: true });
      new MutationObserver((_changes, observer) => {
        if (start.at === null) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - start.at));
      }).observe(document.body, { attributes: true, childList: true, subtree: true });
      // Without an answer the assertion fails; without this timer the journey would wait for ever.
      setTimeout(() => resolve(Number.POSITIVE_INFINITY), 30_000);
    });
  });
  await tap();
  return page.evaluate(() => window.answer);
}

/** Whether the page shows anything: a text, a picture or a box. */
function isBlank(page) {
  return page.evaluate(() => {
    const root = document.querySelector("#root");
    const boxes = [...(root?.querySelectorAll("svg, h1, [class*=skeleton]") ?? [])];
    return !boxes.some((box) => box.getBoundingClientRect().height > 0);
  });
}

test("on a slow line each tap of a first visit is answered at once, and no page is blank", async (t) => {
  const { context, page, errors, firstViewLoaded } = await slowPhone();
  await page.goto(app.url, { waitUntil: "commit" });
  await page.locator("#root svg").first().waitFor();
  await page.getByRole("heading", { name: "Welcome to PlayOn" }).waitFor();
  // The first script has run, which handles taps. Before it, a tap would load the next page in full.
  await page.waitForLoadState("domcontentloaded");
  firstViewLoaded();
  const step = async (name, tap, seen) => {
    const ms = await answerTo(page, tap);
    t.diagnostic(`${name} was answered after ${Math.round(ms)} ms`);
    assert.ok(ms <= ANSWER_MS, `${name} was answered after ${Math.round(ms)} ms`);
    assert.equal(await isBlank(page), false, `a blank page after ${name}`);
    await seen.waitFor();
  };
  const next = page.getByRole("button", { name: "Next" });
  const heading = (name) => page.getByRole("heading", { name });
  await step(
    "Get Started",
    () => page.getByRole("link", { name: "Get Started" }).click(),
    heading("Play games you know"),
  );
  await step("the first Next", () => next.click(), heading("Climb the board"));
  await step("the second Next", () => next.click(), heading("Cash out to M-Pesa"));
  await step("the third Next", () => next.click(), heading("Create account"));
  assert.deepEqual(errors, []);
  await context.close();
});

test("a tap while the app replaces the page's HTML is answered by the app", async () => {
  const { context, page, errors } = await openPhone(browser, "dark", { serviceWorkers: "block" });
  const documents = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  // The app removes the page's own tap listener as its last step, so this is the first tap that only the app answers.
  await page.addInitScript(() => {
    const { removeEventListener } = EventTarget.prototype;
    EventTarget.prototype.removeEventListener = function (type, ...rest) {
      removeEventListener.call(this, type, ...rest);
      if (this.id !== "root" || type !== "click") return;
      EventTarget.prototype.removeEventListener = removeEventListener;
      queueMicrotask(() => document.querySelector("#root a[href*='slide']").click());
    };
  });
  await page.goto(app.url);
  await page.getByRole("heading", { name: "Play games you know" }).waitFor();
  assert.equal(documents.length, 1, "the page was not loaded again");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a screen whose code did not arrive says so, and Retry brings it", async () => {
  const { context, page } = await openPhone(browser, "dark", { serviceWorkers: "block" });
  await page.route("**/assets/terms-*.js", (route) => route.abort("connectionreset"));
  await page.goto(`${app.url}/login`);
  await page.getByRole("link", { name: "Terms of Service" }).click();
  await page.getByRole("alert").getByText("This part did not load").waitFor();
  assert.equal(new URL(page.url()).pathname, "/terms");
  await page.unroute("**/assets/terms-*.js");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("heading", { name: "Terms of Service" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Welcome back!" }).waitFor();
  await context.close();
});

/** Creates an account with a complete profile and opens its wallet. */
async function openNewWallet(page, player) {
  await scriptHandset(player.msisdn, { stk: "manual" });
  await page.goto(`${app.url}/login`);
  await register(page, player);
  await completeProfile(page, player);
  await page.goto(`${app.url}/account/wallet`);
}

test("code that does not arrive in the middle of a payment is fetched by Retry, and the money moves once", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser, "dark", { serviceWorkers: "block" });
  const payments = [];
  const lost = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && pathname === "/api/payments/top-up") payments.push(pathname);
  });
  const lose = (name) =>
    page.route(`**/assets/${name}-*.js`, (route) => {
      lost.push(name);
      return route.abort("connectionreset");
    });
  const restore = (name) => page.unroute(`**/assets/${name}-*.js`);
  const isFetched = (name) =>
    page.waitForResponse((reply) => reply.url().includes(`/assets/${name}-`) && reply.ok());
  await openNewWallet(page, player);

  await lose("MethodSheet");
  await lose("waiting");
  await askForHundred(page);
  const refused = page.getByRole("dialog", { name: "We could not load this" });
  await refused.getByText("This part did not load").waitFor();
  await screenshot(page, "refused-08-methods");
  await restore("MethodSheet");
  await Promise.all([isFetched("MethodSheet"), refused.getByRole("button", { name: "Retry" }).click()]);
  const pay = await chooseMpesa(page, player);
  await pay.click();

  // The payment is on its way, and the code of its screen did not load.
  await page.waitForURL(/\/waiting\?payment=/);
  await page.getByRole("alert").getByText("This part did not load").waitFor();
  await screenshot(page, "refused-10-waiting");
  await page.getByText("Your payment is not affected.").waitFor();
  assert.ok(lost.includes("waiting"));
  await restore("waiting");
  await Promise.all([isFetched("waiting"), page.getByRole("button", { name: "Retry" }).click()]);
  await page.getByRole("heading", { name: /Enter your M-Pesa PIN on 0712/ }).waitFor();
  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor({ timeout: PAYMENT_MS });
  await page.getByRole("button", { name: "View wallet" }).click();
  await page.getByTestId("balance").getByText("100.00").waitFor();
  const row = page.getByRole("button", { name: /Top up.*\+KES 100\.00/ });
  await row.first().waitFor();
  assert.equal(await row.count(), 1, "one row per top up");
  assert.equal(payments.length, 1, "one call that pays");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a tab that was opened before a release goes on with its own files", async () => {
  const { context, page, errors } = await openPhone(browser, "dark", { serviceWorkers: "block" });
  const release = page.locator('meta[name="release"]');
  await page.goto(`${app.url}/login`);
  const link = page.getByRole("link", { name: "Terms of Service" });
  await link.waitFor();
  await app.release(2);
  const [code] = await Promise.all([page.waitForResponse(/\/assets\/terms-/), link.click()]);
  assert.match(code.url(), /-1\.js$/, "a file that only the first release has");
  assert.equal(code.status(), 200);
  await page.getByRole("heading", { name: "Terms of Service" }).waitFor();
  assert.equal(await release.getAttribute("content"), "1");
  await page.reload();
  await page.getByRole("heading", { name: "Terms of Service" }).waitFor();
  assert.equal(await release.getAttribute("content"), "2");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a release during a top-up is offered when the payment has ended, and comes on a tap", async () => {
  const player = newPlayer();
  const { context, page, errors } = await openPhone(browser);
  await openNewWallet(page, player);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const pay = await toHundred(page, player, "release");

  await app.release(2);
  // An update whose files did not all arrive is dropped by the browser, and asked for again.
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration.installing && !registration.waiting) await registration.update();
    return registration.waiting !== null;
  });
  await pay.click();
  await page.waitForURL(/\/waiting\?payment=/);
  const banner = page.getByRole("region", { name: "A new version is ready" });
  assert.equal(await banner.count(), 0, "no offer during the payment");
  await typePin(player.msisdn, "1234");
  await page.getByRole("heading", { name: "Thank you!" }).waitFor();

  await banner.waitFor();
  assert.equal(await page.locator('meta[name="release"]').getAttribute("content"), "1");
  await Promise.all([page.waitForEvent("load"), banner.getByRole("button", { name: "Update now" }).click()]);
  await page.locator('meta[name="release"][content="2"]').waitFor({ state: "attached" });
  await page.getByRole("heading", { name: "Thank you!" }).waitFor();
  await banner.waitFor({ state: "hidden" });
  assert.deepEqual(errors, []);
  await context.close();
});

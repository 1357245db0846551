// A malicious game: what its page, on the games' origin, can read and do in the app.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL } from "./browser.mjs";
import { gameIn } from "./gameFrame.mjs";
import { createPlayer, expectHome, newPlayer } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** The origin of a game. */
async function gamesOrigin(page) {
  const reply = await page.request.get(`${PLAYON_URL}/api/games/list`);
  const { payload } = await reply.json();
  return new URL(payload.find(({ gameUrl }) => gameUrl).gameUrl).origin;
}

/** A page without any policy of its own on the games' origin, in a browser that is signed in to the app. */
async function hostileGame() {
  const player = newPlayer();
  const { context, page } = await openPhone(browser);
  await createPlayer(page, player);
  const origin = await gamesOrigin(page);
  assert.notEqual(origin, PLAYON_URL);
  await context.route(`${origin}/play/hostile/`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Hostile</title>" }),
  );
  const game = await context.newPage();
  await game.goto(`${origin}/play/hostile/`);
  return { context, page, game, player };
}

test("a hostile game reads no token, no profile and no cookie of the app", async () => {
  const { context, page, game } = await hostileGame();
  assert.ok(await page.evaluate(() => sessionStorage.getItem("user")), "the app has a session");
  const found = await game.evaluate(() => ({
    session: { ...sessionStorage },
    local: { ...localStorage },
    cookies: document.cookie,
    databases: [],
  }));
  assert.deepEqual(found, { session: {}, local: {}, cookies: "", databases: [] });
  await context.close();
});

test("a hostile game gets no reply of the app's calls, and moves nothing by them", async () => {
  const { context, page, game, player } = await hostileGame();
  const calls = [
    ["GET", "/api/auth/login"],
    ["GET", "/api/wallets/balance"],
    ["POST", "/api/auth/refresh"],
    ["POST", "/api/wallets/withdraw"],
    ["POST", "/api/payments/top-up"],
    ["POST", "/api/auth/sign-out-everywhere"],
  ];
  const replies = await game.evaluate(
    ([app, all]) =>
      Promise.all(
        all.flatMap(([method, path]) =>
          // Send each call with a form's content type and with JSON's, because the browser sends a CORS preflight only
          // for the latter.
          ["text/plain", "application/json"].map(async (type) => {
            const body = method === "POST" ? "{}" : undefined;
            const options = { method, body, credentials: "include", headers: { "content-type": type } };
            const reply = await fetch(app + path, options).catch(() => null);
            return reply && [path, reply.status];
          }),
        ),
      ),
    [PLAYON_URL, calls],
  );
  assert.deepEqual(
    replies.filter((reply) => reply !== null),
    [],
  );
  // The player's session is unaffected.
  await page.goto(`${PLAYON_URL}/dashboard`);
  await expectHome(page, player);
  await context.close();
});

test("a hostile game neither frames the app nor reaches into its window", async () => {
  const { context, game } = await hostileGame();
  const framed = await game.evaluate(async (app) => {
    const frame = document.createElement("iframe");
    frame.src = `${app}/account/wallet`;
    document.body.append(frame);
    await new Promise((done) => frame.addEventListener("load", done));
    try {
      return frame.contentDocument?.body.textContent ?? null;
    } catch {
      return null;
    }
  }, PLAYON_URL);
  assert.equal(framed, null);
  const frames = game.frames().filter((frame) => frame !== game.mainFrame());
  assert.ok(
    frames.every((frame) => !frame.url().startsWith(PLAYON_URL)),
    "the browser shows an error in place of the app",
  );

  const opened = context.waitForEvent("page");
  const reached = await game.evaluate((app) => {
    const popup = window.open(`${app}/dashboard`);
    try {
      return popup?.document.title ?? null;
    } catch {
      return null;
    }
  }, PLAYON_URL);
  assert.ok(reached === null || reached === "", String(reached));
  const app = await opened;
  await app.waitForLoadState();
  assert.equal(await app.evaluate(() => window.opener), null, "the app's window is cut off from the game's");
  await context.close();
});

test("a hostile game in its frame leads the player nowhere that games do not lead", async () => {
  const { context, page } = await openPhone(browser);
  const evil = [];
  page.on("request", (request) => {
    if (request.url().includes("evil.example")) evil.push(request.url());
  });
  await context.route(/\/play\/ajua\/(\?|$)/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Hostile</title><p>Hostile</p>" }),
  );
  await page.goto(`${PLAYON_URL}/games`);
  await page.getByRole("link", { name: /Ajua/ }).first().click();
  const practice = page.getByRole("button", { name: "Practice" });
  await practice.waitFor();
  const details = page.url();
  await practice.click();
  const body = gameIn(page).locator("body");
  await body.getByText("Hostile").waitFor({ state: "attached" });
  const tried = await body.evaluate(() => {
    const attempt = (what) => {
      try {
        return String(what() ?? null);
      } catch (error) {
        return error.name;
      }
    };
    return {
      token: attempt(() => window.parent.sessionStorage.length),
      top: attempt(() => window.top.location.assign("https://evil.example/")),
      popup: attempt(() => window.open("https://evil.example/")),
      storage: attempt(() => window.localStorage.length),
    };
  });
  assert.deepEqual(tried, { token: "SecurityError", top: "SecurityError", popup: "null", storage: "0" });

  const tell = (message) =>
    body.evaluate((_, data) => window.parent.postMessage(data, "*"), message).catch(() => {});
  await tell({ playon: "token" });
  await tell({ playon: "leave", url: "https://evil.example/" });
  await page.waitForURL(details);

  await practice.click();
  await body.getByText("Hostile").waitFor({ state: "attached" });
  await tell({ playon: "leave", url: `${PLAYON_URL}/account/payment/review` });
  await page.waitForURL(details);

  // The app's policy lets the frame load no other site, so that what a player types there cannot be led away.
  await practice.click();
  await body.getByText("Hostile").waitFor({ state: "attached" });
  await body.evaluate(() => void window.location.assign("https://evil.example/?pin=1234"));
  await page.waitForTimeout(500);
  assert.deepEqual(evil, []);
  await context.close();
});

test("a game reads nothing that another game keeps", async () => {
  const { context, page } = await openPhone(browser);
  const origin = new URL(await gamesOrigin(page));
  await context.route(/\/play\/hostile\/$/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Hostile</title>" }),
  );
  const other = await context.newPage();
  await page.goto(`${origin.href}play/hostile/`);
  await page.evaluate(() => localStorage.setItem("run", "secret"));
  origin.hostname = origin.hostname.replace(/^[^.]+/, "another");
  await other.goto(`${origin.href}play/hostile/`);
  assert.equal(await other.evaluate(() => localStorage.length), 0);
  await context.close();
});

test("a forged message of a provider's window signs no one in", async () => {
  const { context, page, errors } = await openPhone(browser);
  const origin = await gamesOrigin(page);
  await context.route(`${origin}/play/hostile/`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Hostile</title>" }),
  );
  await page.goto(`${PLAYON_URL}/login`);
  await page.getByLabel("Email").waitFor();
  const exchanged = [];
  page.on("request", (request) => {
    if (request.url().includes("/auth/oauth/exchange")) exchanged.push(request.url());
  });
  const opened = context.waitForEvent("page");
  await page.evaluate((url) => void window.open(url, "hostile"), `${origin}/play/hostile/`);
  const game = await opened;
  await game.waitForLoadState();
  await game.evaluate((app) => {
    for (const message of [{ code: "forged" }, { type: "oauth", code: "forged" }, "forged"])
      window.opener?.postMessage(message, app);
  }, PLAYON_URL);
  await page.waitForTimeout(500);
  assert.deepEqual(exchanged, []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a sign-in leads neither to a game nor to another site", async () => {
  const { context, page, player } = await hostileGame();
  for (const from of [
    "//evil.example",
    "https://evil.example/",
    "/play/hostile/",
    "/\\evil.example",
    "/media/x",
  ]) {
    await page.goto(`${PLAYON_URL}/login?from=${encodeURIComponent(from)}`);
    await expectHome(page, player);
    assert.equal(new URL(page.url()).pathname, "/dashboard", from);
  }
  await context.close();
});

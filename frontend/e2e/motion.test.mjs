// Motion that only a browser shows: elements that move from one page to the next.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL } from "./browser.mjs";
import { completeProfile, expectHome, newPlayer, register } from "./players.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Collects the names of the elements that move in each view transition of the page. */
function recordTransitions() {
  window.moved = [];
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    void transition.ready.then(() => {
      const groups = document
        .getAnimations()
        .map(({ effect }) => /^::view-transition-group\((.+)\)$/.exec(effect?.pseudoElement ?? "")?.[1]);
      window.moved.push(...groups.filter(Boolean));
    });
    return transition;
  };
}

/** Adds one ongoing tournament. */
function withTournament(page) {
  const at = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const cup = {
    id: "1",
    name: "Friday Dash Cup",
    description: "",
    gameId: "1",
    starts: at(-1),
    ends: at(2),
    players: 12,
    cash: 5000,
    firstAward: "KES 2,500",
    rounds: 1,
    runsPerRound: 3,
    settled: false,
  };
  return page.route("**/api/tournaments", (route) =>
    route.fulfill({ json: { statusCode: 200, statusMessage: "OK", payload: [cup] } }),
  );
}

test("the player's picture moves from home to the profile and back, the art of a tournament to its card", async () => {
  const player = newPlayer();
  // Playwright does not see the requests of a service worker.
  const { context, page, errors } = await openPhone(browser, "dark", { serviceWorkers: "block" });
  await page.addInitScript(recordTransitions);
  await withTournament(page);
  await page.goto(`${PLAYON_URL}/login`);
  await register(page, player);
  await completeProfile(page, player);
  await page.getByText("All set. Let's play!").waitFor();
  await page.goto(`${PLAYON_URL}/dashboard`);
  await expectHome(page, player);
  await page.getByRole("link", { name: "Open your profile" }).click();
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  await page.waitForFunction(() => window.moved.includes("player-avatar"));
  await page.evaluate(() => window.moved.splice(0));
  await page.getByRole("button", { name: "Back" }).click();
  await expectHome(page, player);
  await page.waitForFunction(() => window.moved.includes("player-avatar"));
  const strip = page.getByRole("region", { name: "Friday Dash Cup" });
  await strip.getByRole("link", { name: "Friday Dash Cup" }).click();
  await page.getByRole("heading", { name: "Ongoing" }).waitFor();
  await page.waitForFunction(() => window.moved.includes("tournament-art"));
  assert.deepEqual(errors, []);
  await context.close();
});

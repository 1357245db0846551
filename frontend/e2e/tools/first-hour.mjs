// Measures a newcomer's first hour against a running mesh, on a phone four times as slow on slow 4G: the time, the taps and
// the bytes of each step, from the link to the first run, and from the sign-up to a run that counts. Not part of CI, whose
// shared cores give no reliable timings.
import { launch, openPhone, PLAYON_URL } from "../browser.mjs";
import { gameIn } from "../gameFrame.mjs";
import { completeProfile, newPlayer, register } from "../players.mjs";

const SMALL_PHONE = { width: 360, height: 640 };
/** Slow 4G as Lighthouse has it for a browser's own throttling: the latency in ms, the rates in bytes a second. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
const CPU_SLOWDOWN = 4;
/** The longest step: a run that the newcomer loses without an input. */
const STEP_MS = 120_000;

const seen = { taps: 0, bytes: 0 };

/** Counts taps in the page. A field that is filled without a tap counts as one. */
function countTaps() {
  let isTapped = false;
  addEventListener(
    "pointerdown",
    ({ isTrusted }) => {
      if (!isTrusted) return;
      isTapped = true;
      setTimeout(() => {
        isTapped = false;
      }, 100);
      window.countTap();
    },
    true,
  );
  addEventListener(
    "focusin",
    ({ target }) => {
      if (!isTapped && target.matches("input, select, textarea")) window.countTap();
    },
    true,
  );
}

/** Opens the phone, and counts from then on. The service worker is blocked, because its requests would not be slow. */
async function openSlowPhone(browser) {
  const { context, page } = await openPhone(browser, "dark", {
    viewport: SMALL_PHONE,
    serviceWorkers: "block",
  });
  page.setDefaultTimeout(STEP_MS);
  await page.exposeFunction("countTap", () => {
    seen.taps += 1;
  });
  await page.addInitScript(countTaps);
  const session = await context.newCDPSession(page);
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  return page;
}

/** Takes these steps, and prints the time, the taps and the bytes of each, and of all together. */
async function measure(title, steps) {
  console.log(`\n${title}`);
  const all = { ms: 0, taps: 0, bytes: 0 };
  const print = (name, { ms, taps, bytes }) =>
    console.log(
      `  ${name.padEnd(44)} ${(ms / 1000).toFixed(1).padStart(5)} s ${String(taps).padStart(3)} taps ${String(Math.round(bytes / 1000)).padStart(5)} kB`,
    );
  for (const [name, act] of steps) {
    const before = { ...seen };
    const began = performance.now();
    await act();
    const step = {
      ms: performance.now() - began,
      taps: seen.taps - before.taps,
      bytes: seen.bytes - before.bytes,
    };
    for (const key of Object.keys(all)) all[key] += step[key];
    print(name, step);
  }
  print("all", all);
}

const browser = await launch();
try {
  const page = await openSlowPhone(browser);
  const player = newPlayer();
  const button = (name) => page.getByRole("button", { name, exact: true });
  const link = (name) => page.getByRole("link", { name });
  const game = gameIn(page);
  const ofGame = (name) => game.getByRole("button", { name, exact: true });
  await measure("from the link to the first run", [
    [
      "the welcome is shown",
      async () => {
        await page.goto(PLAYON_URL, { waitUntil: "commit" });
        await link("Try a game first").waitFor();
      },
    ],
    [
      "Try a game first: the game's page",
      async () => {
        await link("Try a game first").tap();
        await button("Practice").waitFor();
      },
    ],
    [
      "Practice: the game has loaded",
      async () => {
        await button("Practice").tap();
        await ofGame("Let's go").waitFor();
      },
    ],
    [
      "Let's go: the run has begun",
      async () => {
        await ofGame("Let's go").tap();
        await ofGame("Pause").waitFor();
      },
    ],
  ]);

  await page.goto(`${PLAYON_URL}/games`);
  await link(/Duma Dash/)
    .first()
    .tap();
  await button("Practice").tap();
  await ofGame("Play").tap();
  await ofGame("Let's go").tap();
  await game.getByText("Sign up, and your next run counts").waitFor();
  await measure("from the sign-up to a run that counts", [
    [
      "Sign up: the form",
      async () => {
        await game.getByRole("link", { name: "Sign up" }).tap();
        await page.getByLabel("Email").waitFor();
      },
    ],
    ["the account", () => register(page, player)],
    ["the profile", () => completeProfile(page, player)],
    [
      "Continue: the run has begun",
      async () => {
        await link("Continue").tap();
        await ofGame("Pause").waitFor();
      },
    ],
  ]);
} finally {
  await browser.close();
}

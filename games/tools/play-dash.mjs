// Plays Duma Dash in Chromium by touch, with a bot that looks at the rules' state, and writes screenshots.
// node tools/play-dash.mjs URL FOLDER [--width 360 --height 640 --seconds 40 --slow 4 --hash '#session=…' --shots 2,6,12]
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium } from "../../frontend/e2e/browser.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: "string", default: "360" },
    height: { type: "string", default: "640" },
    ratio: { type: "string", default: "2" },
    seconds: { type: "string", default: "40" },
    slow: { type: "string", default: "1" },
    error: { type: "string", default: "2" },
    shots: { type: "string", default: "" },
    blind: { type: "string", default: "60" },
    frames: { type: "boolean", default: false },
  },
});
const [url = "http://127.0.0.1:5186/play/duma-dash/", folder = "/tmp/dash"] = positionals;
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
});
const context = await browser.newContext({
  viewport: { width: Number(values.width), height: Number(values.height) },
  deviceScaleFactor: Number(values.ratio),
  hasTouch: true,
  isMobile: true,
  locale: "en-GB",
});
const page = await context.newPage();
page.on("pageerror", (error) => console.log("page error", String(error)));
page.on("console", (message) => message.type() === "error" && console.log("console", message.text()));
const cdp = await context.newCDPSession(page);
await page.addInitScript(() => {
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate.apply(WebAssembly, args);
    window.botRules ??= result.instance.exports;
    return result;
  };
});
const tag = `${values.width}x${values.height}`;
const shot = (name) => page.screenshot({ path: `${folder}/${tag}-${name}.png` });
await page.goto(url);
await page.waitForSelector(".title");
await page.waitForTimeout(700);
if (values.shots) await shot("1-title");
await page.touchscreen.tap(Number(values.width) / 2, 1);
await page.click(".btn.go");
if (await page.$(".gestures")) {
  await page.waitForTimeout(600);
  if (values.shots) await shot("2-tutorial");
  await page.click(".dialog .btn.go");
}
const x = Number(values.width) / 2;
const y = Number(values.height) * 0.6;
let touching = Promise.resolve();
await page.exposeFunction("botAct", (input) => {
  touching = touching
    .then(async () => {
      await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
      if (input === 2)
        await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y + 40 }] });
      await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    })
    .catch(() => {
      // The page is closing.
    });
});
if (Number(values.slow) > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: Number(values.slow) });
await page.evaluate(
  ({ error, blind }) => {
    const rules = window.botRules;
    const state = new Int32Array(rules.memory.buffer, rules.state(), 200);
    let seen = "";
    let offset = 0;
    let sees = true;
    let wait = 0;
    window.frameTimes = [];
    let last = 0;
    const look = (now) => {
      if (last && state[0] > 30) window.frameTimes.push(now - last);
      last = now;
      requestAnimationFrame(look);
      if (state[0] < 5 || now < wait) return;
      const here = state[1] / 256;
      let nearest = 1e9;
      let at = -1;
      for (let slot = 0; slot < 10; slot++) {
        const base = 20 + slot * 6;
        if (!state[base] || state[base + 5] < 0) continue;
        const left = state[base + 1] / 256;
        if (left + state[base + 2] > here - 20 && left < nearest) {
          nearest = left;
          at = base;
        }
      }
      if (at < 0) return;
      const kind = state[at];
      const id = `${at} ${state[at + 2]} ${kind}`;
      if (id !== seen) {
        seen = id;
        offset = Math.round((Math.random() * 2 - 1) * error);
        sees = Math.random() * blind > 1;
      }
      if (!sees) return;
      const ticks = (nearest - here - 24) / ((state[4] + (kind === 5 ? 300 : 0)) / 256);
      const lead = 11 + offset;
      const air = state[12] > 0;
      const act = (input) => {
        wait = now + 90;
        window.botAct(input);
      };
      if (kind === 4 || kind === 5) {
        if (ticks < lead + 3 && (air ? ticks < 14 && state[3] > -3000 : state[5] < 8)) act(2);
      } else if (!air) {
        if (ticks <= lead + (kind === 2 ? 4 : kind === 6 ? -3 : 0)) act(1);
      } else if (
        state[12] === 1 &&
        ticks < 9 &&
        (kind === 2 ? state[3] < 1400 : state[3] < -1000 && state[2] / 256 < state[at + 4] + 60)
      )
        act(1);
    };
    requestAnimationFrame(look);
  },
  { error: Number(values.error), blind: Number(values.blind) },
);
// Processor time of the main thread per frame, from a trace, which excludes the time of other programs on this machine.
const events = [];
if (values.frames) {
  cdp.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) if (event.ph === "X" || event.name === "thread_name") events.push(event);
  });
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    categories: "toplevel,devtools.timeline,__metadata",
  });
}
const shots = values.shots.split(",").filter(Boolean).map(Number);
const start = Date.now();
while (Date.now() - start < Number(values.seconds) * 1000) {
  // Querying the page costs its main thread time, so a measured run is queried rarely.
  await page.waitForTimeout(values.shots ? 40 : 1000);
  const seconds = (Date.now() - start) / 1000;
  if (shots.length && seconds > shots[0]) await shot(`3-run-${String(shots.shift()).padStart(3, "0")}`);
  const event = values.shots
    ? await page.evaluate(
        () => new Int32Array(window.botRules.memory.buffer, window.botRules.state(), 20)[10],
      )
    : 0;
  if (event & 32 && !globalThis.missShot) {
    globalThis.missShot = true;
    await page.waitForTimeout(100);
    await shot("4-near-miss");
  }
  if (await page.$(".result")) break;
}
if (values.frames) {
  const done = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  await cdp.send("Tracing.end");
  await done;
  const animation = events.filter((event) => event.name === "FireAnimationFrame");
  const count = new Map();
  for (const event of animation)
    count.set(`${event.pid} ${event.tid}`, (count.get(`${event.pid} ${event.tid}`) ?? 0) + 1);
  const main = [...count].sort((a, b) => b[1] - a[1])[0]?.[0];
  const onMain = events
    .filter((event) => `${event.pid} ${event.tid}` === main && event.dur !== undefined)
    .sort((a, b) => a.ts - b.ts);
  const tasks = onMain.filter((event) => /RunTask$/.test(event.name));
  const starts = onMain
    .filter((event) => event.name === "FireAnimationFrame")
    .map((event) => event.ts)
    .filter((at, index, all) => index === 0 || at - all[index - 1] > 4000);
  const cost = new Array(starts.length).fill(0);
  let frame = 0;
  let end = 0;
  for (const task of tasks) {
    if (task.ts < end) continue;
    end = task.ts + task.dur;
    while (frame < starts.length - 1 && starts[frame + 1] < end) frame++;
    if (starts[frame] !== undefined && task.ts + task.dur > starts[0])
      cost[frame] += (task.tdur ?? task.dur) / 1000;
  }
  const sorted = cost.slice(10).sort((a, b) => a - b);
  const of = (share) => sorted[Math.floor(sorted.length * share)]?.toFixed(1);
  if (process.env.SHOW) {
    const sums = new Map();
    for (const event of onMain)
      sums.set(event.name, (sums.get(event.name) ?? 0) + (event.tdur ?? 0) / 1000 / sorted.length);
    console.log(
      [...sums]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 22)
        .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
        .join(" · "),
    );
    for (const task of [...tasks].sort((a, b) => b.tdur - a.tdur).slice(0, 4))
      console.log(
        "long",
        (task.tdur / 1000).toFixed(1),
        onMain
          .filter((e) => e.ts >= task.ts && e.ts < task.ts + task.dur && e.tdur > 2000)
          .map((e) => `${e.name} ${(e.tdur / 1000).toFixed(1)}`)
          .slice(0, 8)
          .join(", "),
      );
  }
  const script = onMain
    .filter((event) => event.name === "FireAnimationFrame")
    .map((event) => (event.tdur ?? event.dur) / 1000)
    .sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      frames: sorted.length,
      mainThreadMs: { p50: of(0.5), p95: of(0.95), p99: of(0.99), longest: sorted.at(-1)?.toFixed(1) },
      within16_7: (sorted.filter((t) => t < 16.7).length / sorted.length).toFixed(4),
      scriptP95: script[Math.floor(script.length * 0.95)]?.toFixed(1),
      threadTime: tasks.some((task) => task.tdur !== undefined),
    }),
  );
}
const facts = await page.evaluate(() => {
  const times = window.frameTimes.slice(5).sort((a, b) => a - b);
  const part = (share) => times[Math.floor(times.length * share)]?.toFixed(1);
  const state = new Int32Array(window.botRules.memory.buffer, window.botRules.state(), 20);
  return {
    frames: times.length,
    p50: part(0.5),
    p95: part(0.95),
    p99: part(0.99),
    longest: times.at(-1)?.toFixed(1),
    within: times.filter((t) => t < 17.7).length / times.length,
    ticks: state[0],
    score: state[8],
    lives: state[6],
  };
});
console.log(JSON.stringify(facts));
if (await page.$(".result")) {
  await page.waitForTimeout(1300);
  if (values.shots) await shot("5-result");
}
await browser.close();

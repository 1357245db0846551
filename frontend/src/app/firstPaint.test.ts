import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { afterPaint, followTap, keepTaps, setFailed, showWelcome } from "@/app/firstPaint";
import { markOnboarded } from "@/lib/session/session";

const page = `<div id="root">splash</div><template id="welcome"><h1>Welcome</h1></template>`;

beforeEach(() => {
  document.body.innerHTML = page;
  window.history.replaceState(null, "", "/");
});

afterEach(() => {
  document.body.innerHTML = "";
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shown = () => document.getElementById("root")?.textContent;

it("hides the sentence about a failed start, which styles would show, and shows it at once after a failure", () => {
  document.body.innerHTML = `<p id="start-failed">PlayOn could not load.</p>`;
  setFailed(false);
  expect(document.getElementById("start-failed")).not.toBeVisible();
  setFailed(true);
  expect(document.getElementById("start-failed")).toBeVisible();
});

it("shows the welcome of the page's HTML to a first visitor", () => {
  showWelcome();
  expect(shown()).toBe("Welcome");
});

it("keeps the splash for a visitor who has seen the onboarding", () => {
  markOnboarded();
  showWelcome();
  expect(shown()).toBe("splash");
});

it("keeps the splash on other pages, and on the onboarding's slides", () => {
  for (const path of ["/waiting", "/?slide=2"]) {
    document.body.innerHTML = page;
    window.history.replaceState(null, "", path);
    showWelcome();
    expect(shown()).toBe("splash");
  }
});

it("loads the code after the second frame, which is after the first paint", () => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) => frames.push(run));
  const load = vi.fn();
  afterPaint(load);
  frames.shift()?.(0);
  expect(load).not.toHaveBeenCalled();
  frames.shift()?.(16);
  expect(load).toHaveBeenCalledOnce();
});

it("loads the code once, also when the page is never painted", () => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", () => 0);
  const load = vi.fn();
  afterPaint(load);
  vi.advanceTimersByTime(1_000);
  expect(load).toHaveBeenCalledOnce();
});

it("answers a tap on a link at once, and opens the page when the app is there", () => {
  document.body.innerHTML = `<div id="root"><a href="/terms">Terms</a></div>`;
  keepTaps();
  const link = document.querySelector("a");
  const tap = new MouseEvent("click", { bubbles: true, cancelable: true });
  link?.dispatchEvent(tap);
  expect(tap.defaultPrevented).toBe(true);
  expect(document.body.lastElementChild?.tagName).toBe("DIV");
  const open = vi.fn();
  followTap(open);
  expect(open).toHaveBeenCalledExactlyOnceWith("/terms");
  expect(document.body.children).toHaveLength(1);
});

it("leaves links within the page and to other sites to the browser", () => {
  document.body.innerHTML = `<div id="root"><a href="#adults">Adults</a><a href="mailto:help@playon.example">Mail</a></div>`;
  keepTaps();
  for (const link of document.querySelectorAll("a")) {
    const tap = new MouseEvent("click", { bubbles: true, cancelable: true });
    // jsdom follows no links.
    document.body.addEventListener("click", (event) => expect(event.defaultPrevented).toBe(false), {
      once: true,
    });
    link.dispatchEvent(tap);
  }
  const open = vi.fn();
  followTap(open);
  expect(open).not.toHaveBeenCalled();
});

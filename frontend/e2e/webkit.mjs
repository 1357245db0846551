import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { Builder, By, Capabilities } from "selenium-webdriver";
import { eventually } from "./sandbox.mjs";

const DRIVER = "/usr/bin/WebKitWebDriver";
const BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const DISPLAY = "/usr/bin/Xvfb";

/** Whether Debian's packages webkit2gtk-driver and xvfb are installed. */
export const hasWebKit = [DRIVER, BROWSER, DISPLAY].every((path) => existsSync(path));

const TIMEOUT_MS = 30_000;

/** Returns a port that no program listens on. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** Starts WebKitGTK for a test, on a display of its own. */
export async function launchWebKit(test) {
  const programs = [];
  let browser;
  test.after(async () => {
    try {
      await browser?.quit();
    } finally {
      for (const program of programs) program.kill();
    }
  });
  const display = spawn(DISPLAY, ["-displayfd", "1", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  programs.push(display);
  const failure = once(display, "exit").then(() => Promise.reject(new Error("Xvfb did not start")));
  const [number] = await Promise.race([once(display.stdout, "data"), failure]);

  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: `:${String(number).trim()}`,
    LIBGL_ALWAYS_SOFTWARE: "1",
    // Where the browser may make no user namespace for its sandbox, as in a container, it ends at once.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  };
  programs.push(spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore" }));
  const url = `http://127.0.0.1:${port}`;
  await eventually("the driver of WebKitGTK listens", () =>
    fetch(`${url}/status`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: BROWSER, args: ["--automation"] },
  });
  browser = await new Builder().usingServer(url).withCapabilities(capabilities).build();
  return new Screen(browser);
}

/** A screen in WebKitGTK, whose elements are found by what a player reads. */
class Screen {
  constructor(browser) {
    this.browser = browser;
  }

  goto(url) {
    return this.browser.get(url);
  }

  /**
   * Presses a button or link of the game that is open inside the app. The frame is looked up for each press: its driver
   * loses it when the app adds a history entry.
   */
  async pressInGame(name) {
    await this.#retry("see a game", async () => {
      const [frame] = await this.browser.findElements(By.css("iframe[sandbox]"));
      if (!frame) return false;
      await this.browser.switchTo().frame(frame);
      return true;
    });
    await this.press(name);
    await this.browser.switchTo().defaultContent();
  }

  /** Waits for an element that contains `text`. */
  see(text) {
    return this.#retry(`see ${text}`, () =>
      this.#visible(`//*[not(self::script)][text()[contains(., "${text}")]]`),
    );
  }

  /** Waits for an element, whether a player can see it or not. */
  exists(xpath) {
    return this.#retry(`find ${xpath}`, async () => (await this.browser.findElements(By.xpath(xpath)))[0]);
  }

  /** Presses the first button or link whose text, or a part of it, is `name`; `inside` is an XPath step. */
  press(name, inside = "body") {
    const named = `descendant::text()[normalize-space(.)="${name}"] or @aria-label="${name}"`;
    let last;
    return this.#retry(`press ${name}`, async () => {
      const element = await this.#visible(`//${inside}//*[self::a or self::button][${named}]`);
      const place = JSON.stringify(await element?.getRect());
      // A press on an element that moves, as a sheet does that opens, may miss it.
      const moves = place !== last;
      last = place;
      if (!element || moves) return false;
      await element.click();
      return true;
    });
  }

  /** Types into the empty field with `label`. */
  type(label, text) {
    return this.#retry(`type into ${label}`, async () => {
      const labelled = `//input[@id=//label[normalize-space(.)="${label}"]/@for]`;
      const field = await this.#visible(`${labelled} | //*[@placeholder="${label}"]`);
      await field?.sendKeys(text);
      return field !== null;
    });
  }

  /** Finds an element that a player can see: a screen that leaves may still hold another one. */
  async #visible(xpath) {
    for (const element of await this.browser.findElements(By.xpath(xpath)))
      if (await element.isDisplayed()) return element;
    return null;
  }

  /** Repeats `attempt` until it succeeds: a screen may replace its elements at any time. */
  #retry(what, attempt) {
    const result = () => attempt().catch(() => null);
    return this.browser.wait(result, TIMEOUT_MS, `could not ${what}`);
  }
}

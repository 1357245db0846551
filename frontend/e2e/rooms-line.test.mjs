// A room over a line that is cut for a minute.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone } from "./browser.mjs";
import { openLine } from "./line.mjs";
import { createPlayer, newPlayer } from "./players.mjs";
import { deleteMessage, joinRoom, say, unique } from "./talk.mjs";

const ROOM = "Maneno club";
/** How long the line is cut: longer than the longest pause between two tries to open the stream again. */
const CUT_MS = 60_000;

let browser;
let line;
before(async () => {
  browser = await launch();
  line = await openLine();
});
after(async () => {
  await browser?.close();
  await line?.close();
});

test("a line that was cut for a minute loses and repeats nothing, and what was removed goes", async () => {
  const amina = await openPhone(browser, "dark", { proxy: line.proxy });
  const brian = await openPhone(browser, "light");
  for (const { page } of [amina, brian]) {
    await createPlayer(page, newPlayer());
    await joinRoom(page, ROOM);
  }
  const log = amina.page.getByRole("log");
  const [first, removed, ...missed] = Array.from({ length: 6 }, () => `${ROOM}: ${unique()}`);
  for (const text of [first, removed]) await say(brian.page, text);
  await log.getByText(removed).waitFor();
  // A reloaded page would read the messages from its pages, not from the stream.
  await amina.page.evaluate(() => {
    window.isTheSamePage = true;
  });

  await line.cut();
  for (const text of missed) await say(brian.page, text);
  await deleteMessage(brian.page, removed);
  await amina.page.waitForTimeout(CUT_MS);
  assert.equal(await log.getByText(missed[0]).count(), 0, "the line is cut");
  await line.mend();

  await log.getByText(missed.at(-1)).waitFor();
  await log.getByText(removed).waitFor({ state: "detached" });
  const texts = await log.getByRole("article").allInnerTexts();
  const sent = [first, ...missed];
  const shown = texts.flatMap((text) => sent.filter((each) => text.includes(each)));
  assert.deepEqual(shown, sent, "each once and in their order");
  assert.ok(await amina.page.evaluate(() => window.isTheSamePage));

  // Messages sent after the cut arrive as before.
  const again = `${ROOM}: ${unique()}`;
  await say(brian.page, again);
  await log.getByText(again).waitFor();
  assert.deepEqual(brian.errors, []);
});

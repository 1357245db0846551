// Safety in chat rooms: a message is reported, its sender is blocked and unblocked.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer } from "./players.mjs";
import { joinRoom, say, unique } from "./talk.mjs";

const ROOM = "Cup talk";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A player in the room. */
async function member(scheme) {
  const phone = await openPhone(browser, scheme);
  await createPlayer(phone.page, newPlayer());
  await joinRoom(phone.page, ROOM);
  return phone.page;
}

/** Opens the actions against a message. */
async function more(page, text) {
  const message = page.getByRole("article").filter({ hasText: text });
  await message.getByRole("button", { name: "Report or block" }).focus();
  await page.keyboard.press("Enter");
}

test("a player reports a message, blocks its sender and unblocks again", async () => {
  const amina = await member("dark");
  const brian = await member("light");
  const first = unique();
  await say(brian, first);
  const log = amina.getByRole("log");
  await log.getByText(first).waitFor();

  await more(amina, first);
  await amina.getByRole("button", { name: "Report this message" }).click();
  await amina.getByLabel("Insults or threats").check();
  await screenshot(amina, "rooms-safety-01-report");
  await amina.getByRole("button", { name: "Send the report" }).click();
  await amina.getByText("Thank you. Our team will look at it.").waitFor();

  await more(amina, first);
  await amina.getByRole("button", { name: "Block this player" }).click();
  await log.getByText(first).waitFor({ state: "detached" });
  const hidden = unique();
  await say(brian, hidden);
  await brian.getByRole("log").getByText(hidden).waitFor();
  // Her own message follows his, so his would have arrived by now.
  const own = unique();
  await say(amina, own);
  await log.getByText(own).waitFor();
  assert.equal(await log.getByText(hidden).count(), 0);

  await amina.getByRole("button", { name: "Options" }).click();
  await amina.getByRole("button", { name: "Blocked players" }).click();
  await screenshot(amina, "rooms-safety-02-blocked");
  await amina.getByRole("button", { name: "Unblock" }).click();
  await amina.getByText("You have not blocked any player.").waitFor();
  await amina.getByRole("button", { name: "Close" }).click();
  await log.getByText(first).waitFor();
  await log.getByText(hidden).waitFor();
});

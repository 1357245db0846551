// A voice file in a room, and the room's counts while players join and leave.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer } from "./players.mjs";
import { joinRoom, sendFile, tone } from "./talk.mjs";

/** No other journey uses this room, so its counts are this journey's. */
const ROOM = "The Ajua bench";
/** A room forgets a player whose window crashed, for example in an earlier run, within a minute. */
const FORGOTTEN_MS = 70_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a voice file is played in the other window, and the counts follow who joins and leaves", async () => {
  const amina = await openPhone(browser, "dark");
  const brian = await openPhone(browser, "light");
  for (const { page } of [amina, brian]) await createPlayer(page, newPlayer());
  await joinRoom(amina.page, ROOM);
  const counts = (members, online) =>
    amina.page
      .getByText(new RegExp(`^${members} members? \\(${online} online\\)`))
      .waitFor({ timeout: FORGOTTEN_MS });
  await counts("\\d+", 1);
  const alone = Number.parseInt(await amina.page.getByText(/^\d+ members? \(/).innerText(), 10);
  await joinRoom(brian.page, ROOM);
  await counts(alone + 1, 2);

  await sendFile(amina.page, { name: "sauti.wav", mimeType: "audio/wav", buffer: tone() });
  const sound = brian.page.getByRole("log").locator("audio").last();
  await sound.waitFor();
  const isInside = (audio) =>
    audio.getBoundingClientRect().right <= audio.parentElement.getBoundingClientRect().right;
  assert.ok(await sound.evaluate(isInside), "the player is wider than its bubble");
  await screenshot(brian.page, "rooms-03-voice");
  const played = await sound.evaluate(async (audio) => {
    audio.muted = true;
    await audio.play();
    await new Promise((resolve) => audio.addEventListener("ended", resolve, { once: true }));
    return { duration: audio.duration, at: audio.currentTime };
  });
  assert.ok(Math.abs(played.duration - 1) < 0.1 && played.at > 0.9, JSON.stringify(played));

  await brian.page.getByRole("button", { name: "Options" }).click();
  await brian.page.getByRole("button", { name: "Leave chatroom" }).click();
  await brian.page.getByText("You have left the room.").waitFor();
  await counts(alone, 1);
  for (const { errors } of [amina, brian]) assert.deepEqual(errors, []);
});

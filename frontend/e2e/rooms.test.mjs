// Chat rooms: two players in one room, in two browser windows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer } from "./players.mjs";
import { say, sendFile, unique } from "./talk.mjs";

const ROOM = "Cup talk";
/** No other journey writes in this room. */
const QUIET_ROOM = "Karibu";
/** Time from the tap on Send to the text in the other window, on a busy machine. */
const CROSSING_MS = 3_000;
const OFFLINE_MS = 3_000;
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A player in a room. */
async function member(scheme, room = ROOM) {
  const phone = await openPhone(browser, scheme);
  await createPlayer(phone.page, newPlayer());
  await phone.page.goto(`${PLAYON_URL}/chat-room`);
  await phone.page.getByRole("button", { name: room }).click();
  const dialog = phone.page.getByRole("dialog", { name: "Join the chat room" });
  await dialog.getByText("Get to interact with other players").waitFor();
  await dialog.getByRole("button", { name: "Join" }).click();
  await phone.page.getByPlaceholder("Type a message").waitFor();
  return phone;
}

test("a message crosses, a lost connection loses and repeats nothing, and a member can leave", async () => {
  const amina = await member("dark");
  const brian = await member("light");
  await amina.page.getByText(/\([2-9]\d* online\)/).waitFor();

  const first = unique();
  const sent = Date.now();
  await say(brian.page, first);
  await amina.page.getByRole("log").getByText(first).waitFor({ timeout: CROSSING_MS });
  console.log(`a message crossed in ${Date.now() - sent} ms`);

  await amina.context.setOffline(true);
  const missed = [unique(), unique(), unique()];
  for (const text of missed) await say(brian.page, text);
  await brian.page.getByRole("log").getByText(missed[2]).waitFor();
  await amina.page.waitForTimeout(OFFLINE_MS);
  await amina.context.setOffline(false);
  // The offline screen, if it appeared, leads back to the room.
  await amina.page.waitForURL("**/chat-room/**");
  for (const text of missed) {
    await amina.page.getByRole("log").getByText(text).waitFor();
    assert.equal(await amina.page.getByRole("log").getByText(text).count(), 1, "once");
  }
  await screenshot(amina.page, "rooms-01-talk");

  await amina.page.locator("input[type=file]").setInputFiles({
    name: "goal.png",
    mimeType: "image/png",
    buffer: PIXEL,
  });
  await amina.page.getByText("goal.png").waitFor();
  await amina.page.getByRole("button", { name: "Send" }).click();
  const picture = brian.page.getByRole("log").getByRole("img", { name: "A picture in the room" }).last();
  await picture.waitFor();
  const isLoaded = (image) => image.complete && image.naturalWidth > 0;
  await brian.page.waitForFunction(isLoaded, await picture.elementHandle());
  const source = await picture.getAttribute("src");
  await picture.click();
  const viewer = brian.page.getByRole("dialog");
  const whole = viewer.getByRole("img", { name: "A picture in the room" });
  await brian.page.waitForFunction(isLoaded, await whole.elementHandle());
  await viewer.getByRole("button", { name: "Larger" }).click();
  await viewer.getByRole("button", { name: "Smaller" }).waitFor();
  await viewer.getByRole("link", { name: "Download" }).waitFor();
  await screenshot(brian.page, "rooms-02-picture");
  // The back gesture leads to the room.
  await brian.page.goBack();
  await viewer.waitFor({ state: "detached" });

  const mine = amina.page
    .getByRole("article")
    .filter({ has: amina.page.getByRole("img", { name: "A picture in the room" }) });
  await mine.last().getByRole("button", { name: "Delete this message" }).focus();
  await amina.page.keyboard.press("Enter");
  await brian.page.locator(`img[src="${source}"]`).waitFor({ state: "detached" });

  await amina.page.getByRole("button", { name: "Options" }).click();
  await amina.page.getByRole("button", { name: "Leave chatroom" }).click();
  await amina.page.getByText("You have left the room.").waitFor();
  await amina.page.getByRole("button", { name: ROOM }).waitFor();
  for (const { errors } of [amina, brian]) {
    assert.deepEqual(
      errors.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text)),
      [],
    );
  }
});

test("the list of rooms says what is new, until it is read", async () => {
  const amina = await member("dark", QUIET_ROOM);
  const brian = await member("light", QUIET_ROOM);
  const toRooms = () => amina.page.getByRole("button", { name: "Back" }).click();
  const room = amina.page
    .getByRole("region", { name: "Your rooms" })
    .getByRole("link", { name: new RegExp(QUIET_ROOM) });
  await toRooms();
  await room.waitFor();

  const text = unique();
  await say(brian.page, text);
  await amina.page.reload();
  await room.getByText(new RegExp(`: ${text}$`)).waitFor();
  await room.getByText("1 unread message", { exact: true }).waitFor();
  await amina.page.getByRole("region", { name: "More rooms" }).waitFor();
  await screenshot(amina.page, "rooms-03-list");

  await room.click();
  await amina.page.getByRole("log").getByText(text).waitFor();
  await toRooms();
  await room.getByText("unread message").waitFor({ state: "detached" });
  // The record is the server's, and not only this page's.
  await amina.page.reload();
  await room.getByText(new RegExp(`: ${text}$`)).waitFor();
  assert.equal(await room.getByText("unread message").count(), 0);
  assert.deepEqual([...amina.errors, ...brian.errors], []);
});

test("a camera's photo is made smaller before it is uploaded", async () => {
  const { page } = await member("dark");
  const photo = Buffer.from(await page.evaluate(cameraPhoto, 3_000), "base64");
  await page.evaluate(() => {
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (form) {
      window.uploaded = form.get("file").size;
      return send.call(this, form);
    };
  });
  await sendFile(page, { name: "IMG_0001.jpg", mimeType: "image/jpeg", buffer: photo });
  const uploaded = await (await page.waitForFunction(() => window.uploaded)).jsonValue();
  console.log(`${uploaded} of ${photo.length} bytes were uploaded`);
  assert.ok(uploaded < photo.length * 0.7);
  const sent = page.getByRole("log").getByRole("img", { name: "A picture in the room" }).last();
  await page.waitForFunction(
    (image) => /-2048x2048-/.test(image.currentSrc) && image.naturalWidth > 0,
    await sent.elementHandle(),
  );
});

/** A square JPEG of so many pixels a side, with as much detail as a photo has, in Base64. */
function cameraPhoto(side) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d");
  for (let at = 0; at < side; at += 6) {
    context.fillStyle = `hsl(${(at * 137) % 360} 60% ${30 + (at % 40)}%)`;
    context.fillRect(at, 0, 6, side);
    context.fillRect(0, (at * 31) % side, side, 3);
  }
  return canvas.toDataURL("image/jpeg", 0.95).split(",")[1];
}

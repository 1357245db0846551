// A mention in a room is pushed to a player who is away, and the push opens the room.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPhone, PLAYON_URL, screenshot } from "./browser.mjs";
import { createPlayer, newPlayer } from "./players.mjs";
import { deliver, pressNotification, subscribeAtTheSandbox } from "./pushes.mjs";
import { pushedTo } from "./sandbox.mjs";
import { joinRoom } from "./talk.mjs";

const ROOM = "Duma Dash crew";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a mention is pushed to a player who is away, and its press opens the room signed in", async () => {
  const [amina, brian] = [newPlayer(), newPlayer()];
  const [away, other] = [await openPhone(browser), await openPhone(browser, "light")];
  await away.context.grantPermissions(["notifications"], { origin: PLAYON_URL });
  const id = await subscribeAtTheSandbox(away.page);
  await createPlayer(away.page, amina);
  await away.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await away.page.goto(`${PLAYON_URL}/account/notifications`);
  assert.equal(await away.page.getByRole("switch", { name: "Mentions in chat rooms" }).isChecked(), true);
  await away.page.getByRole("switch", { name: "On this phone" }).click();
  await away.page.getByText("This phone gets your notifications.").waitFor();
  await joinRoom(away.page, ROOM);
  const hello = `Sasa ${Math.random().toString(36).slice(2)}`;
  await away.page.getByPlaceholder("Type a message").fill(hello);
  await away.page.getByRole("button", { name: "Send" }).click();
  await away.page.getByRole("log").getByText(hello).waitFor();
  // From here on no page of the app is open on this phone.
  const blank = await away.context.newPage();
  await away.page.close();

  await createPlayer(other.page, brian);
  await joinRoom(other.page, ROOM);
  await other.page.getByRole("log").getByText(hello).waitFor();
  await other.page
    .getByRole("button", { name: `Mention ${amina.username}` })
    .last()
    .click();
  const box = other.page.getByPlaceholder("Type a message");
  assert.equal(await box.inputValue(), `@${amina.username} `);
  const words = `twende ${Math.random().toString(36).slice(2)}`;
  await box.pressSequentially(words);
  await other.page.getByRole("button", { name: "Send" }).click();
  await other.page.getByRole("log").getByText(words).waitFor();
  await screenshot(other.page, "mentions-1-sent");

  const { message } = await pushedTo(id);
  assert.equal(message.kind, "MENTION");
  assert.equal(message.title, "You were mentioned");
  assert.equal(message.body, `${brian.username} in ${ROOM}: @${amina.username} ${words}`);
  await deliver(blank, message);
  const opened = await pressNotification(away.context);
  assert.deepEqual(opened, [message.url]);

  const room = await away.context.newPage();
  room.on("pageerror", (error) => away.errors.push(String(error)));
  await room.goto(PLAYON_URL + opened[0]);
  await room.getByRole("heading", { name: ROOM }).waitFor();
  await room.getByRole("log").getByText(words).waitFor();
  await room.getByPlaceholder("Type a message").waitFor();
  assert.equal(await room.locator("mark").last().innerText(), `@${amina.username}`);
  await screenshot(room, "mentions-2-opened");

  await room.goto(`${PLAYON_URL}/notifications`);
  const entry = room.getByRole("link", { name: /You were mentioned/ });
  await entry.getByText(words).waitFor();
  await screenshot(room, "mentions-3-list");
  await entry.click();
  await room.getByRole("heading", { name: ROOM }).waitFor();
  assert.deepEqual([...away.errors, ...other.errors], []);
  await Promise.all([away.context.close(), other.context.close()]);
});

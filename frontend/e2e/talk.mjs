import { PLAYON_URL } from "./browser.mjs";

/** Returns a text that no other message has. */
export const unique = () => Math.random().toString(36).slice(2);

/** Joins a room from the list of rooms, and opens it. */
export async function joinRoom(page, name) {
  await page.goto(`${PLAYON_URL}/chat-room`);
  await page.getByRole("button", { name }).click();
  const dialog = page.getByRole("dialog", { name: "Join the chat room" });
  await dialog.getByRole("button", { name: "Join" }).click();
  await page.getByPlaceholder("Type a message").waitFor();
}

export async function say(page, text) {
  await page.getByPlaceholder("Type a message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  // A message that is on its way is shown, too.
  await page.getByRole("log").locator("article:not([data-sending])").getByText(text).waitFor();
}

/** Deletes a message of one's own by the keyboard, which needs no long press. */
export async function deleteMessage(page, text) {
  const message = page.getByRole("article").filter({ hasText: text });
  await message.getByRole("button", { name: "Delete this message" }).focus();
  await page.keyboard.press("Enter");
  await message.waitFor({ state: "detached" });
}

/** Sends a file with the composer. */
export async function sendFile(page, file) {
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText(file.name).waitFor();
  await page.getByRole("button", { name: "Send" }).click();
}

/** A second of a tone, as a WAV file of 8 kHz. */
export function tone() {
  const samples = Buffer.from(
    Array.from(
      { length: 8_000 },
      (_, at) => 128 + Math.round(100 * Math.sin((at * 2 * Math.PI * 440) / 8_000)),
    ),
  );
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  // The format is PCM with one channel.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

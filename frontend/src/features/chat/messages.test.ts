import { expect, test } from "vitest";
import { aMessage } from "@/test/messages";
import type { Message } from "./api";
import {
  chatTypeOf,
  colourPair,
  continues,
  fileSize,
  mediaUrl,
  merged,
  notShownYet,
  previewOf,
  textParts,
  without,
} from "./messages";

const seqs = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

test("messages of pages and of the stream come together once each, in the room's order", () => {
  const page = [aMessage(5), aMessage(6)];
  const all = merged(merged(page, [aMessage(7)]), [aMessage(4), aMessage(6), aMessage(7)]);
  expect(seqs(all)).toEqual([4, 5, 6, 7]);
  expect(merged(page, [])).toBe(page);
});

test("the list of rooms shows a message in one line, and a file by its kind", () => {
  expect(previewOf(aMessage(1, { message: "Habari" }), "juma")).toBe("juma: Habari");
  expect(previewOf(aMessage(1, { message: "Habari" }), null)).toBe("Habari");
  expect(previewOf(aMessage(1, { chatType: "AUDIO" }), "juma")).toBe("juma: Voice message");
  expect(previewOf(aMessage(1, { message: "/media/chat/rules.txt" }), "You")).toBe("You: Document");
});

test("a removed message goes, and an unknown one changes nothing", () => {
  const page = [aMessage(5), aMessage(6)];
  expect(seqs(without(page, ["m5"]))).toEqual([6]);
  expect(without(page, ["m9"])).toBe(page);
});

test("own messages have the first pair of colours, and each writer always the same one of the others", () => {
  expect(colourPair("anyone", true)).toBe(1);
  const pairs = Array.from({ length: 200 }, (_, n) => colourPair(`player-${n}`, false));
  expect(new Set(pairs)).toEqual(new Set([2, 3, 4, 5, 6, 7]));
  expect(colourPair("player-3", false)).toBe(pairs[3]);
});

test("a file is sent as what its MIME type says", () => {
  const types = ["image/png", "video/mp4", "audio/ogg", "text/plain", "application/pdf", ""];
  expect(types.map(chatTypeOf)).toEqual(["IMAGE", "VIDEO", "AUDIO", "TEXT", "DOCUMENT", "DOCUMENT"]);
});

test("a size is in KB below a megabyte, and in MB above", () => {
  expect(fileSize(12_800)).toBe("12.50 KB");
  expect(fileSize(1024 * 1024 - 1)).toBe("1024.00 KB");
  expect(fileSize(15_728_640)).toBe("15.00 MB");
});

test("messages of one writer in one minute of the clock are a group", () => {
  const at = (createdAt: string, userId = "u1") => aMessage(2, { createdAt, userId });
  const first = at("2026-11-22T10:00:10.000Z");
  expect(continues(first, at("2026-11-22T10:00:59.999Z"))).toBe(true);
  expect(continues(first, at("2026-11-22T10:01:00.000Z"))).toBe(false);
  expect(continues(first, at("2026-11-22T10:00:11.000Z", "u2"))).toBe(false);
  expect(continues(undefined, first)).toBe(false);
});

test("a group ends with its minute, however short the pauses are", () => {
  const times = ["10:00:10", "10:00:50", "10:01:20", "10:01:55", "10:02:30"];
  const messages = times.map((time, n) => aMessage(n, { createdAt: `2026-11-22T${time}.000Z` }));
  const continued = messages.map((message, n) => continues(messages[n - 1], message));
  expect(continued).toEqual([false, true, false, true, false]);
});

test("a message of the player that came live is not shown a second time while its reply is awaited", () => {
  const sent = { text: "Habari", after: 6, isFailed: false };
  const live = aMessage(7, { userId: "me", message: "Habari" });
  expect(notShownYet([sent], [aMessage(6, { userId: "me", message: "Habari" })], "me")).toEqual([sent]);
  expect(notShownYet([sent], [{ ...live, userId: "you" }], "me")).toEqual([sent]);
  expect(notShownYet([sent], [live], "me")).toEqual([]);
  const failed = { ...sent, isFailed: true };
  expect(notShownYet([failed], [live], "me")).toEqual([failed]);
});

test("only http and https become links, without the sentence's end", () => {
  const links = (text: string) => textParts(text).flatMap(({ url }) => url ?? []);
  expect(links("See https://playon.example/a?b=1. And (http://x.example)!")).toEqual([
    "https://playon.example/a?b=1",
    "http://x.example",
  ]);
  expect(links("javascript:alert(1) data:text/html,x ftp://x mailto:a@b.example //x.example")).toEqual([]);
  const text = 'https://x.example"onmouseover=1';
  expect(textParts(text).map((part) => part.text)).toEqual(["https://x.example", '"onmouseover=1']);
});

test("mentions are those that svc-chat reads", () => {
  const mentions = (text: string) => textParts(text).flatMap(({ mention }) => mention ?? []);
  expect(mentions("@amina Habari (@Juma_9), @a.b.c... @@otieno")).toEqual([
    "amina",
    "juma_9",
    "a.b.c",
    "otieno",
  ]);
  for (const none of [
    "joe@example.com",
    "é@amina",
    "_@amina",
    "@ab",
    "@ab..",
    "@aminé",
    "@abc.dé",
    "@amina@example.com",
    "@abcdefghijklmnopqrstu",
    "https://x.example/@amina",
  ]) {
    expect(mentions(none), none).toEqual([]);
  }
  const text = "Hi @amina, see https://x.example/a and @juma.";
  expect(textParts(text).map((part) => part.text)).toEqual([
    "Hi ",
    "@amina",
    ", see ",
    "https://x.example/a",
    " and ",
    "@juma",
    ".",
  ]);
});

test("only media of the app's own origin are shown", () => {
  expect(mediaUrl("/media/chat/o/1.png")).toBe("/media/chat/o/1.png");
  expect(mediaUrl(`${window.location.origin}/media/chat/o/1.png`)).toBe("/media/chat/o/1.png");
  for (const other of [
    "https://evil.example/media/chat/o/1.png",
    "//evil.example/media/1.png",
    "/api/wallets/list",
    "/media/../api/x",
    "javascript:alert(1)",
    "hello",
  ]) {
    expect(mediaUrl(other), other).toBeNull();
  }
});

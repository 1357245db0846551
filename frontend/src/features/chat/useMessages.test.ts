import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { announce, onChange } from "@/lib/changes";
import type { RoomUpdate } from "@/lib/live/rooms";
import { saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { resetRoomLive, roomLive } from "@/test/live";
import { aMessage, liveMessage, messagesBetween, pageOf } from "@/test/messages";
import { aSession } from "@/test/players";
import * as order from "./messages";
import { useMessages } from "./useMessages";

beforeEach(() => {
  resetRoomLive();
  saveSession(aSession());
});

/** A room with this many messages, of which only some are shown to the player. */
function stubRoom(newest: number, isShown: (seq: number) => boolean = () => true) {
  const room = { newest, isShown };
  const contentOf = (page: number) =>
    messagesBetween(page * 50 + 1, Math.min((page + 1) * 50, room.newest)).filter(({ seq }) =>
      room.isShown(seq),
    );
  const handlers = Object.fromEntries(
    [0, 1, 2, 3].map((page) => [
      `POST /chats/list?page=${page}&pageSize=50`,
      async () => ({ statusCode: 200, payload: pageOf(page, contentOf(page), room.newest) }),
    ]),
  );
  const calls = stubGateway(handlers);
  const pages = () => calls.map(({ path }) => Number(/page=(\d+)/.exec(path)?.[1]));
  return { room, pages };
}

async function open(uid: string | null = "lobby") {
  const hook = renderHook((props: { uid: string | null }) => useMessages(props.uid), {
    initialProps: { uid },
  });
  if (uid !== null) await eventually(() => expect(roomLive.watch).not.toBeNull());
  const seqs = () => hook.result.current.messages?.map(({ seq }) => seq) ?? null;
  return { ...hook, seqs };
}

const removed = (id: string): RoomUpdate => ({
  $typeName: "playon.live.v1.MessageRemoved",
  chatRoomUid: "lobby",
  id,
  seq: 0n,
});

const receive = (...updates: RoomUpdate[]) =>
  act(async () => {
    for (const update of updates) roomLive.watch?.onUpdate(update);
    await new Promise((resolve) => setTimeout(resolve, 30));
  });

const range = (first: number, last: number) => messagesBetween(first, last).map(({ seq }) => seq);

test("the newest page comes first, with the one before it if it is short", async () => {
  const { pages } = stubRoom(130);
  const { seqs, result } = await open();
  expect(pages()).toEqual([0, 2]);
  expect(seqs()).toEqual(range(101, 130));
  expect(result.current.page).toBe(2);
});

test("a short page is filled up by the one before it", async () => {
  const { pages } = stubRoom(105);
  const { seqs, result } = await open();
  expect(pages()).toEqual([0, 2, 1]);
  expect(seqs()).toEqual(range(51, 105));
  expect(result.current.page).toBe(1);
});

test("older pages are loaded once each, down to the first", async () => {
  const { pages } = stubRoom(105);
  const { seqs, result } = await open();
  act(() => {
    result.current.loadOlder();
    result.current.loadOlder();
  });
  expect(result.current.isLoading).toBe(true);
  await eventually(() => expect(result.current.page).toBe(0));
  expect(seqs()).toEqual(range(1, 105));
  act(() => result.current.loadOlder());
  expect(pages()).toEqual([0, 2, 1, 0]);
});

test("an older page that could not be loaded can be requested again", async () => {
  const { room } = stubRoom(130);
  const { seqs, result } = await open();
  const fetched = globalThis.fetch;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  act(() => result.current.loadOlder());
  await eventually(() => expect(result.current.error).not.toBeNull());
  expect(result.current.page).toBe(2);
  vi.stubGlobal("fetch", fetched);
  act(() => result.current.loadOlder());
  await eventually(() => expect(result.current.page).toBe(1));
  expect(seqs()).toEqual(range(51, room.newest));
});

test("a message of a page, of the stream and of a reply is shown once", async () => {
  stubRoom(3);
  const { seqs, result } = await open();
  await receive(liveMessage(3), liveMessage(4), liveMessage(5));
  act(() => result.current.add(aMessage(4)));
  expect(seqs()).toEqual([1, 2, 3, 4, 5]);
});

test("the messages of one batch are merged at once, and a removed one is not shown", async () => {
  stubRoom(3);
  const { seqs } = await open();
  const merged = vi.spyOn(order, "merged");
  await receive(...range(4, 60).map((seq) => liveMessage(seq)), removed("m2"), removed("m50"));
  expect(seqs()).toEqual(range(1, 60).filter((seq) => seq !== 2 && seq !== 50));
  // React may run a reducer twice.
  expect([1, 2]).toContain(merged.mock.calls.length);
});

test("the stream starts after the newest message, though all that are loaded are hidden", async () => {
  stubRoom(130, (seq) => seq <= 50);
  const { seqs, result } = await open();
  expect(seqs()).toEqual([]);
  expect(result.current.page).toBe(1);
  expect(roomLive.after).toEqual([130n]);
});

test("the stream starts after the page that was read, though the room went on to the next one", async () => {
  const { room } = stubRoom(149);
  const first = globalThis.fetch;
  vi.stubGlobal("fetch", async (...call: Parameters<typeof fetch>) => {
    const reply = await first(...call);
    room.newest = 152;
    return reply;
  });
  const { seqs } = await open();
  expect(seqs()).toEqual(range(101, 150));
  expect(roomLive.after).toEqual([150n]);
});

test("a reload shows the messages that were hidden, and can load older pages again", async () => {
  const { room, pages } = stubRoom(140, (seq) => seq % 2 === 0);
  const { seqs, result } = await open();
  act(() => result.current.loadOlder());
  await eventually(() => expect(result.current.page).toBe(1));
  await receive(liveMessage(141));
  room.isShown = () => true;
  act(() => result.current.reload());
  await eventually(() => expect(result.current.page).toBe(2));
  expect(seqs()).toEqual(range(101, 141));
  act(() => result.current.loadOlder());
  await eventually(() => expect(result.current.page).toBe(1));
  expect(seqs()).toEqual(range(51, 141));
  expect(pages()).toEqual([0, 2, 1, 0, 2, 1]);
});

test("a refused stream is announced, and opened again after the player has joined again", async () => {
  const { room } = stubRoom(3);
  const { seqs, result, rerender } = await open();
  const announced: string[] = [];
  const stop = onChange((change) => announced.push(change));
  act(() => roomLive.watch?.onRefused("You are not in this chat room"));
  stop();
  expect(result.current.isRefused).toBe(true);
  expect(announced).toEqual(["room/left"]);
  // The list of joined rooms drops the room, and then has it again.
  rerender({ uid: null });
  expect(result.current.isRefused).toBe(false);
  room.newest = 5;
  rerender({ uid: "lobby" });
  await eventually(() => expect(roomLive.after).toEqual([3n, 5n]));
  expect(seqs()).toEqual([1, 2, 3, 4, 5]);
});

test("a refused stream is opened again by a join, though the list never said that the room was left", async () => {
  const { room } = stubRoom(3);
  const { seqs, result } = await open();
  act(() => roomLive.watch?.onRefused("You are not in this chat room"));
  room.newest = 4;
  act(() => announce("room/joined"));
  await eventually(() => expect(roomLive.after).toEqual([3n, 4n]));
  expect(result.current.isRefused).toBe(false);
  expect(seqs()).toEqual([1, 2, 3, 4]);
});

import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { resetRoomLive, roomLive } from "@/test/live";
import { liveMessage, messagesBetween, pageOf } from "@/test/messages";
import { aPlayer, aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { type SeenUpload, stubUploads } from "@/test/uploads";
import type { Message, Room } from "./api";
import { RoomScreen } from "./RoomScreen";

type Handlers = Parameters<typeof stubGateway>[0];

const EMPTY_ROOM = "This chatroom chat has no messages yet. Be the first to send a message!";
const room: Room = {
  id: "r1",
  chatRoomUid: "lobby",
  name: "Lobby",
  icon: "chat",
  gameId: null,
  memberCount: 2,
  onlineMemberCount: 1,
  membership: null,
};
/** The membership of a player who has read all messages. */
const read: Room["membership"] = { unreadCount: 0, lastMessage: null };
const rules = { closed: false, mutedSeconds: 0, slowModeSeconds: 0, waitSeconds: 0 };

beforeEach(() => {
  // The list of messages measures its elements, which jsdom cannot.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  // jsdom cannot scroll elements.
  Element.prototype.scrollTo = () => {};
  resetRoomLive();
  saveSession(aSession());
});
afterEach(() => void Reflect.deleteProperty(Element.prototype, "scrollTo"));

/** Gives each element a height, so that the list shows its rows. */
function stubLayout() {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly report: ResizeObserverCallback) {}
      observe(target: Element) {
        const contentRect = { width: 360, height: target.getAttribute("role") === "log" ? 600 : 40 };
        queueMicrotask(() => act(() => this.report([{ target, contentRect } as ResizeObserverEntry], this)));
      }
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "offsetParent", "get").mockReturnValue(document.body);
}

/**
 * Opens the room with these pages. Player u1 wrote all of them, and the player has blocked u1 if `isBlocked`. `others`
 * adds handlers, or replaces those of the room.
 */
async function open(
  pages: readonly (readonly Message[])[],
  newest: number,
  { isBlocked = false, others = {} }: { isBlocked?: boolean; others?: Handlers } = {},
) {
  const joined = { list: ["lobby"] };
  const payloads: Record<string, () => unknown> = {
    "GET /chat-rooms/list": () => [{ ...room, membership: joined.list.includes("lobby") ? read : null }],
    "POST /chats/read": () => null,
    "GET /chat-rooms/lobby/sending": () => rules,
    "GET /profile/blocked-players": () =>
      isBlocked ? [{ userId: "u1", username: "juma", name: null, profilePic: null }] : [],
    "GET /profile/chatroom-join/lobby": () => {
      joined.list = ["lobby"];
      return null;
    },
  };
  for (const [page, content] of pages.entries()) {
    payloads[`POST /chats/list?page=${page}&pageSize=50`] = () => pageOf(page, content, newest);
  }
  const ok = (payload: () => unknown) => () => ({ statusCode: 200, payload: payload() });
  const handlers = Object.entries(payloads).map(([call, payload]) => [call, ok(payload)] as const);
  const calls = stubGateway({ ...Object.fromEntries(handlers), ...others });
  renderPage(<RoomScreen uid="lobby" ownId="p1" ownUsername="wanjiru" back="/chat-room" />);
  await eventually(() => expect(roomLive.watch).not.toBeNull());
  return { joined, calls };
}

test("a room without messages says so", async () => {
  await open([[]], 0);
  expect(await screen.findByText(EMPTY_ROOM)).toBeVisible();
});

test("a room is marked as read when it is opened, and when the player leaves after more has come", async () => {
  const { calls } = await open([messagesBetween(1, 3)], 3);
  const marks = () => calls.filter(({ path }) => path === "/chats/read").map(({ body }) => body);
  await eventually(() => expect(marks()).toEqual([{ chatRoomId: "lobby", seq: 3 }]));
  act(() => roomLive.watch?.onUpdate(liveMessage(4)));
  expect(await screen.findAllByText("text 4")).not.toHaveLength(0);
  expect(marks()).toHaveLength(1);
  cleanup();
  await eventually(() => expect(marks().at(-1)).toEqual({ chatRoomId: "lobby", seq: 4 }));
  expect(marks()).toHaveLength(2);
});

test("a mark that failed is sent again when the page is hidden", async () => {
  const answers = [{ statusCode: 503 }, { statusCode: 200 }];
  const { calls } = await open([messagesBetween(1, 3)], 3, {
    others: { "POST /chats/read": () => answers.shift() ?? { statusCode: 200 } },
  });
  const marks = () => calls.filter(({ path }) => path === "/chats/read");
  await eventually(() => expect(marks()).toHaveLength(1));
  await eventually(() => {
    document.dispatchEvent(new Event("visibilitychange"));
    expect(marks()).toHaveLength(2);
  });
});

test("a player who leaves the room sends no mark of it any more", async () => {
  const { joined, calls } = await open([messagesBetween(1, 3)], 3, {
    others: {
      "GET /profile/chatroom-leave/lobby": () => {
        joined.list = [];
        return { statusCode: 200 };
      },
    },
  });
  const paths = () => calls.map(({ path }) => path);
  await eventually(() => expect(paths()).toContain("/chats/read"));
  act(() => roomLive.watch?.onUpdate(liveMessage(4)));
  expect(await screen.findAllByText("text 4")).not.toHaveLength(0);
  await userEvent.click(screen.getByRole("button", { name: "Options" }));
  await userEvent.click(await screen.findByRole("button", { name: "Leave chatroom" }));
  await eventually(() => expect(screen.queryByRole("log")).toBeNull());
  expect(paths().filter((path) => path === "/chats/read")).toHaveLength(1);
});

test("a room whose newest messages are all hidden shows the list, whose older pages can be loaded", async () => {
  await open([messagesBetween(1, 50), [], []], 130, { isBlocked: true });
  // The list, whose rows jsdom does not show because they have no height.
  expect(await screen.findByRole("log")).toBeVisible();
  expect(screen.queryByText(EMPTY_ROOM)).toBeNull();
});

test("a player who was removed can join again, and is in the room", async () => {
  const { joined } = await open([[]], 0);
  joined.list = [];
  roomLive.watch?.onRefused("You are not in this chat room");
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  expect(await screen.findByPlaceholderText("Type a message")).toBeVisible();
  await eventually(() => expect(roomLive.after).toHaveLength(2));
});

test("joining a room again shows an info toast, and opens the room", async () => {
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  const statusMessage = "You are already subscribed to this chat room";
  const { joined } = await open([[]], 0, {
    others: {
      "GET /profile/chatroom-join/lobby": () => {
        joined.list = ["lobby"];
        return { statusCode: 409, statusMessage, payload: { code: "ALREADY_SUBSCRIBED" } };
      },
    },
  });
  joined.list = [];
  roomLive.watch?.onRefused("You are not in this chat room");
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  expect(await screen.findByPlaceholderText("Type a message")).toBeVisible();
  expect(info).toHaveBeenCalledExactlyOnceWith(statusMessage);
});

test("Load more messages loads the page before, and is gone at page 0", async () => {
  stubLayout();
  const writer = { id: "u1", username: "juma", name: null, profilePic: null, former: false };
  const { calls } = await open([messagesBetween(1, 50), [], []], 130, {
    others: { "GET /users/public?ids=u1": () => ({ statusCode: 200, payload: [writer] }) },
  });
  const pages = () => calls.map(({ path }) => /page=(\d)/.exec(path)?.[1]).filter(Boolean);
  const button = await screen.findByRole("button", { name: "Load more messages" });
  const list = within(screen.getByRole("log"));
  expect(list.queryByText("text 50")).toBeNull();
  expect(pages()).toEqual(["0", "2", "1"]);
  await userEvent.click(button);
  expect(await list.findByText("text 50")).toBeVisible();
  expect(pages()).toEqual(["0", "2", "1", "0"]);
  expect(screen.queryByRole("button", { name: "Load more messages" })).toBeNull();
});

/** Attaches a file in the empty room, and sends it. */
async function sendFile() {
  const uploads = stubUploads();
  savePlayer(aPlayer());
  const { calls } = await open([[]], 0);
  await screen.findByPlaceholderText("Type a message");
  const input = document.querySelector<HTMLInputElement>("input[type=file]") as HTMLInputElement;
  await userEvent.upload(input, new File(["goal"], "goal.png", { type: "image/png" }));
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  await eventually(() => expect(uploads).toHaveLength(1));
  return { upload: uploads[0] as SeenUpload, calls };
}

test.each([
  ["loses the connection", (upload: SeenUpload) => upload.loseLine(), "Could not upload media"],
  [
    "is refused",
    (upload: SeenUpload) => upload.answer(415, { statusMessage: "We do not take such files." }),
    "We do not take such files.",
  ],
])("an upload that %s shows a toast, and sends nothing", async (_how, end, text) => {
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  const { upload, calls } = await sendFile();
  await act(async () => end(upload));
  await eventually(() => expect(error).toHaveBeenCalledWith(text));
  // The message has left the list.
  expect(await screen.findByText(EMPTY_ROOM)).toBeVisible();
  expect(calls.some(({ path }) => path === "/chats/send")).toBe(false);
});

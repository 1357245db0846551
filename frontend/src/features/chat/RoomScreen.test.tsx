import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { resetRoomLive, roomLive } from "@/test/live";
import { messagesBetween, pageOf } from "@/test/messages";
import { aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import type { Message, Room } from "./api";
import { RoomScreen } from "./RoomScreen";

const EMPTY_ROOM = "This chatroom chat has no messages yet. Be the first to send a message!";
const room: Room = {
  id: "r1",
  chatRoomUid: "lobby",
  name: "Lobby",
  icon: "chat",
  gameId: null,
  memberCount: 2,
  onlineMemberCount: 1,
};
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
  resetRoomLive();
  saveSession(aSession());
});

/** Opens the room with these pages. Player u1 wrote all of them, and the player has blocked u1 if `isBlocked`. */
async function open(pages: readonly (readonly Message[])[], newest: number, isBlocked = false) {
  const joined = { list: ["lobby"] };
  const payloads: Record<string, () => unknown> = {
    "GET /profile/chatrooms": () => joined.list,
    "GET /chat-rooms/list": () => [room],
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
  stubGateway(Object.fromEntries(Object.entries(payloads).map(([call, payload]) => [call, ok(payload)])));
  renderPage(<RoomScreen uid="lobby" ownId="p1" ownUsername="wanjiru" passed={room} back="/chat-room" />);
  await vi.waitFor(() => expect(roomLive.watch).not.toBeNull());
  return { joined };
}

test("a room without messages says so", async () => {
  await open([[]], 0);
  expect(await screen.findByText(EMPTY_ROOM)).toBeVisible();
});

test("a room whose newest messages are all hidden shows the list, whose older pages can be loaded", async () => {
  await open([messagesBetween(1, 50), [], []], 130, true);
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
  await vi.waitFor(() => expect(roomLive.after).toHaveLength(2));
});

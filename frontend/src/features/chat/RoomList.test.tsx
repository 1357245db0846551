import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aMessage } from "@/test/messages";
import { aPlayer, aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import type { Room } from "./api";
import { RoomList } from "./RoomList";

function aRoom(name: string, membership: Room["membership"]): Room {
  const id = `id-${name}`;
  return {
    id,
    chatRoomUid: name,
    name,
    icon: "/i.svg",
    gameId: null,
    memberCount: 12,
    onlineMemberCount: 3,
    membership,
  };
}

/** Opens the list with these rooms. The player is p1; Juma is u1. */
async function open(rooms: readonly Room[]) {
  saveSession(aSession());
  savePlayer(aPlayer({ uid: "p1" }));
  const juma = { id: "u1", username: "juma", name: null, profilePic: null, former: false };
  stubGateway({
    "GET /chat-rooms/list": () => ({ statusCode: 200, payload: rooms }),
    "GET /users/public?ids=u1": () => ({ statusCode: 200, payload: [juma] }),
  });
  renderPage(<RoomList toRoom={({ chatRoomUid }) => `/chat-room/${chatRoomUid}`} onJoined={() => {}} />);
  return within(await screen.findByRole("region", { name: "Your rooms" }));
}

test("the player's rooms come first, that with the newest message at the top", async () => {
  const at = (createdAt: string) => ({ unreadCount: 0, lastMessage: aMessage(1, { createdAt }) });
  const yours = await open([
    aRoom("ajua", at("2026-11-20T10:00:00.000Z")),
    aRoom("bench", null),
    aRoom("karibu", { unreadCount: 0, lastMessage: null }),
    aRoom("maneno", at("2026-11-21T10:00:00.000Z")),
  ]);
  const links = yours.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/chat-room/maneno", "/chat-room/ajua", "/chat-room/karibu"]);
  const others = within(screen.getByRole("region", { name: "More rooms" }));
  expect(others.getByRole("button", { name: /bench.*12 members.*3 online.*Join/ })).toBeVisible();
});

test("a room says who wrote last, and how much is unread", async () => {
  const yours = await open([
    aRoom("ajua", { unreadCount: 100, lastMessage: aMessage(120, { message: "Habari za jioni" }) }),
    aRoom("maneno", { unreadCount: 0, lastMessage: aMessage(7, { userId: "p1", chatType: "IMAGE" }) }),
  ]);
  expect(await yours.findByText("juma: Habari za jioni")).toBeVisible();
  expect(yours.getByText("100 unread messages")).toBeInTheDocument();
  expect(yours.getByText("99+")).toBeVisible();
  expect(yours.getByText("You: Picture")).toBeVisible();
});

test("a player without a room sees all rooms in one list", async () => {
  saveSession(aSession());
  stubGateway({ "GET /chat-rooms/list": () => ({ statusCode: 200, payload: [aRoom("ajua", null)] }) });
  renderPage(<RoomList toRoom={() => "/"} onJoined={() => {}} />);
  expect(await screen.findByRole("heading", { name: "ajua", level: 2 })).toBeVisible();
  expect(screen.queryByRole("region")).toBeNull();
});

test("the dialog of a room stays when the room has moved to the player's rooms", async () => {
  const joined: { membership: Room["membership"] } = { membership: null };
  saveSession(aSession());
  stubGateway({
    "GET /chat-rooms/list": () => ({ statusCode: 200, payload: [aRoom("ajua", joined.membership)] }),
    "GET /profile/chatroom-join/ajua": () => {
      joined.membership = { unreadCount: 0, lastMessage: null };
      return { statusCode: 200 };
    },
  });
  renderPage(<RoomList toRoom={() => "/"} onJoined={() => {}} />);
  await userEvent.click(await screen.findByRole("button", { name: /ajua/ }));
  const dialog = await screen.findByRole("dialog", { name: "Join the chat room" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Join" }));
  expect(await screen.findByRole("region", { name: "Your rooms", hidden: true })).toBeInTheDocument();
  expect(dialog).toBeInTheDocument();
});

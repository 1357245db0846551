import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { provideToaster } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import type { Message } from "../api";
import { BlockedPlayers } from "./BlockedPlayers";
import { MessageMenu } from "./MessageMenu";
import { SendingNotice } from "./SendingNotice";
import { useSending } from "./sending";

const shown: string[] = [];
const message: Message = {
  id: "m-1",
  userId: "u-2",
  chatRoomId: "r-1",
  message: "Send me your PIN",
  chatType: "TEXT",
  createdAt: "2026-11-20T09:00:00.500Z",
  updatedAt: "2026-11-20T09:00:00.500Z",
  seq: 1,
};

beforeEach(() => {
  shown.length = 0;
  provideToaster(async () => ({ show: (_, text) => shown.push(text), clearErrors: () => {} }));
  saveSession(aSession());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(children: React.ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(<QueryClientProvider client={client}>{children}</QueryClientProvider>);
}

test("a message is reported with a reason, and without one the report cannot be sent", async () => {
  const calls = stubGateway({ "POST /chats/m-1/report": () => ({ statusCode: 200 }) });
  const closed = vi.fn();
  open(<MessageMenu message={message} name="juma" onBlock={async () => {}} onClose={closed} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Report this message" }));
  const send = screen.getByRole("button", { name: "Send the report" });
  expect(send).toBeDisabled();
  await user.click(screen.getByLabelText("A scam, or asks for a PIN"));
  await user.type(screen.getByLabelText("More about it (optional)"), " Twice ");
  await user.click(send);
  await eventually(() => expect(closed).toHaveBeenCalledOnce());
  expect(calls.map(({ body }) => body)).toEqual([{ reason: "SCAM", note: "Twice" }]);
  await eventually(() => expect(shown).toEqual(["Thank you. Our team will look at it."]));
});

test("a report that is refused says why, and can be sent again", async () => {
  const statusMessage = "You have tried too many times.";
  stubGateway({
    "POST /chats/m-1/report": () => ({ statusCode: 429, statusMessage, payload: { code: "RATE_LIMITED" } }),
  });
  const closed = vi.fn();
  open(<MessageMenu message={message} name="juma" onBlock={async () => {}} onClose={closed} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Report this message" }));
  await user.click(screen.getByLabelText("Spam"));
  await user.click(screen.getByRole("button", { name: "Send the report" }));
  await eventually(() => expect(shown).toEqual([statusMessage]));
  expect(closed).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Send the report" })).toBeEnabled();
});

test("a blocked player is listed, and is gone from the list once unblocked", async () => {
  const players = [{ userId: "u-2", username: "juma", name: null, former: false, profilePic: null }];
  const calls = stubGateway({
    "GET /profile/blocked-players": () => ({ statusCode: 200, payload: players }),
    "DELETE /profile/blocked-players/u-2": () => ({ statusCode: 200 }),
  });
  const unblocked = vi.fn();
  open(<BlockedPlayers onUnblocked={unblocked} onClose={() => {}} />);
  expect(await screen.findByText("juma")).toBeVisible();
  await userEvent.setup().click(screen.getByRole("button", { name: "Unblock" }));
  expect(await screen.findByText("You have not blocked any player.")).toBeVisible();
  expect(unblocked).toHaveBeenCalledOnce();
  expect(calls.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
});

function Notice() {
  return <SendingNotice sending={useSending("lobby")} />;
}

const rules = { closed: false, mutedSeconds: 0, slowModeSeconds: 0, waitSeconds: 0 };

test.each([
  [{ ...rules, closed: true }, "This chat room is closed. You can read it, but not send messages."],
  [{ ...rules, mutedSeconds: 150 }, "You cannot send messages for another 3 min. You can still read."],
  [{ ...rules, slowModeSeconds: 30 }, "Slow mode: one message every 30 s."],
])("what keeps a player from sending is said in words: %o", async (payload, text) => {
  stubGateway({ "GET /chat-rooms/lobby/sending": () => ({ statusCode: 200, payload }) });
  open(<Notice />);
  expect(await screen.findByText(text)).toBeVisible();
});

test("the wait of slow mode is counted down until the player may send", async () => {
  vi.useFakeTimers();
  const payload = { ...rules, slowModeSeconds: 30, waitSeconds: 3 };
  stubGateway({ "GET /chat-rooms/lobby/sending": () => ({ statusCode: 200, payload }) });
  open(<Notice />);
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(screen.getByText("Slow mode: you can send again in 3 s.")).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.getByText("Slow mode: you can send again in 1 s.")).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.getByText("Slow mode: one message every 30 s.")).toBeVisible();
});

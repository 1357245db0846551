import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "@/lib/changes";
import { saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aNotification } from "@/test/payloads";
import { aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { type Notification, PAGE_SIZE } from "./api";
import { NotificationList } from "./NotificationList";

const NEWEST = `GET /profile/notifications?pageSize=${PAGE_SIZE}`;
const READ = "POST /profile/notifications/read";

beforeEach(() => saveSession(aSession()));
afterEach(() => vi.unstubAllGlobals());

/** A stub gateway with these notifications, which stores what is marked as read. */
function gateway(all: Notification[], handlers: Parameters<typeof stubGateway>[0] = {}) {
  return stubGateway({
    [NEWEST]: () => ({ statusCode: 200, payload: all.slice(0, PAGE_SIZE) }),
    [READ]: ({ body }) => {
      const { ids } = body as { ids: string[] };
      for (const each of all) each.read ||= ids.includes(each.id);
      return { statusCode: 200 };
    },
    ...handlers,
  });
}

function open() {
  renderPage(<NotificationList linkOf={() => "/wallet"} />);
}

test("a notification says what happened and when, and leads on", async () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString();
  gateway([aNotification({ createdAt: yesterday, read: true })]);
  open();
  const row = await screen.findByRole("link", { name: /Money in your wallet/ });
  expect(row).toHaveAttribute("href", "/wallet");
  expect(row).toHaveTextContent("Your top-up of KES 100.00 is in. Time to play!");
  expect(within(row).getByText("yesterday")).toHaveAttribute("datetime", yesterday);
  expect(within(row).queryByRole("img", { name: "New" })).toBeNull();
});

test("awards and results lead where their kinds do", async () => {
  gateway([
    aNotification({ id: "n3", kind: "AWARD_WON", title: "You won a prize!" }),
    aNotification({ id: "n2", kind: "CASH_AWARD_WON", title: "You won cash!" }),
    aNotification({ id: "n1", kind: "TOURNAMENT_RESULT", title: "The results are in" }),
  ]);
  renderPage(<NotificationList linkOf={({ kind }) => `/${kind}`} />);
  for (const [title, kind] of [
    ["You won a prize!", "AWARD_WON"],
    ["You won cash!", "CASH_AWARD_WON"],
    ["The results are in", "TOURNAMENT_RESULT"],
  ]) {
    expect(await screen.findByRole("link", { name: new RegExp(`^${title}`) })).toHaveAttribute(
      "href",
      `/${kind}`,
    );
  }
});

test("a kind of a newer server is shown with its words", async () => {
  gateway([
    { ...aNotification({ id: "n2", title: "A new game" }), kind: "GAME_ADDED" },
    aNotification({ id: "n1", kind: "AWARD_WON", title: "You won a prize!" }),
  ]);
  open();
  expect(await screen.findByRole("link", { name: /^A new game/ })).toBeVisible();
  expect(screen.getByRole("link", { name: /^You won a prize!/ })).toBeVisible();
});

test("what was unread keeps its mark while it is looked at, and is marked as read on the server", async () => {
  const all = [aNotification({ id: "n2" }), aNotification({ id: "n1", read: true })];
  const seen = gateway(all);
  open();
  await screen.findAllByRole("link");
  await eventually(() => expect(seen.filter(({ path }) => path.endsWith("/read"))).toHaveLength(1));
  expect(seen.at(-1)?.body).toEqual({ ids: ["n2"] });
  // The live stream announces this afterwards.
  act(() => announce("notifications/read"));
  await eventually(() => expect(seen.at(-1)?.method).toBe("GET"));
  expect(screen.getAllByRole("img", { name: "New" })).toHaveLength(1);
});

test("a notification that arrives is on the screen at once", async () => {
  const all = [aNotification({ id: "n1", read: true })];
  gateway(all);
  open();
  await screen.findByText("Money in your wallet");
  all.unshift(aNotification({ id: "n2", title: "A friend boosted you", kind: "BOOST_RECEIVED" }));
  act(() => announce("notifications/arrived"));
  expect(await screen.findByText("A friend boosted you")).toBeVisible();
});

test("older ones come on request, from the last one on", async () => {
  const all = Array.from({ length: PAGE_SIZE + 1 }, (_, index) =>
    aNotification({ id: `n${100 - index}`, title: `Number ${100 - index}`, read: true }),
  );
  gateway(all, {
    [`${NEWEST}&before=n71`]: () => ({ statusCode: 200, payload: all.slice(PAGE_SIZE) }),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Show older ones" }));
  expect(await screen.findByText("Number 70")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show older ones" })).toBeNull();
});

test("without notifications the screen says so and offers Refresh", async () => {
  const all: Notification[] = [];
  gateway(all);
  open();
  expect(await screen.findByText("No Notifications Yet")).toBeVisible();
  all.push(aNotification());
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(await screen.findByText("Money in your wallet")).toBeVisible();
});

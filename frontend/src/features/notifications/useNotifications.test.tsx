import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { notificationsLive, resetNotificationsLive } from "@/test/live";
import { aNotification } from "@/test/payloads";
import { aSession } from "@/test/players";
import { PAGE_SIZE } from "./api";
import { notificationsQuery } from "./queries";
import { READ_AFTER_MS, useMarkRead, useNotifications } from "./useNotifications";
import { useUnread } from "./useUnread";

const READ = "POST /profile/notifications/read";

beforeEach(() => {
  resetNotificationsLive();
  saveSession(aSession());
});
afterEach(() => vi.unstubAllGlobals());

function Screen() {
  const { list } = useNotifications();
  useMarkRead(list.data?.rows ?? []);
  return <output>{useUnread()}</output>;
}

/** Opens the list with a page of unread notifications. The server has `unread` of them in all, and says at most 100. */
async function open(unread: number) {
  const rows = Array.from({ length: PAGE_SIZE }, (_, index) => aNotification({ id: `n${100 - index}` }));
  let left = unread;
  const seen = stubGateway({
    [`GET /profile/notifications?pageSize=${PAGE_SIZE}`]: () => ({ statusCode: 200, payload: rows }),
    "GET /profile/notifications/unread": () => ({
      statusCode: 200,
      payload: { unread: Math.min(left, 100) },
    }),
    [READ]: ({ body }) => {
      left -= (body as { ids: string[] }).ids.length;
      return { statusCode: 200 };
    },
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const show = () =>
    render(
      <QueryClientProvider client={client}>
        <Screen />
      </QueryClientProvider>,
    );
  const { unmount } = show();
  await eventually(() => expect(notificationsLive.watch).not.toBeNull());
  const calls = (path: string) => seen.filter((call) => call.path === path).length;
  const marked = () =>
    eventually(() =>
      expect(client.getQueryData(notificationsQuery.queryKey)?.rows.every(({ read }) => read)).toBe(true),
    );
  return { client, calls, marked, leave: unmount, show };
}

const number = () => screen.getByRole("status").textContent;

test("the number is the server's: of 150 unread it says 100 before and after 30 are read", async () => {
  const { calls, marked } = await open(150);
  act(() => notificationsLive.watch?.onLive(true));
  act(() => notificationsLive.say(100, "n100"));
  await marked();
  expect(number()).toBe("100");
  expect(calls("/profile/notifications/unread")).toBe(0);
});

test("a state that comes before the reply counts once", async () => {
  const { marked } = await open(31);
  act(() => notificationsLive.watch?.onLive(true));
  act(() => notificationsLive.say(1, "n100"));
  await marked();
  expect(number()).toBe("1");
});

test("without a live stream the number is fetched after the reply", async () => {
  const { calls, marked } = await open(150);
  act(() => notificationsLive.watch?.onLost());
  await eventually(() => expect(number()).toBe("100"));
  await marked();
  await eventually(() => expect(calls("/profile/notifications/unread")).toBe(2));
  expect(number()).toBe("100");
});

test("what is read is not marked again by the next visit", async () => {
  const { calls, marked, leave, show } = await open(30);
  await marked();
  leave();
  show();
  await act(() => new Promise((resolve) => setTimeout(resolve, READ_AFTER_MS + 200)));
  expect(calls("/profile/notifications/read")).toBe(1);
});

test("a list that was out of date stays so when its rows are read", async () => {
  const { client, marked } = await open(30);
  await eventually(() => expect(client.getQueryData(notificationsQuery.queryKey)).toBeDefined());
  const { queryKey } = notificationsQuery;
  await client.invalidateQueries({ queryKey, refetchType: "none" });
  await marked();
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

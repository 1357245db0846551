import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { followChanges } from "@/app/data/client";
import { type Change, onChange } from "@/lib/changes";
import { saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { notificationsLive, resetNotificationsLive } from "@/test/live";
import { aNotification } from "@/test/payloads";
import { aSession } from "@/test/players";
import { notificationsQuery } from "./queries";
import { useUnread } from "./useUnread";

let client: QueryClient;
let changes: Change[];

beforeEach(() => {
  resetNotificationsLive();
  saveSession(aSession());
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  changes = [];
  onTestFinished(onChange((change) => changes.push(change)));
  onTestFinished(followChanges(client));
});
afterEach(() => vi.unstubAllGlobals());

function Badge() {
  return <output>{useUnread()}</output>;
}

/** Shows a screen with a tab bar. Returns the function that leaves it. */
async function openBadge(): Promise<() => void> {
  notificationsLive.watch = null;
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Badge />
    </QueryClientProvider>,
  );
  await eventually(() => expect(notificationsLive.watch).not.toBeNull());
  return unmount;
}

const cacheList = (id: string) =>
  client.setQueryData(notificationsQuery.queryKey, { rows: [aNotification({ id })], hasMore: false });
const isListStale = () => client.getQueryState(notificationsQuery.queryKey)?.isInvalidated;

test("what arrives while no tab bar is shown is announced by the next one", async () => {
  const leave = await openBadge();
  act(() => notificationsLive.say(1, "n1"));
  cacheList("n1");
  leave();
  await openBadge();
  act(() => notificationsLive.say(2, "n2"));
  expect(changes).toEqual(["notifications/arrived"]);
  await eventually(() => expect(isListStale()).toBe(true));
});

test("a list of an earlier visit is fetched again when the server has a newer notification", async () => {
  cacheList("n1");
  await openBadge();
  act(() => notificationsLive.say(1, "n1"));
  expect(changes).toEqual([]);
  client.clear();
  saveSession(aSession({ uid: "p2" }));
  cacheList("n4");
  act(() => notificationsLive.say(2, "n5"));
  await eventually(() => expect(isListStale()).toBe(true));
  // A difference from another player's state says nothing about this player's money.
  expect(changes).toEqual(["notifications/read"]);
});

test("a number that was asked for before the stream's does not replace it", async () => {
  let answer = (_unread: number): void => {};
  const asked = vi.fn();
  stubGateway({
    "GET /profile/notifications/unread": () => {
      asked();
      return new Promise((resolve) => {
        answer = (unread) => resolve({ statusCode: 200, payload: { unread } });
      });
    },
  });
  await openBadge();
  act(() => notificationsLive.watch?.onLost());
  await eventually(() => expect(asked).toHaveBeenCalledOnce());
  act(() => {
    notificationsLive.watch?.onLive(true);
    notificationsLive.say(0, "n1");
  });
  await act(async () => answer(1));
  expect(screen.getByRole("status")).toHaveTextContent("0");
});

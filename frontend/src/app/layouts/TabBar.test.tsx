import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { notificationsLive, resetNotificationsLive } from "@/test/live";
import { aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { TabLayout } from "./TabBar";

beforeEach(() => {
  resetNotificationsLive();
  saveSession(aSession());
});
afterEach(() => vi.unstubAllGlobals());

async function openTabs() {
  renderRoutes(
    [{ path: paths.notifications, element: <TabLayout>content</TabLayout> }],
    [paths.notifications],
  );
  await eventually(() => expect(notificationsLive.watch).not.toBeNull());
  const bar = screen.getByRole("navigation", { name: "Main" });
  return { bar, tab: within(bar).getByRole("link", { name: /Notifications/ }) };
}

test("the open tab is marked, and unread notifications are counted on theirs, live", async () => {
  stubGateway({});
  const { bar, tab } = await openTabs();
  expect(tab).toHaveAttribute("aria-current", "page");
  expect(within(bar).getByRole("link", { name: "Home" })).not.toHaveAttribute("aria-current");
  expect(tab).toHaveAccessibleName("Notifications");
  act(() => notificationsLive.say(3, "n3"));
  await eventually(() => expect(tab).toHaveAccessibleName("Notifications 3 unread"));
  act(() => notificationsLive.say(0, "n3"));
  await eventually(() => expect(tab).toHaveAccessibleName("Notifications"));
});

test("without a live stream the number is fetched", async () => {
  stubGateway({ "GET /profile/notifications/unread": () => ({ statusCode: 200, payload: { unread: 2 } }) });
  const { tab } = await openTabs();
  act(() => notificationsLive.watch?.onLost());
  await eventually(() => expect(tab).toHaveAccessibleName("Notifications 2 unread"));
});

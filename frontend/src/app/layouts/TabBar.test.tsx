import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { paths } from "@/app/paths";
import { renderRoutes } from "@/test/render";
import { TabLayout } from "./TabBar";

test("the open tab is marked, and unread notifications are counted on theirs", () => {
  renderRoutes(
    [{ path: paths.notifications, element: <TabLayout badge={3}>content</TabLayout> }],
    [paths.notifications],
  );
  const bar = screen.getByRole("navigation", { name: "Main" });
  const tab = within(bar).getByRole("link", { name: /Notifications/ });
  expect(tab).toHaveAttribute("aria-current", "page");
  expect(tab).toHaveAccessibleName("Notifications 3 unread");
  expect(within(bar).getByRole("link", { name: "Home" })).not.toHaveAttribute("aria-current");
});

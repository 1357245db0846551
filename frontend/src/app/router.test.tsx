import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createBrowserRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { everyProvider } from "@/test/signIn";

let router: ReturnType<typeof createBrowserRouter>;

/** Opens the app at an address, as a browser would. */
async function visit(address: string) {
  window.history.pushState(null, "", address);
  const { routes, loadScreens } = await import("./router");
  router = createBrowserRouter(routes, { patchRoutesOnNavigation: loadScreens });
  render(<RouterProvider router={router} />);
}

beforeEach(() => {
  vi.spyOn(toast, "info").mockImplementation(() => {});
  window.scrollTo = vi.fn() as typeof window.scrollTo;
});
afterEach(() => router.dispose());

test("a guest who opens a guarded page has no history entry behind the login", async () => {
  stubGateway({ "GET /auth/providers": () => ({ statusCode: 200, payload: everyProvider }) });
  await visit("/account/wallet");
  expect(await screen.findByLabelText("Email")).toBeVisible();
  expect(window.location.pathname + window.location.search).toBe("/login?from=%2Faccount%2Fwallet");
  expect(window.history.state).toMatchObject({ idx: 0 });
});

test("a dialog opens without a token renewal", async () => {
  const user = userEvent.setup();
  saveSession(aSession());
  savePlayer(aPlayer());
  const seen = stubGateway({});
  await visit("/profile");
  const field = await screen.findByRole("button", { name: /^Username/ });
  act(() => saveSession(aSession({ expirationTime: Date.now() + 1_000 })));
  await user.click(field);
  expect(await screen.findByRole("dialog", { name: "Edit Username" })).toBeVisible();
  expect(seen).toHaveLength(0);
});

test("an unknown address shows Page Not Found, which leads home", async () => {
  const user = userEvent.setup();
  await visit("/no/such/place");
  expect(await screen.findByText("Page Not Found")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Home" }));
  expect(await screen.findByRole("heading", { name: "Welcome to PlayOn" })).toBeVisible();
});

test("the welcome and the offline screen do not load the table of screens", async () => {
  await visit("/");
  expect(await screen.findByRole("heading", { name: "Welcome to PlayOn" })).toBeVisible();
  await act(() => router.navigate(paths.offline));
  expect(await screen.findByText("Connection Lost")).toBeVisible();
  expect(router.routes[0]?.children).toHaveLength(2);
});

test("navigation focuses the new screen's title, but the first page of a visit is not focused", async () => {
  const user = userEvent.setup();
  saveSession(aSession());
  savePlayer(aPlayer());
  stubGateway({ "GET /referrals": () => ({ statusCode: 503 }) });
  await visit("/account");
  const row = await screen.findByRole("link", { name: "Change password" });
  expect(document.body).toHaveFocus();
  await user.click(row);
  const title = await screen.findByRole("heading", { name: "Change password" });
  await waitFor(() => expect(title).toHaveFocus());
  await user.click(screen.getByRole("button", { name: "Skip to the content" }));
  expect(title).toHaveFocus();
});

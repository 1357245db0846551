import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { ErrorScreen } from "@/app/layouts/ErrorScreen";
import { ScreenError } from "@/app/layouts/ScreenError";
import { lazyRoute, preloadRoutes } from "@/app/lazyRoute";
import { paths } from "@/app/paths";
import { ProgressLine } from "@/ui/ProgressLine";

const lost = () => new TypeError("Importing a module script failed.");
const Account = { Component: () => <h1>Account</h1> };

function show(children: RouteObject[], path: string) {
  const root = {
    ErrorBoundary: ErrorScreen,
    Component: () => (
      <>
        <ProgressLine />
        <Outlet />
      </>
    ),
  };
  const start = { path: "/start", element: <p>Start</p> };
  const router = createMemoryRouter([{ ...root, children: [start, ...children] }], {
    initialEntries: ["/start"],
  });
  render(<RouterProvider router={router} />);
  return { router, open: () => act(() => router.navigate(path)) };
}

test("a tab whose code did not arrive keeps the tab bar and its address, and Retry brings the screen", async () => {
  const load = vi
    .fn<() => Promise<typeof Account>>()
    .mockRejectedValueOnce(lost())
    .mockResolvedValue(Account);
  const { router, open } = show([{ path: paths.account, lazy: lazyRoute(load) }], paths.account);
  await open();
  expect(screen.getByText("This part did not load")).toBeVisible();
  expect(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
  expect(router.state.location.pathname).toBe(paths.account);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "Account" })).toBeVisible();
});

test("a screen deeper than a tab keeps its way back when its code did not arrive", async () => {
  const lazy = lazyRoute(() => Promise.reject(lost()));
  const { open } = show([{ path: paths.pay, lazy }], paths.pay);
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByText("Start")).toBeVisible();
});

test("a payment whose screen did not arrive is said to be unaffected", async () => {
  const { open } = show(
    [{ path: paths.waiting, lazy: lazyRoute(() => Promise.reject(lost())) }],
    paths.waiting,
  );
  await open();
  expect(screen.getByText(/Your payment is not affected/)).toBeVisible();
});

test("a guard whose code did not arrive is imported again by Retry", async () => {
  const loader = vi.fn<() => Promise<null>>().mockRejectedValueOnce(lost()).mockResolvedValue(null);
  const { open } = show(
    [{ path: paths.wallet, loader, ErrorBoundary: ScreenError, element: <h1>Wallet</h1> }],
    paths.wallet,
  );
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "Wallet" })).toBeVisible();
});

test("a screen that crashed leaves the rest of the page alone", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const Component = () => {
    throw new Error("a bug");
  };
  const { open } = show([{ path: paths.account, ErrorBoundary: ScreenError, Component }], paths.account);
  await open();
  expect(screen.getByText("Something happened.")).toBeVisible();
  expect(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("the progress line is there while the next screen loads", async () => {
  let arrive: (module: typeof Account) => void = () => {};
  const lazy = lazyRoute(
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  const { router } = show([{ path: paths.account, lazy }], paths.account);
  act(() => void router.navigate(paths.account));
  expect(await screen.findByRole("progressbar", { name: "Loading" })).toBeInTheDocument();
  expect(screen.getByText("Start")).toBeVisible();
  await act(async () => arrive(Account));
  expect(await screen.findByRole("heading", { name: "Account" })).toBeVisible();
  expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
});

test("preloading a page imports its layout and its screen", () => {
  const layout = vi.fn(async () => ({ Component: Outlet }));
  const account = vi.fn(async () => Account);
  const other = vi.fn(async () => Account);
  const children = [
    { path: paths.account, lazy: lazyRoute(account) },
    { path: paths.wallet, lazy: lazyRoute(other) },
  ];
  preloadRoutes([{ lazy: lazyRoute(layout), children }], paths.account);
  expect([layout, account, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

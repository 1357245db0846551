import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Outlet } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { QueryProvider } from "@/app/layouts/DataLayout";
import { paths } from "@/app/paths";
import { currentSession, dropSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aBalance, aGame } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Home } from "./home";
import { Component as Login } from "./login";
import { Component as Profile } from "./profile";
import { Component as Wallet } from "./wallet";

const WALLET_DOWN = "Your wallet is not answering right now.";
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

const down = (code: string, statusMessage: string) => () => ({
  statusCode: 503,
  statusMessage,
  payload: { code },
});
const walletDown = down("WALLET_UNAVAILABLE", WALLET_DOWN);
const game = aGame();

function open(path: string) {
  return renderRoutes(
    [
      {
        element: (
          <QueryProvider>
            <Outlet />
          </QueryProvider>
        ),
        children: [
          { path: paths.dashboard, Component: Home },
          { path: paths.wallet, Component: Wallet },
          { path: paths.profile, Component: Profile },
          { path: paths.login, Component: Login },
        ],
      },
    ],
    [path],
  );
}

/** Advances the time, so that failed reads are repeated. */
async function passTime(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

let errors: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  saveSession(aSession());
  savePlayer(aPlayer());
  errors = vi.spyOn(toast, "error").mockImplementation(() => {});
});
afterEach(() => {
  // Drops the cached data of this test's player, which a screen that is still shown would fetch again.
  cleanup();
  dropSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("without svc-wallet", () => {
  const replies = {
    "GET /games/list": () => ({ statusCode: 200, payload: [game] }),
    "GET /profile/recent-games": () => ({ statusCode: 200, payload: [] }),
    "GET /events": () => ({ statusCode: 200, payload: [] }),
    "GET /wallets/balance": walletDown as () => { statusCode: number; payload: unknown },
    "GET /wallets/list?pageSize=30": walletDown as () => { statusCode: number; payload: unknown },
  };

  test("the wallet says so with a reference, shows no balance, and recovers by itself", async () => {
    const handlers = { ...replies };
    stubGateway(handlers);
    open(paths.wallet);
    await passTime(5_000);
    const alert = screen.getByRole("alert");
    expect(alert).toHaveTextContent(WALLET_DOWN);
    expect(screen.getByText(TRACE_ID)).toBeVisible();
    expect(screen.getByRole("button", { name: "Retry" })).toBeVisible();
    expect(within(screen.getByTestId("balance")).getByLabelText("not known right now")).toBeVisible();
    expect(screen.getByTestId("balance")).not.toHaveTextContent("0");

    // The notice stays while the reads are repeated, and its toast is not shown again.
    const toasts = errors.mock.calls.length;
    expect(toasts).toBeGreaterThan(0);
    for (let second = 0; second < 30; second += 1) {
      await passTime(1_000);
      expect(screen.getByRole("alert")).toBe(alert);
    }
    expect(errors).toHaveBeenCalledTimes(toasts);

    handlers["GET /wallets/balance"] = () => ({ statusCode: 200, payload: aBalance(250) });
    handlers["GET /wallets/list?pageSize=30"] = () => ({ statusCode: 200, payload: [] });
    await passTime(15_000);
    expect(screen.getByTestId("balance")).toHaveTextContent("KES 250.00");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("a balance that was shown stays, with its time", async () => {
    const handlers = {
      ...replies,
      "GET /wallets/balance": () => ({ statusCode: 200, payload: aBalance(250) }),
    };
    stubGateway(handlers);
    open(paths.wallet);
    await passTime(5_000);
    expect(screen.getByTestId("balance")).toHaveTextContent("KES 250.00");
    Object.assign(handlers, { "GET /wallets/balance": walletDown });
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(await screen.findByRole("button", { name: "Retry" }));
    await passTime(5_000);
    expect(screen.getByTestId("balance")).toHaveTextContent("KES 250.00");
    expect(screen.getByText(/^As of \d\d:\d\d\. Your wallet is not answering/)).toBeVisible();
  });

  test("home works", async () => {
    stubGateway(replies);
    open(paths.dashboard);
    expect(await screen.findByRole("link", { name: /^Ajua/ })).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

test("without svc-games home shows the rest, and each list says what is missing", async () => {
  const gamesDown = down("GAMES_UNAVAILABLE", "We cannot load the games right now.");
  stubGateway({
    "GET /games/list": gamesDown,
    "GET /profile/recent-games": gamesDown,
    "GET /events": gamesDown,
  });
  open(paths.dashboard);
  await passTime(5_000);
  expect(screen.getByRole("heading", { name: "Hi Wanjiru" })).toBeVisible();
  const alerts = screen.getAllByRole("alert");
  expect(alerts).toHaveLength(3);
  for (const alert of alerts) expect(alert).toHaveTextContent("We cannot load the games right now.");
});

describe("without svc-auth", () => {
  const signInDown = down("SIGN_IN_UNAVAILABLE", "Sign-in is not available right now.");

  test("the login says so, keeps what was typed, and recovers by itself", async () => {
    act(dropSession);
    const handlers = {
      "GET /auth/providers": signInDown as () => { statusCode: number; payload: unknown },
      "POST /auth/sign-in": signInDown,
    };
    stubGateway(handlers);
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    open(paths.login);
    await passTime(5_000);
    expect(screen.getByText("Sign-in is not available right now.")).toBeVisible();
    await user.type(screen.getByLabelText("Email"), "wanjiru@example.com");
    await user.type(screen.getByLabelText("Password"), "kiondo-na-ajua");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await passTime(100);
    expect(errors).toHaveBeenCalledExactlyOnceWith("Sign-in is not available right now.");
    expect(screen.getByLabelText("Email")).toHaveValue("wanjiru@example.com");
    expect(screen.getByLabelText("Password")).toHaveValue("kiondo-na-ajua");

    const payload = { email: true, phone: true, google: true, facebook: true };
    handlers["GET /auth/providers"] = () => ({ statusCode: 200, payload });
    await passTime(15_000);
    expect(screen.queryByText("Sign-in is not available right now.")).toBeNull();
  });

  test("a player whose token cannot be renewed stays signed in", async () => {
    saveSession(aSession({ expirationTime: Date.now() - 1 }));
    savePlayer(aPlayer());
    const text = "We cannot check your sign-in right now. You stay signed in.";
    stubGateway({ "POST /auth/refresh": down("SESSION_UNVERIFIED", text) });
    open(paths.wallet);
    await passTime(10_000);
    expect(screen.getByRole("alert")).toHaveTextContent(text);
    expect(currentSession()?.refreshToken).toBe("refresh-1");
  });

  test("a profile that was never fetched is named as missing, and arrives later", async () => {
    sessionStorage.removeItem("profile");
    const text = "We cannot reach your account right now.";
    const handlers = {
      "GET /auth/login": down("ACCOUNT_UNAVAILABLE", text) as () => { statusCode: number; payload: unknown },
    };
    stubGateway(handlers);
    open(paths.profile);
    await passTime(5_000);
    expect(screen.getByRole("alert")).toHaveTextContent(text);
    handlers["GET /auth/login"] = () => ({ statusCode: 200, payload: aPlayer() });
    await passTime(15_000);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByRole("button", { name: /^Name/ })).toBeVisible();
  });
});

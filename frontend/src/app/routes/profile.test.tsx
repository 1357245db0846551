import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "@/test/eventually";
// Loaded before the tests, because a first import can take longer than they wait.
import "@/app/dialogs/DeleteAccountFlow";
import { paths } from "@/app/paths";
import { switchPushOn } from "@/features/push/subscription";
import * as navigation from "@/lib/navigation";
import { currentPlayer, currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { showQueuedToast, toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aBalance } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { stubPush, unstubPush } from "@/test/push";
import { renderRoutes } from "@/test/render";
import { Component as Profile } from "./profile";

const hardNavigate = vi.fn();

function open(history: string[] = [paths.account, paths.profile]) {
  return renderRoutes(
    [
      { path: paths.account, element: "account screen" },
      { path: paths.home, element: null },
      { path: paths.dashboard, element: "home screen" },
      { path: paths.wallet, element: "wallet screen" },
      { path: paths.tournaments, element: "tournaments screen" },
      { path: paths.profile, Component: Profile },
    ],
    history,
  );
}

const balanceOf = (balance: number) => () => ({ statusCode: 200, payload: aBalance(balance) });

async function askToDelete(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole("button", { name: "Delete my account" }));
  return screen.findByRole("dialog", { name: "Delete my account" });
}

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
  hardNavigate.mockReset();
  vi.spyOn(navigation, "hardNavigate").mockImplementation(hardNavigate);
});
afterEach(() => vi.unstubAllGlobals());

describe("the profile", () => {
  test("goes back to the previous screen", async () => {
    const user = userEvent.setup();
    open();
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByText("account screen")).toBeVisible();
  });

  test("goes home when it is the first page of a visit", async () => {
    const user = userEvent.setup();
    open([paths.profile]);
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByText("home screen")).toBeVisible();
  });

  test("counts the missing details, and offers to continue once it is complete", () => {
    savePlayer(aPlayer({ dob: null, phone: null }));
    open();
    expect(screen.getByText("2 details left before you can play.")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Go to Home" })).toBeNull();
    act(() => savePlayer(aPlayer()));
    expect(screen.getByText("All set. Let's play!")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to Home" })).toBeVisible();
  });

  test("one missing detail leads to the next, without a toast, until it is complete", async () => {
    const incomplete = aPlayer({ dob: null, phone: null });
    savePlayer(incomplete);
    const success = vi.spyOn(toast, "success").mockImplementation(() => {});
    const saved = [{ ...incomplete, dob: "1996-04-12" }, aPlayer()];
    stubGateway({ "PUT /profile/p1": () => ({ statusCode: 200, payload: saved.shift() }) });
    const user = userEvent.setup();
    const router = open();
    await user.click(screen.getByRole("button", { name: "Complete your profile" }));
    await user.type(await screen.findByLabelText("Date of birth"), "1996-04-12");
    await user.click(screen.getByRole("button", { name: "Okay" }));
    const phone = await screen.findByLabelText("Phone Number");
    expect(phone).toHaveFocus();
    expect(phone).toHaveValue("");
    expect(success).not.toHaveBeenCalled();
    await user.type(phone, "0712345678");
    await user.click(screen.getByRole("button", { name: "Okay" }));
    expect(await screen.findByText("All set. Let's play!")).toBeVisible();
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(router.state.location.pathname).toBe(paths.profile);
  });

  test("opens home on back while it is incomplete, because the guard would return from every other screen", async () => {
    savePlayer(aPlayer({ dob: null }));
    const user = userEvent.setup();
    const router = open();
    await user.click(screen.getByRole("button", { name: "Back" }));
    await eventually(() => expect(router.state.location.pathname).toBe(paths.home));
  });

  test("offers no next step when a complete profile is opened", () => {
    open();
    expect(screen.queryByText("All set. Let's play!")).toBeNull();
    expect(screen.queryByRole("link", { name: "Go to Home" })).toBeNull();
  });

  test("continues to the requested page", async () => {
    const user = userEvent.setup();
    open([`${paths.profile}?from=${encodeURIComponent(paths.tournaments)}`]);
    await user.click(screen.getByRole("link", { name: "Continue" }));
    expect(await screen.findByText("tournaments screen")).toBeVisible();
  });
});

describe("deleting the account", () => {
  test("warns of the remaining balance and links to the wallet", async () => {
    const user = userEvent.setup();
    stubGateway({ "GET /wallets/balance": balanceOf(1250) });
    open();
    expect(
      screen.getByText(
        "When you delete your account, your wallet and your personal details will be permanently lost.",
      ),
    ).toBeVisible();
    const dialog = await askToDelete(user);
    expect(
      await within(dialog).findByText(/^KES 1,250.00 is still in your wallet\. Withdraw it first/),
    ).toBeVisible();
    expect(within(dialog).getByText(/After 30 days your personal details are erased/)).toBeVisible();
    await user.click(within(dialog).getByRole("link", { name: "Go to my wallet" }));
    expect(await screen.findByText("wallet screen")).toBeVisible();
  });

  test("shows no balance for an empty wallet, and says when the balance could not be checked", async () => {
    const user = userEvent.setup();
    let isAvailable = true;
    const seen = stubGateway({
      "GET /wallets/balance": () =>
        isAvailable ? balanceOf(0)() : { statusCode: 503, payload: { code: "UNAVAILABLE" } },
    });
    const first = open();
    const dialog = await askToDelete(user);
    await eventually(() => expect(seen).toHaveLength(1));
    // The balance's skeleton disappears when there is no warning.
    await eventually(() => expect(dialog.querySelector("[aria-hidden='true'][style]")).toBeNull());
    expect(within(dialog).queryByText(/wallet just now|still in/)).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Keep my account" }));
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(first.state.location.pathname).toBe(paths.profile);
    isAvailable = false;
    await askToDelete(user);
    expect(await screen.findByText(/We could not check your wallet just now/)).toBeVisible();
  });

  test("requires the typed word", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({ "GET /wallets/balance": balanceOf(0) });
    open();
    const dialog = await askToDelete(user);
    const confirm = within(dialog).getByRole("button", { name: "Delete my account" });
    for (const typed of ["", "delete", "DELETED"]) {
      const field = within(dialog).getByLabelText("Type DELETE to confirm");
      await user.clear(field);
      if (typed) await user.type(field, typed);
      await user.click(confirm);
      expect(await within(dialog).findByRole("alert")).toHaveTextContent(
        "Please type the word DELETE in capital letters.",
      );
    }
    expect(seen.map(({ method }) => method)).toEqual(["GET"]);
    expect(currentSession()).not.toBeNull();
  });

  test("signs out on this phone, and says on the next page how to come back", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({
      "GET /wallets/balance": balanceOf(0),
      "DELETE /profile/p1": () => ({ statusCode: 200, payload: null }),
    });
    open();
    const dialog = await askToDelete(user);
    await user.type(within(dialog).getByLabelText("Type DELETE to confirm"), " DELETE ");
    await user.click(within(dialog).getByRole("button", { name: "Delete my account" }));
    await eventually(() => expect(hardNavigate).toHaveBeenCalledExactlyOnceWith(paths.login));
    expect(seen.at(-1)?.body).toEqual({ confirm: "DELETE" });
    expect(currentSession()).toBeNull();
    expect(currentPlayer()).toBeNull();
    const success = vi.spyOn(toast, "success").mockImplementation(() => {});
    showQueuedToast();
    expect(success).toHaveBeenCalledWith(
      "Your account is closed. Sign in within 30 days if you change your mind.",
    );
  });

  test("ends this phone's push subscription before the account", async () => {
    const user = userEvent.setup();
    onTestFinished(unstubPush);
    const push = stubPush();
    const seen = stubGateway({
      "GET /wallets/balance": balanceOf(0),
      "GET /profile/push-key": () => ({ statusCode: 200, payload: { publicKey: "BAEC" } }),
      "POST /profile/device-token": () => ({ statusCode: 200 }),
      "POST /profile/device-token/remove": () => ({ statusCode: 200 }),
      "DELETE /profile/p1": () => ({ statusCode: 200, payload: null }),
    });
    open();
    await switchPushOn();
    const dialog = await askToDelete(user);
    await user.type(within(dialog).getByLabelText("Type DELETE to confirm"), "DELETE{Enter}");
    await eventually(() => expect(hardNavigate).toHaveBeenCalledExactlyOnceWith(paths.login));
    expect(seen.slice(-2).map(({ path }) => path)).toEqual(["/profile/device-token/remove", "/profile/p1"]);
    expect(push.subscription()).toBeNull();
  });

  test("counts as done when its reply was lost and the next attempt finds the session ended", async () => {
    const user = userEvent.setup();
    const answers = [
      new TypeError("Failed to fetch"),
      { statusCode: 401, payload: { code: "UNAUTHENTICATED" } },
    ];
    stubGateway({
      "GET /wallets/balance": balanceOf(0),
      "DELETE /profile/p1": () => answers.shift() ?? new Error("asked too often"),
      "POST /auth/refresh": () => ({ statusCode: 401, payload: { code: "SESSION_REVOKED" } }),
    });
    open();
    const dialog = await askToDelete(user);
    await user.type(within(dialog).getByLabelText("Type DELETE to confirm"), "DELETE{Enter}");
    expect(await within(dialog).findByRole("alert")).toHaveTextContent("We could not reach PlayOn.");
    expect(hardNavigate).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole("button", { name: "Delete my account" }));
    await eventually(() => expect(hardNavigate).toHaveBeenCalledExactlyOnceWith(paths.login));
    const success = vi.spyOn(toast, "success").mockImplementation(() => {});
    showQueuedToast();
    expect(success).toHaveBeenCalledWith(expect.stringMatching(/^Your account is closed\./));
  });

  test("does not count as done when the session had ended before it", async () => {
    const user = userEvent.setup();
    const revoked = () => ({
      statusCode: 401,
      statusMessage: "Signed out.",
      payload: { code: "SESSION_REVOKED" },
    });
    stubGateway({
      "GET /wallets/balance": balanceOf(0),
      "DELETE /profile/p1": revoked,
      "POST /auth/refresh": revoked,
    });
    open();
    const dialog = await askToDelete(user);
    await user.type(within(dialog).getByLabelText("Type DELETE to confirm"), "DELETE{Enter}");
    await eventually(() => expect(currentSession()).toBeNull());
    expect(hardNavigate).not.toHaveBeenCalled();
  });

  test("shows why the server could not delete the account, and keeps the session", async () => {
    const user = userEvent.setup();
    stubGateway({
      "GET /wallets/balance": balanceOf(0),
      "DELETE /profile/p1": () => ({
        statusCode: 503,
        statusMessage: "PlayOn is being mended.",
        payload: { code: "UNAVAILABLE" },
      }),
    });
    open();
    const dialog = await askToDelete(user);
    await user.type(within(dialog).getByLabelText("Type DELETE to confirm"), "DELETE{Enter}");
    expect(await within(dialog).findByRole("alert")).toHaveTextContent("PlayOn is being mended.");
    expect(currentSession()).not.toBeNull();
    expect(hardNavigate).not.toHaveBeenCalled();
  });
});

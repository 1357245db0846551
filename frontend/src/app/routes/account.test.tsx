import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import * as navigation from "@/lib/navigation";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Account } from "./account";

const referral = { referralCode: "WANJ24", redeemed: false, invited: 2 };
const known = { "GET /referrals": () => ({ statusCode: 200, payload: referral }) };

function open() {
  return renderRoutes(
    [
      { path: paths.account, Component: Account },
      { path: "*", element: "another screen" },
    ],
    [paths.account],
  );
}

/** Stubs the browser's share sheet and clipboard; without a value they are missing. */
function stubNavigator(abilities: { share?: unknown; clipboard?: unknown }) {
  for (const name of ["share", "clipboard"] as const)
    Object.defineProperty(navigator, name, { value: abilities[name], configurable: true });
}

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer({ currencyId: "KES", countryId: null }));
});
afterEach(() => {
  Reflect.deleteProperty(navigator, "share");
  Reflect.deleteProperty(navigator, "clipboard");
  vi.unstubAllGlobals();
});

describe("the card", () => {
  test.each([
    [{}, "Wanjiru Kamau"],
    [{ name: null }, "wanjiru@example.com"],
    [{ name: null, email: null }, "Could not fetch name"],
  ])("shows the name, else the email, else the specification's fallback: %j", (profile, text) => {
    stubGateway(known);
    savePlayer(aPlayer(profile));
    open();
    expect(screen.getByRole("heading", { level: 2 })).toHaveTextContent(text);
  });
});

test.each([
  ["View", paths.profile],
  [/^Currency/, paths.currency],
  [/^Country/, paths.country],
  [/^Change password/, paths.changePassword],
  ["Terms of Service", paths.terms],
  ["Privacy Policy", paths.privacy],
])("%s opens its screen, and back returns to the account", async (name, path) => {
  const user = userEvent.setup();
  stubGateway(known);
  const router = open();
  await user.click(screen.getByRole("link", { name }));
  expect(await screen.findByText("another screen")).toBeVisible();
  expect(router.state.location.pathname).toBe(path);
  await router.navigate(-1);
  expect(await screen.findByRole("heading", { name: "Account" })).toBeVisible();
});

test("the rows show the chosen currency and country", () => {
  stubGateway(known);
  open();
  expect(screen.getByRole("link", { name: /^Currency/ })).toHaveTextContent("Currency KES");
  expect(screen.getByRole("link", { name: /^Country/ })).toHaveTextContent("Not chosen yet");
});

describe("the player's own code", () => {
  const row = () => screen.findByRole("button", { name: /^Invite a friend/ });

  test("is shared by the phone's share sheet, with a link that contains it", async () => {
    const user = userEvent.setup();
    stubGateway(known);
    const share = vi.fn(async () => {});
    stubNavigator({ share });
    open();
    expect(await row()).toHaveTextContent("Your code WANJ24 · 2 joined");
    await user.click(await row());
    expect(share).toHaveBeenCalledWith({
      title: "Invite a friend",
      text: "Play with me on PlayOn. My referral code is WANJ24.",
      url: `${window.location.origin}/?utm_source=WANJ24`,
    });
  });

  test("is copied where there is no share sheet, and shown where there is no clipboard either", async () => {
    const user = userEvent.setup();
    const success = vi.spyOn(toast, "success").mockImplementation(() => {});
    const info = vi.spyOn(toast, "info").mockImplementation(() => {});
    stubGateway(known);
    open();
    const writeText = vi.fn(async () => {});
    stubNavigator({ clipboard: { writeText } });
    await user.click(await row());
    await eventually(() =>
      expect(success).toHaveBeenCalledWith("Copied. Paste it wherever your friends are."),
    );
    expect(writeText).toHaveBeenCalledWith(expect.stringContaining("/?utm_source=WANJ24"));
    stubNavigator({});
    await user.click(await row());
    await eventually(() => expect(info).toHaveBeenCalledWith("Your referral code is WANJ24"));
  });

  test("is not shown again to a player who closes the share sheet", async () => {
    const user = userEvent.setup();
    const info = vi.spyOn(toast, "info").mockImplementation(() => {});
    stubGateway(known);
    const share = vi.fn(() => Promise.reject(new DOMException("closed", "AbortError")));
    stubNavigator({ share });
    open();
    await user.click(await row());
    expect(share).toHaveBeenCalledOnce();
    expect(info).not.toHaveBeenCalled();
  });

  test("that failed to load is fetched again by a tap", async () => {
    const user = userEvent.setup();
    let isAvailable = false;
    stubGateway({
      "GET /referrals": () => (isAvailable ? known["GET /referrals"]() : { statusCode: 503, payload: {} }),
    });
    open();
    expect(await row()).toHaveTextContent("We could not load your code. Tap to try again.");
    isAvailable = true;
    await user.click(await row());
    expect(await screen.findByText(/WANJ24/)).toBeVisible();
  });
});

test("signing out everywhere asks for confirmation first", async () => {
  const user = userEvent.setup();
  const hardNavigate = vi.spyOn(navigation, "hardNavigate").mockImplementation(() => {});
  const seen = stubGateway({
    ...known,
    "POST /auth/sign-out-everywhere": () => ({
      statusCode: 200,
      statusMessage: "You have been signed out everywhere.",
    }),
  });
  open();
  await user.click(screen.getByRole("button", { name: /^Sign out everywhere/ }));
  const sheet = await screen.findByRole("dialog", { name: "Sign out everywhere" });
  expect(sheet).toHaveTextContent("You will be signed out on every phone and computer, including this one.");
  await user.click(screen.getByRole("button", { name: "Stay signed in" }));
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(seen.some(({ method }) => method === "POST")).toBe(false);

  await user.click(screen.getByRole("button", { name: /^Sign out everywhere/ }));
  await screen.findByRole("dialog", { name: "Sign out everywhere" });
  await user.click(screen.getByRole("button", { name: "Sign out everywhere" }));
  await eventually(() => expect(hardNavigate).toHaveBeenCalledWith(paths.login));
  expect(currentSession()).toBeNull();
});

import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { QueryProvider } from "@/app/layouts/DataLayout";
import { paths } from "@/app/paths";
import { storeCampaign } from "@/lib/campaign";
import { dropSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Referral } from "./referral";

const own = { referralCode: "WANJ24", redeemed: false, invited: 3 };
const ACCEPTED = "Your referral code was accepted.";
const gateway = { "GET /referrals": () => ({ statusCode: 200, payload: own }) };

beforeEach(() => {
  dropSession();
  saveSession(aSession());
  savePlayer(aPlayer());
  for (const kind of ["success", "error"] as const) vi.spyOn(toast, kind).mockImplementation(() => {});
});

/** The referral step; `home`, the screen after it, can be kept loading. */
function openScreen(home: Promise<unknown> = Promise.resolve()) {
  const user = userEvent.setup();
  const router = renderRoutes(
    [
      {
        path: paths.referral,
        element: (
          <QueryProvider>
            <Referral />
          </QueryProvider>
        ),
      },
      { path: "*", lazy: () => home.then(() => ({ element: null })) },
    ],
    [paths.referral],
  );
  const field = () => screen.getByLabelText("Enter referral code (optional)");
  const pressContinue = () => user.click(screen.getByRole("button", { name: "Continue" }));
  return { user, field, pressContinue, here: () => router.state.location.pathname };
}

const sent = (seen: ReturnType<typeof stubGateway>) => seen.filter(({ method }) => method === "POST");

test("without a code the player continues to home", async () => {
  const seen = stubGateway(gateway);
  const { pressContinue, here } = openScreen();
  expect(screen.getByRole("heading", { name: "Do you have a referral code?" })).toBeVisible();
  await pressContinue();
  await eventually(() => expect(here()).toBe("/dashboard"));
  expect(sent(seen)).toHaveLength(0);
});

test("the code is prefilled from the stored campaign", async () => {
  storeCampaign("?utm_source=%20AMINA7%20");
  storeCampaign("?utm_source=%20&other=1");
  const seen = stubGateway({
    ...gateway,
    "POST /referrals": () => ({ statusCode: 200, statusMessage: ACCEPTED }),
  });
  const { field, pressContinue, here } = openScreen();
  expect(field()).toHaveValue("AMINA7");
  await pressContinue();
  await eventually(() => expect(here()).toBe("/dashboard"));
  expect(sent(seen).map(({ body }) => body)).toEqual([{ referralCode: "AMINA7" }]);
  expect(toast.success).toHaveBeenCalledWith(ACCEPTED);
});

test.each([
  [404, "REFERRAL_NOT_FOUND", "There is no such referral code."],
  [422, "OWN_REFERRAL", "You cannot use your own referral code."],
])("a refused code (%d %s) shows the server's message and can be changed", async (status, code, text) => {
  stubGateway({
    ...gateway,
    "POST /referrals": () => ({ statusCode: status, statusMessage: text, payload: { code } }),
  });
  const { user, field, pressContinue, here } = openScreen();
  await user.type(field(), "NOPE");
  await pressContinue();
  await eventually(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(text));
  expect(here()).toBe("/referral");
  await user.click(screen.getByRole("button", { name: "Continue without a code" }));
  await eventually(() => expect(here()).toBe("/dashboard"));
});

test("a code whose reply was lost is shown as used, and the player can continue", async () => {
  let redeemed = false;
  const text = "You have already used a referral code.";
  stubGateway({
    "GET /referrals": () => ({ statusCode: 200, payload: { ...own, redeemed } }),
    "POST /referrals": () => {
      if (redeemed) {
        return { statusCode: 409, statusMessage: text, payload: { code: "REFERRAL_ALREADY_USED" } };
      }
      redeemed = true;
      return new TypeError("Failed to fetch");
    },
  });
  const { user, field, pressContinue, here } = openScreen();
  await user.type(field(), "AMINA7");
  await pressContinue();
  await eventually(() => expect(toast.error).toHaveBeenCalledOnce());
  expect(here()).toBe("/referral");
  await pressContinue();
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("link", { name: "Continue" })).toHaveAttribute("href", "/dashboard");
});

test("redeeming a code requires a session", async () => {
  const seen = stubGateway(gateway);
  const { user, field, pressContinue } = openScreen();
  await user.type(field(), "AMINA7");
  sessionStorage.removeItem("user");
  await pressContinue();
  await eventually(() => expect(toast.error).toHaveBeenCalledWith("You are not logged in"));
  expect(sent(seen)).toHaveLength(0);
});

test("reports a second press while an update is in progress", async () => {
  let finish: (reply: { statusCode: number }) => void = () => {};
  const seen = stubGateway({
    ...gateway,
    "POST /referrals": () => new Promise((resolve) => (finish = resolve)),
  });
  const { user, field, pressContinue, here } = openScreen();
  await user.type(field(), "AMINA7");
  await pressContinue();
  await eventually(() => expect(sent(seen)).toHaveLength(1));
  await pressContinue();
  expect(toast.error).toHaveBeenCalledWith(
    "Another update operation is currently underway. Kindly wait a few seconds before pressing the button again.",
  );
  await act(async () => finish({ statusCode: 200 }));
  await eventually(() => expect(here()).toBe("/dashboard"));
  expect(sent(seen)).toHaveLength(1);
});

test("shows the player's own code to share", async () => {
  stubGateway(gateway);
  openScreen();
  expect(await screen.findByRole("button", { name: /WANJ24 · 3/ })).toBeVisible();
});

test("does not ask for a code when one was redeemed", async () => {
  stubGateway({ "GET /referrals": () => ({ statusCode: 200, payload: { ...own, redeemed: true } }) });
  openScreen();
  expect(await screen.findByText("You have already used a referral code.")).toBeVisible();
  expect(screen.queryByLabelText("Enter referral code (optional)")).toBeNull();
  expect(screen.getByRole("link", { name: "Continue" })).toHaveAttribute("href", "/dashboard");
});

test("a code is sent once, however often Continue is pressed before the next screen has loaded", async () => {
  let answer: (reply: { statusCode: number }) => void = () => {};
  const seen = stubGateway({
    ...gateway,
    "POST /referrals": () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const { user, field } = openScreen(new Promise(() => {}));
  await user.type(field(), "AMINA7");
  const button = screen.getByRole("button", { name: "Continue" });
  await user.dblClick(button);
  await eventually(() => expect(sent(seen)).toHaveLength(1));
  act(() => answer({ statusCode: 200 }));
  await eventually(() => expect(toast.success).toHaveBeenCalled());
  await user.dblClick(button);
  await user.type(field(), "{Enter}");
  expect(sent(seen)).toHaveLength(1);
});

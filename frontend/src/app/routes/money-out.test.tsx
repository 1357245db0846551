import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { parsePath } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { waitingPath } from "@/app/links";
import { paths } from "@/app/paths";
import { rememberMethod } from "@/features/wallet/lastMethod";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { live, resetLive } from "@/test/live";
import { aBalance, aPayment } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Amount } from "./amount";
import { Component as Boost } from "./boost";
import { Component as Pay } from "./pay";
import { Component as Review } from "./review";
import { Component as Subscriptions } from "./subscriptions";
import { Component as ThankYou } from "./thank-you";
import { Component as Waiting } from "./waiting";

vi.mock("@/lib/live/payments", () => import("@/test/live"));

const ok = (payload: unknown) => () => ({ statusCode: 200, payload });
const refused = (statusCode: number, code: string, statusMessage: string) => ({
  statusCode,
  statusMessage,
  payload: { code },
});
const PAYMENT = "01999999-0000-7000-8000-000000000000";
const friend = { id: "f1", username: "amina_k", name: "Amina Khalid", profilePic: null };
const boost = {
  type: "BOOST",
  amount: 50,
  userId: "f1",
  friendUsername: "amina_k",
  friendName: "Amina Khalid",
};
const bronze = {
  id: "b",
  name: "Bronze",
  description: "All games.",
  amount: 10,
  duration: "a day",
  currency: "KES",
};
const plain = { popular: false, oldId: null };

const answers = {
  "GET /wallets/balance": ok(aBalance(300)),
  "GET /wallets/list?pageSize=30": ok([]),
  "GET /payment-methods/list": ok([
    { id: "m1", name: "M-Pesa", code: "MPESA" },
    { id: "m2", name: "Card", code: "CARD" },
    { id: "m3", name: "Wallet", code: "WALLET" },
    { id: "m4", name: "Safaricom airtime", code: "SAFARICOM_CREDIT" },
  ]),
  "GET /wallets/withdraw-charges/m1?amount=100": ok(13.5),
  "GET /wallets/withdraw-charges/m1?amount=300": ok(13.5),
  "GET /payout-phones": ok({ phones: [{ phone: "+254712345678", opensAt: "2026-01-01T09:00:00Z" }] }),
  "GET /users/username/amina_k": ok({ id: "f1" }),
  "GET /users/public/f1": ok(friend),
  "GET /users/username/nix": () => ({
    statusCode: 404,
    statusMessage: "User not found",
    payload: { code: "USER_NOT_FOUND" },
  }),
  "GET /subscription-packages/list": ok([
    { ...bronze, ...plain },
    { ...bronze, ...plain, id: "g", name: "Gold", amount: 50, popular: true },
  ]),
  "GET /subscriptions/list": ok([
    {
      id: "s1",
      expired: false,
      startsAt: new Date(Date.now() - 3_600_000).toISOString(),
      expiresAt: new Date(Date.now() + 18.5 * 3_600_000).toISOString(),
      subscriptionPackage: { id: "b", name: "Bronze" },
    },
  ]),
};

/** Opens a screen. The history has the wallet before it, and these states of the same screen. */
function open(path: string, state: unknown = null, ...before: unknown[]) {
  return renderRoutes(
    [
      { path: paths.wallet, element: <p>wallet</p> },
      { path: paths.account, element: <p>account</p> },
      { path: paths.amount, Component: Amount },
      { path: paths.review, Component: Review },
      { path: paths.pay, Component: Pay },
      { path: paths.airtime, Component: Pay },
      { path: paths.boost, Component: Boost },
      { path: paths.subscriptions, Component: Subscriptions },
      { path: paths.waiting, Component: Waiting },
      { path: paths.thankYou, Component: ThankYou },
    ],
    [paths.wallet, ...[...before, state].map((each) => ({ ...parsePath(path), state: each }))],
  );
}

const press = async (name: RegExp | string) => {
  const button = await screen.findByRole("button", { name });
  await eventually(() => expect(button).not.toHaveAttribute("aria-disabled", "true"));
  await userEvent.setup().click(button);
};

beforeEach(() => {
  resetLive();
  saveSession(aSession());
  savePlayer(aPlayer());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a withdrawal", () => {
  test("shows the fee, the total and its method, which is M-Pesa alone, before it is sent", async () => {
    stubGateway(answers);
    open(paths.review, { type: "WITHDRAWAL", amount: 100 });
    expect(await screen.findByText("KES 113.50")).toBeVisible();
    expect(screen.getByText("Estimated fees").nextSibling).toHaveTextContent("KES 13.50");
    expect(screen.queryByRole("dialog")).toBeNull();
    await press(/^Payment Method M-Pesa/);
    await screen.findByRole("button", { name: /^M-Pesa/ });
    expect(screen.queryByRole("button", { name: /^Card/ })).toBeNull();
  });

  test("whose method is not known says so once, and goes on after Retry", async () => {
    let fails = true;
    stubGateway({
      ...answers,
      "GET /payment-methods/list": () =>
        fails
          ? { statusCode: 422, statusMessage: "No methods.", payload: { code: "X" } }
          : answers["GET /payment-methods/list"](),
    });
    open(paths.review, { type: "WITHDRAWAL", amount: 100 });
    expect(await screen.findByText("No methods.")).toBeVisible();
    expect(screen.getAllByRole("button", { name: "Retry" })).toHaveLength(1);
    fails = false;
    await press("Retry");
    expect(await screen.findByText("KES 113.50")).toBeVisible();
  });

  test("of all is the balance without the fee", async () => {
    stubGateway(answers);
    open(paths.amount, { type: "WITHDRAWAL" });
    expect(await screen.findByText("KES 300.00 available")).toBeVisible();
    await press("All");
    expect(screen.getByLabelText("Amount")).toHaveTextContent("286");
    await press("Review");
    expect(await screen.findByRole("heading", { name: "Review" })).toBeVisible();
  });

  test("that the wallet does not cover says what is missing and does not go on", async () => {
    const seen = stubGateway(answers);
    open(paths.review, { type: "WITHDRAWAL", amount: 300 });
    expect(await screen.findByRole("alert")).toHaveTextContent("KES 13.50 too little");
    const button = screen.getByRole("button", { name: "Withdraw KES 300.00" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    await userEvent.setup().click(button);
    // Enter submits the form without a press on the button.
    await userEvent.setup().type(screen.getByLabelText("M-Pesa phone number"), "{Enter}");
    expect(seen.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("whose fee is not known does not go on, and asks again on Retry", async () => {
    let fails = true;
    stubGateway({
      ...answers,
      "GET /wallets/withdraw-charges/m1?amount=100": () =>
        fails
          ? { statusCode: 422, statusMessage: "No fee.", payload: { code: "X" } }
          : { statusCode: 200, payload: 13.5 },
    });
    open(paths.review, { type: "WITHDRAWAL", amount: 100 });
    expect(await screen.findByText("No fee.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Withdraw KES 100.00" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    fails = false;
    await press("Retry");
    expect(await screen.findByText("KES 113.50")).toBeVisible();
  });

  test("that operators look at first says so, and by when they decide", async () => {
    const message = "We look at first withdrawals. You will hear by 16:00 on 29/11. Your money is safe.";
    const held = aPayment({
      paymentId: PAYMENT,
      type: "WITHDRAWAL",
      amount: 100,
      message,
      heldUntil: "2026-11-29T13:00:00.000Z",
    });
    stubGateway({ ...answers, "POST /wallets/withdraw": ok(held), [`GET /payments/${PAYMENT}`]: ok(held) });
    open(paths.review, { type: "WITHDRAWAL", amount: 100 });
    await press("Withdraw KES 100.00");
    await screen.findByRole("heading", { name: "M-Pesa is sending the money" });
    await eventually(() => expect(live.watch).not.toBeNull());
    live.watch?.onLost();
    expect(await screen.findByRole("heading", { name: "We take a quick look first" })).toBeVisible();
    expect(screen.getByText(message)).toBeVisible();
    expect(screen.queryByText(/elapsed/)).toBeNull();
    await press("Continue");
    expect(await screen.findByText("wallet")).toBeVisible();
  });

  test("is sent with the phone that gets the money, and is followed", async () => {
    const seen = stubGateway({
      ...answers,
      "POST /wallets/withdraw": ok(aPayment({ paymentId: PAYMENT, type: "WITHDRAWAL", amount: 100 })),
    });
    vi.spyOn(Date, "now").mockReturnValue(0x01999999_0000 + 7_000);
    saveSession(aSession());
    open(paths.review, { type: "WITHDRAWAL", amount: 100 });
    await press("Withdraw KES 100.00");
    expect(await screen.findByRole("heading", { name: "M-Pesa is sending the money" })).toBeVisible();
    expect(seen.find(({ method }) => method === "POST")?.body).toEqual({
      paymentMethodId: "m1",
      amount: 100,
      mpesaPhoneNumber: "+254712345678",
    });
  });
});

describe("from a device that is new to the account", () => {
  const withdrawal = { type: "WITHDRAWAL", amount: 100 };
  const mailed = ok({
    emailHint: "w•••@example.com",
    expiresAt: new Date(Date.now() + 900_000).toISOString(),
    resendAt: new Date(Date.now() + 60_000).toISOString(),
  });

  test("a withdrawal asks for a mailed code, and goes on with it", async () => {
    let isConfirmed = false;
    const seen = stubGateway({
      ...answers,
      "POST /wallets/withdraw": () =>
        isConfirmed
          ? { statusCode: 200, payload: aPayment({ paymentId: PAYMENT, type: "WITHDRAWAL", amount: 100 }) }
          : refused(403, "DEVICE_NOT_CONFIRMED", "This device is new to your account."),
      "POST /auth/device/start": mailed,
      "POST /auth/device/confirm": ({ body }) => {
        isConfirmed = (body as { code: string }).code === "123456";
        return isConfirmed
          ? { statusCode: 200, payload: null }
          : refused(401, "BAD_CODE", "That code is not right.");
      },
      "POST /auth/refresh": ok({ ...aSession({ accessToken: "access-2" }), isNewUser: false }),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    expect(await screen.findByRole("heading", { name: "Is this you?" })).toBeVisible();
    await press("Send me a code");
    expect(await screen.findByText(/six-digit code to w•••@example\.com/)).toBeVisible();
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Confirmation code"), "000000");
    expect(await screen.findByText("That code is not right.")).toBeVisible();
    await user.clear(screen.getByLabelText("Confirmation code"));
    await user.type(screen.getByLabelText("Confirmation code"), "123456");
    expect(await screen.findByRole("heading", { name: "M-Pesa is sending the money" })).toBeVisible();
    const withdrawals = seen.filter(({ path }) => path === "/wallets/withdraw");
    expect(withdrawals.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer access-1",
      "Bearer access-2",
    ]);
    expect(withdrawals[1]?.body).toEqual(withdrawals[0]?.body);
  });

  test("closing the question sends nothing", async () => {
    const seen = stubGateway({
      ...answers,
      "POST /wallets/withdraw": () => refused(403, "DEVICE_NOT_CONFIRMED", "New."),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    await screen.findByRole("heading", { name: "Is this you?" });
    await press("Close");
    expect(await screen.findByRole("button", { name: "Withdraw KES 100.00" })).toBeEnabled();
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("an account without an address says what to do", async () => {
    const said = vi.spyOn(toast, "error").mockImplementation(() => {});
    stubGateway({
      ...answers,
      "POST /wallets/withdraw": () => refused(403, "DEVICE_NOT_CONFIRMED", "New."),
      "POST /auth/device/start": () => refused(422, "NO_CONFIRMATION_ADDRESS", "No address."),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    await press("Send me a code");
    await eventually(() => expect(said).toHaveBeenCalledWith("No address."));
  });
});

describe("a boost", () => {
  const field = () => screen.findByLabelText("Friend's username");

  test.each([
    ["nothing", "", "Please enter your friend's username"],
    ["an unknown name", "nix", "User not found"],
    ["one's own name", "@Wanjiru", "That is you. Enter a friend's username."],
  ])("for %s is refused", async (_what, typed, reason) => {
    stubGateway(answers);
    open(paths.boost);
    if (typed) await userEvent.setup().type(await field(), typed);
    await press("Continue");
    expect(await screen.findByRole("alert")).toHaveTextContent(reason);
  });

  test("shows the friend before the amount", async () => {
    stubGateway(answers);
    const router = open(paths.boost);
    await userEvent.setup().type(await field(), "amina_k");
    await press("Continue");
    expect(await screen.findByText("Amina Khalid")).toBeVisible();
    expect(router.state.location.pathname).toBe(paths.amount);
    expect(router.state.location.state).toMatchObject({ type: "BOOST", userId: "f1" });
  });

  test.each([paths.amount, paths.review])("without a friend leads from %s to the username", async (path) => {
    const said = vi.spyOn(toast, "error").mockImplementation(() => {});
    stubGateway(answers);
    const router = open(path, { type: "BOOST", amount: 50 });
    await field();
    expect(router.state.location.pathname).toBe(paths.boost);
    expect(said).toHaveBeenCalledWith("Please enter your friend's username.");
  });

  test("by wallet is completed at once", async () => {
    const seen = stubGateway({
      ...answers,
      "POST /payments/top-up": ok(
        aPayment({ paymentId: PAYMENT, type: "BOOST", amount: 50, status: "COMPLETED" }),
      ),
    });
    rememberMethod("WALLET");
    open(paths.review, boost);
    expect(
      await screen.findByRole("button", { name: /^Payment Method Wallet ?KES 300\.00 available/ }),
    ).toBeVisible();
    expect(await screen.findByText("Amina Khalid")).toBeVisible();
    await press("Pay KES 50.00");
    expect(await screen.findByRole("heading", { name: "Yeah, friend boosted!" })).toBeVisible();
    expect(
      screen.getByText("You just boosted your friend kes 50.00. That's what friends are for!"),
    ).toBeVisible();
    expect(seen.find(({ method }) => method === "POST")?.body).toMatchObject({ userId: "f1" });
    expect(sessionStorage.getItem("pendingPayments")).toBeNull();
  });
});

test("a card payment opens its page in a tab of the tap, and offers it again while it waits", async () => {
  const url = "https://checkout.paystack.com/abc";
  const replace = vi.fn();
  const tab = { opener: window, closed: false, close: vi.fn(), location: { replace } };
  vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
  vi.spyOn(Date, "now").mockReturnValue(0x01999999_0000 + 7_000);
  saveSession(aSession());
  stubGateway({
    ...answers,
    "POST /payments/top-up": ok(aPayment({ paymentId: PAYMENT, txGwSessionUrl: url })),
    [`GET /payments/${PAYMENT}`]: ok(aPayment({ paymentId: PAYMENT, txGwSessionUrl: url })),
  });
  rememberMethod("CARD");
  open(paths.review, { type: "TOP-UP", amount: 100 });
  await press("Pay KES 100.00");
  expect(await screen.findByRole("link", { name: "Open the card page again" })).toHaveAttribute("href", url);
  expect(screen.getByRole("heading", { name: "Finish on the card page" })).toBeVisible();
  expect(replace).toHaveBeenCalledWith(url);
});

describe("the packages", () => {
  test("show what runs and for how long, and which one is popular", async () => {
    stubGateway(answers);
    open(paths.subscriptions);
    const pass = await screen.findByRole("article", { name: "Bronze" });
    expect(pass).toHaveTextContent(/Subscribed18 h (29|30) min left/);
    expect(screen.getByText("Popular")).toBeVisible();
    expect(screen.getByRole("button", { name: "Choose Gold" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Add another day of Bronze" })).toBeVisible();
  });

  test("but Bronze cannot be paid by airtime", async () => {
    const said = vi.spyOn(toast, "info").mockImplementation(() => {});
    stubGateway(answers);
    const router = open(paths.subscriptions);
    await press("Choose Gold");
    await press(/^Safaricom airtime/);
    expect(said).toHaveBeenCalledWith(
      "Payment using Safaricom airtime is limited to the bronze package. Please choose another method.",
    );
    expect(router.state.location.pathname).toBe(paths.review);
    expect(screen.getByRole("dialog", { name: "Payment Method" })).toBeVisible();
  });

  test("are paid by airtime with the consent that the screen asks for", async () => {
    const seen = stubGateway({
      ...answers,
      "POST /payments/subscribe": ok(
        aPayment({ paymentId: PAYMENT, type: "SUBSCRIPTION", amount: 10, status: "COMPLETED" }),
      ),
    });
    open(paths.subscriptions);
    await press("Add another day of Bronze");
    await press(/^Safaricom airtime/);
    expect(
      await screen.findByText(
        "You are about to subscribe to 10 Kes/Daily package to be deducted directly from your Safaricom airtime. (expires after 24hours)",
      ),
    ).toBeVisible();
    expect(screen.getByText(/^We will charge the airtime of 0712 … 678\./)).toBeVisible();
    await press("Let's do it");
    expect(
      await screen.findByText("Your subscription request has been processed successfully for kes 10.00/day."),
    ).toBeVisible();
    expect(seen.find(({ method }) => method === "POST")?.body).toEqual({
      paymentMethodId: "m4",
      subscriptionPackageId: "b",
    });
  });

  test("are paid by the remembered method on one screen, and lead back to the packages", async () => {
    stubGateway({
      ...answers,
      "POST /payments/subscribe": ok(
        aPayment({ paymentId: PAYMENT, type: "SUBSCRIPTION", amount: 50, status: "COMPLETED" }),
      ),
    });
    rememberMethod("SAFARICOM_CREDIT");
    rememberMethod("WALLET");
    const router = open(paths.subscriptions);
    await press("Choose Gold");
    expect(await screen.findByText("Subscription · Gold")).toBeVisible();
    await press("Back");
    await press("Choose Gold");
    await press("Pay KES 50.00");
    expect(await screen.findByRole("heading", { name: "Thank you!" })).toBeVisible();
    expect(screen.getByRole("button", { name: "View wallet" })).toBeVisible();
    await press("Subscriptions");
    expect(await screen.findByRole("article", { name: "Gold" })).toBeVisible();
    // The packages are in the history once.
    await act(() => router.navigate(-1));
    expect(await screen.findByText("wallet")).toBeVisible();
  });

  test("that are waited for lead back to the packages, once completed", async () => {
    stubGateway({
      ...answers,
      [`GET /payments/${PAYMENT}`]: ok(
        aPayment({ paymentId: PAYMENT, type: "SUBSCRIPTION", amount: 50, status: "COMPLETED" }),
      ),
    });
    open(waitingPath(PAYMENT));
    await press("Continue");
    await press("Subscriptions");
    expect(await screen.findByRole("article", { name: "Gold" })).toBeVisible();
  });

  test("are chosen first: a subscription without a package leads to them", async () => {
    stubGateway(answers);
    const router = open(paths.review, { type: "SUBSCRIPTION", amount: 50 });
    expect(await screen.findByRole("article", { name: "Gold" })).toBeVisible();
    expect(router.state.location.pathname).toBe(paths.subscriptions);
  });
});

test("the airtime screen without a type and an amount goes back", async () => {
  stubGateway(answers);
  open(paths.airtime);
  expect(await screen.findByText("wallet")).toBeVisible();
});

const method = { paymentMethod: "MPESA", paymentMethodId: "m1" };

test.each([
  ["a top-up", paths.pay, { type: "TOP-UP", amount: 100, ...method }, /^Pay KES 100\.00/],
  ["a top-up without a method", paths.pay, { type: "TOP-UP", amount: 100 }, /^Proceed/],
  [
    "a package by airtime",
    paths.airtime,
    {
      type: "SUBSCRIPTION",
      amount: 10,
      subscriptionPackageId: "b",
      packageName: "Bronze",
      paymentMethod: "SAFARICOM_CREDIT",
      paymentMethodId: "m4",
    },
    "Let's do it",
  ],
] as const)(
  "the address of the confirmation of %s leads to the review, with its method",
  async (_what, path, state, button) => {
    stubGateway(answers);
    const router = open(path, state);
    // An open sheet hides the screen behind it from assistive technology.
    expect(await screen.findByRole("button", { name: button, hidden: true })).toBeVisible();
    expect(router.state.location.pathname).toBe(paths.review);
    expect(router.state.location.state).toMatchObject(state);
  },
);

test.each([
  ["a type and an amount", method],
  ["a type", { amount: 100, ...method }],
  ["an amount", { type: "TOP-UP", ...method }],
])("the confirmation without %s goes back", async (_what, state) => {
  stubGateway(answers);
  const router = open(paths.pay, state);
  expect(await screen.findByText("wallet")).toBeVisible();
  expect(router.state.historyAction).toBe("POP");
});

test.each([
  ["a type and an amount", null, "Top up amount"],
  ["a type", { amount: 100 }, "Top up amount"],
  ["an amount", { type: "WITHDRAWAL" }, "Withdrawing amount"],
])("the review without %s leads to the amount", async (_what, state, title) => {
  stubGateway(answers);
  const router = open(paths.review, state);
  expect(await screen.findByRole("heading", { name: title })).toBeVisible();
  expect(router.state.location.pathname).toBe(paths.amount);
  await router.navigate(-1);
  expect(await screen.findByText("wallet")).toBeVisible();
});

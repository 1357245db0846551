import { create } from "@bufbuild/protobuf";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { waitingPath } from "@/app/links";
import { afterSignIn, paths } from "@/app/paths";
import { addPendingPayment } from "@/features/wallet/pendingStore";
import { PaymentUpdateSchema } from "@/gen/playon/live/v1/live_pb";
import { PaymentStatus } from "@/gen/playon/types/v1/payment_pb";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { live, resetLive } from "@/test/live";
import { aBalance, aPayment } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Amount } from "./amount";
import { Component as Review } from "./review";
import { Component as ThankYou } from "./thank-you";
import { Component as Waiting } from "./waiting";
import { Component as Wallet } from "./wallet";

vi.mock("@/lib/live/payments", () => import("@/test/live"));

/** Sends a status on the payment's stream, once one is open. */
async function sendStatus(status: PaymentStatus, message = "") {
  await eventually(() => expect(live.subscriptions).toBeGreaterThan(live.stopped));
  act(() => live.watch?.onUpdate(create(PaymentUpdateSchema, { paymentId: PAYMENT, status, message })));
}

/** A UUIDv7, as the server makes payment ids; it contains MADE_AT. */
const PAYMENT = "01999999-0000-7000-8000-000000000000";
const MADE_AT = 0x01999999_0000;

const ok = (payload: unknown) => () => ({ statusCode: 200, payload });

function open() {
  const home = { path: paths.dashboard, element: <p>home</p> };
  const screens = [
    { path: paths.wallet, Component: Wallet },
    { path: paths.amount, Component: Amount },
    { path: paths.review, Component: Review },
    { path: paths.waiting, Component: Waiting },
    { path: paths.thankYou, Component: ThankYou },
  ];
  return renderRoutes([home, ...screens], [paths.dashboard, paths.wallet]);
}

/** Presses a button or a link once it can be pressed: the last screens' are inert for their first second. */
async function press(name: RegExp | string, role = "button") {
  const pressed = await screen.findByRole(role, { name });
  await eventually(() => expect(pressed).not.toHaveAttribute("aria-disabled", "true"));
  await userEvent.setup().click(pressed);
}

/** Goes from the wallet to the review of a top-up of KES 50, whose methods are asked for at once. */
async function toReview() {
  await press("Top up", "link");
  await press("50");
  await press("Review");
  await press(/^M-Pesa/);
  await screen.findByRole("button", { name: "Pay KES 50.00" });
}

let balance = 0;
let topUpTax = 0;
let payment: Record<string, unknown>;

beforeEach(() => {
  resetLive();
  balance = 0;
  topUpTax = 0;
  payment = aPayment({ paymentId: PAYMENT, amount: 50 });
  vi.spyOn(Date, "now").mockReturnValue(MADE_AT + 7_000);
  saveSession(aSession());
  savePlayer(aPlayer());
  stubGateway({
    "GET /wallets/balance": () => ({ statusCode: 200, payload: aBalance(balance, { topUpTax }) }),
    [`GET /payments/${PAYMENT}`]: () => ({ statusCode: 200, payload: payment }),
    "GET /wallets/list?pageSize=30": ok([]),
    "GET /subscriptions/list": ok([]),
    "GET /payment-methods/list": ok([
      { id: "m1", name: "M-Pesa", code: "MPESA" },
      { id: "m2", name: "Card", code: "CARD" },
      { id: "m3", name: "PayPal", code: "PAYPAL" },
    ]),
    "POST /payments/top-up": ok(aPayment({ paymentId: PAYMENT, amount: 50 })),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the screens of a payment", () => {
  test("use one history entry: after the payment, back leads to the wallet and then home", async () => {
    const router = open();
    await toReview();
    await press("Pay KES 50.00");
    await sendStatus(PaymentStatus.COMPLETED);
    await press("Continue");
    await press("View wallet");
    await screen.findByRole("heading", { name: "Wallet" });
    await press("Back");
    expect(await screen.findByText("home")).toBeVisible();
    expect(router.state.location.pathname).toBe(paths.dashboard);
  });

  test("return to the wallet they were opened from on Cancel, without a second entry", async () => {
    open();
    await toReview();
    await press("Pay KES 50.00");
    await press("Cancel");
    await screen.findByRole("heading", { name: "Wallet" });
    await press("Back");
    expect(await screen.findByText("home")).toBeVisible();
  });

  test("are not left by a second tap on the place where Pay stood", async () => {
    // The timer of the first second does not fire.
    const start = setTimeout;
    const held = (run: () => void, ms?: number) => (ms === 1_000 ? start(() => {}, 0) : start(run, ms));
    vi.stubGlobal("setTimeout", held);
    open();
    await toReview();
    await press("Pay KES 50.00");
    const cancel = await screen.findByRole("button", { name: "Cancel" });
    await userEvent.setup().click(cancel);
    expect(cancel).toBeVisible();
  });

  test("lead to one another by their back arrows and keep the amount", async () => {
    open();
    await toReview();
    await press("Back");
    expect(await screen.findByLabelText("Amount")).toHaveTextContent("50");
    await press("Back");
    expect(await screen.findByRole("heading", { name: "Wallet" })).toBeVisible();
  });

  test("say what of the payment is taxed and what reaches the wallet", async () => {
    topUpTax = 250;
    open();
    await toReview();
    expect((await screen.findByText("Excise duty in it, 2.5%")).nextSibling).toHaveTextContent("KES 1.25");
    expect(screen.getByText("Reaches the wallet").nextSibling).toHaveTextContent("KES 48.75");
  });

  test("stay at the choice of the method when the chosen one is not available yet", async () => {
    const toastSpy = vi.spyOn(toast, "info").mockImplementation(() => {});
    const router = open();
    await press("Top up", "link");
    await press("50");
    await press("Review");
    await userEvent.setup().click(await screen.findByRole("button", { name: /^PayPal/ }));
    expect(toastSpy).toHaveBeenCalledWith("Payment using PayPal coming soon. Please choose another method.");
    expect(screen.getByRole("dialog", { name: "Payment Method" })).toBeVisible();
    expect(router.state.location.pathname).toBe(paths.review);
  });

  test("are not reopened by the forward gesture after the payment", async () => {
    const router = open();
    await toReview();
    await press("Pay KES 50.00");
    await screen.findByRole("button", { name: "Cancel" });
    await act(() => router.navigate(1));
    await eventually(() => expect(router.state.location.pathname).toBe(paths.wallet));
  });
});

describe("a pending payment", () => {
  const row = /^KES 50\.00 on its way/;

  async function leave() {
    await toReview();
    await press("Pay KES 50.00");
    await press("Cancel");
    return screen.findByRole("link", { name: row });
  }

  test("is listed in the wallet, links to its waiting screen, and disappears when it completes", async () => {
    const toastSpy = vi.spyOn(toast, "success").mockImplementation(() => {});
    open();
    await leave();
    await press(row, "link");
    expect(await screen.findByRole("heading", { name: "Enter your M-Pesa PIN on 0712 … 678" })).toBeVisible();
    expect(screen.getByText("0:07 elapsed")).toBeVisible();
    await press("Cancel");
    await screen.findByRole("link", { name: row });
    balance = 50;
    await sendStatus(PaymentStatus.COMPLETED);
    await eventually(() => expect(screen.getByTestId("balance")).toHaveTextContent("KES 50.00"));
    expect(screen.queryByRole("link", { name: row })).toBeNull();
    expect(toastSpy).toHaveBeenCalledWith("Your top up of KES 50.00 is complete.");
  });

  test("is polled by plain calls as well when the stream is silent", async () => {
    vi.spyOn(toast, "success").mockImplementation(() => {});
    open();
    balance = 50;
    payment = { ...payment, status: "COMPLETED" };
    await toReview();
    await press("Pay KES 50.00");
    await press("Cancel");
    await eventually(() => expect(screen.getByTestId("balance")).toHaveTextContent("KES 50.00"));
    expect(screen.queryByRole("link", { name: row })).toBeNull();
  });

  test("that failed stays listed with its reason and reference until the player hides it", async () => {
    const reason =
      "M-Pesa reported a different amount from yours. We are looking into it and will put it right.";
    open();
    await leave();
    payment = { ...payment, status: "ERROR", message: reason };
    await sendStatus(PaymentStatus.ERROR, reason);
    await press(/^KES 50\.00 did not arrive/, "link");
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.getByText(PAYMENT)).toBeVisible();
    await press("Go back");
    await screen.findByRole("link", { name: /^KES 50\.00 did not arrive/ });
    await press("Hide");
    expect(screen.queryByRole("link", { name: /^KES 50\.00/ })).toBeNull();
  });

  test("is not shown to the next player on this phone", async () => {
    addPendingPayment({ paymentId: PAYMENT, uid: "p0", type: "TOP-UP", amount: 50 });
    open();
    await screen.findByTestId("balance");
    expect(screen.queryByRole("link", { name: row })).toBeNull();
  });
});

test("the waiting screen without a session leads to the login and back", async () => {
  sessionStorage.clear();
  const router = renderRoutes(
    [
      { path: paths.waiting, Component: Waiting },
      { path: paths.login, element: <p>login</p> },
    ],
    [waitingPath(PAYMENT)],
  );
  expect(await screen.findByText("login")).toBeVisible();
  expect(afterSignIn(router.state.location.search)).toBe(waitingPath(PAYMENT));
});

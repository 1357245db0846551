import { create } from "@bufbuild/protobuf";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { PaymentUpdateSchema } from "@/gen/playon/live/v1/live_pb";
import { PaymentStatus } from "@/gen/playon/types/v1/payment_pb";
import type { PaymentWatch } from "@/lib/live/payments";
import { savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Amount } from "./amount";
import { Component as Pay } from "./pay";
import { Component as Review } from "./review";
import { Component as ThankYou } from "./thank-you";
import { Component as Waiting } from "./waiting";
import { Component as Wallet } from "./wallet";

const live = vi.hoisted(() => ({ watch: null as PaymentWatch | null }));
vi.mock("@/lib/live/payments", () => ({
  watchPayment: (_id: string, watch: PaymentWatch) => {
    live.watch = watch;
    return () => {};
  },
}));

/** The parts that are loaded after their screen are compiled on the way. */
const LOADING = { timeout: 15_000 };
const ok = (payload: unknown) => () => ({ statusCode: 200, payload });

function open() {
  const home = { path: paths.dashboard, element: <p>home</p> };
  const screens = [
    { path: paths.wallet, Component: Wallet },
    { path: paths.amount, Component: Amount },
    { path: paths.review, Component: Review },
    { path: paths.pay, Component: Pay },
    { path: paths.waiting, Component: Waiting },
    { path: paths.thankYou, Component: ThankYou },
  ];
  return renderRoutes([home, ...screens], [paths.dashboard, paths.wallet]);
}

async function press(name: RegExp | string, role = "button") {
  await userEvent.setup().click(await screen.findByRole(role, { name }, LOADING));
}

/** From the wallet to the form that pays KES 50. */
async function toForm() {
  await press("Top up", "link");
  await press("50");
  await press("Review");
  await press("Proceed");
  await press(/^M-Pesa/);
  await screen.findByRole("button", { name: "Pay KES 50.00" }, LOADING);
}

beforeEach(() => {
  live.watch = null;
  saveSession(aSession());
  savePlayer(aPlayer());
  stubGateway({
    "GET /wallets/balance": ok({ balance: 0, available: 0 }),
    "GET /wallets/list?page=0&pageSize=100": ok([]),
    "GET /payment-methods/list": ok([{ id: "m1", name: "M-Pesa", code: "MPESA" }]),
    "POST /payments/top-up": ok({ paymentId: "pay-1", status: "IN_PROGRESS", amount: 50 }),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("the steps of a payment", LOADING, () => {
  test("are one step of the history: whoever goes back after it is at the wallet, and then at home", async () => {
    const router = open();
    await toForm();
    await press("Pay KES 50.00");
    await vi.waitFor(() => expect(live.watch).not.toBeNull(), LOADING);
    act(() =>
      live.watch?.onUpdate(
        create(PaymentUpdateSchema, { paymentId: "pay-1", status: PaymentStatus.COMPLETED }),
      ),
    );
    await press("Continue");
    await press("View wallet");
    await screen.findByRole("heading", { name: "Wallet" });
    await press("Back");
    expect(await screen.findByText("home")).toBeVisible();
    expect(router.state.location.pathname).toBe(paths.dashboard);
  });

  test("are left by Cancel for the wallet that they were begun on, which is not there twice", async () => {
    open();
    await toForm();
    await press("Pay KES 50.00");
    await press("Cancel");
    await screen.findByRole("heading", { name: "Wallet" });
    await press("Back");
    expect(await screen.findByText("home")).toBeVisible();
  });

  test("lead to one another by their arrows, with the amount as it was left", async () => {
    open();
    await toForm();
    await press("Back");
    await screen.findByRole("heading", { name: "Review" });
    await press("Back");
    expect(await screen.findByLabelText("Amount")).toHaveTextContent("50");
    await press("Back");
    expect(await screen.findByRole("heading", { name: "Wallet" })).toBeVisible();
  });

  test("are not come upon again by the forward gesture once it is paid", async () => {
    const router = open();
    await toForm();
    await press("Pay KES 50.00");
    await screen.findByRole("button", { name: "Cancel" });
    await act(() => router.navigate(1));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe(paths.wallet));
  });
});

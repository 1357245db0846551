import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPayment } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { Component as Pay } from "./pay";

const draft = { type: "TOP-UP", amount: 100, paymentMethod: "MPESA", paymentMethodId: "m1" };
const accepted = aPayment();

/** The pay screen. The waiting screen after it finishes loading when the test calls `loaded`. */
function openPay(state: object = draft) {
  let loaded: () => void = () => {};
  const waiting = new Promise<{ Component: () => string }>((resolve) => {
    loaded = () => resolve({ Component: () => "waiting screen" });
  });
  const router = createMemoryRouter(
    [
      { path: paths.pay, Component: Pay },
      { path: paths.waiting, lazy: () => waiting },
    ],
    { initialEntries: [{ pathname: paths.pay, state }] },
  );
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, loaded };
}

const payButton = () => screen.getByRole("button", { name: "Pay KES 100.00" });

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
});
afterEach(() => vi.unstubAllGlobals());

describe("paying", () => {
  test("sends one payment, however often it is pressed while the waiting screen loads", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({ "POST /payments/top-up": () => ({ statusCode: 200, payload: accepted }) });
    const { router, loaded } = openPay();
    await user.dblClick(payButton());
    await vi.waitFor(() => expect(router.state.navigation.state).toBe("loading"));
    // The mutation's state has been rendered by now.
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(payButton()).toHaveAttribute("aria-busy", "true");
    // Enter submits the form without a press on the busy button.
    await user.type(screen.getByLabelText("M-Pesa phone number"), "{Enter}");
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(seen).toHaveLength(1);
    loaded();
    expect(await screen.findByText("waiting screen")).toBeVisible();
    expect(router.state.location.search).toBe("?payment=pay-1");
  });

  test("tops up the wallet of the signed-in player, whichever player created the draft", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({ "POST /payments/top-up": () => ({ statusCode: 200, payload: accepted }) });
    const { loaded } = openPay({ ...draft, userId: "p0" });
    await user.click(payButton());
    await vi.waitFor(() => expect(seen[0]?.body).toMatchObject({ userId: "p1" }));
    loaded();
    expect(await screen.findByText("waiting screen")).toBeVisible();
  });

  test.each([
    ["a lost connection", () => new TypeError("Failed to fetch")],
    ["a payment that failed at once", () => ({ statusCode: 200, payload: { ...accepted, status: "ERROR" } })],
  ])("can be repeated after %s", async (_why, answer) => {
    const toastError = vi.spyOn(toast, "error").mockImplementation(() => {});
    const user = userEvent.setup();
    const seen = stubGateway({ "POST /payments/top-up": answer });
    openPay();
    await user.click(payButton());
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await vi.waitFor(() => expect(payButton()).not.toHaveAttribute("aria-busy"));
    await user.click(payButton());
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    toastError.mockRestore();
  });

  test("of an unknown outcome says what to check, and is repeated with the same key", async () => {
    const toastError = vi.spyOn(toast, "error").mockImplementation(() => {});
    const user = userEvent.setup();
    const statusMessage = "We do not know yet whether your payment was started.";
    const seen = stubGateway({
      "POST /payments/top-up": () => ({
        statusCode: 504,
        statusMessage,
        payload: { code: "OUTCOME_UNKNOWN" },
      }),
    });
    openPay();
    await user.click(payButton());
    expect(await screen.findByText(statusMessage)).toBeVisible();
    await user.click(payButton());
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    const [first, second] = seen.map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toBeTruthy();
    expect(second).toBe(first);
    toastError.mockRestore();
  });
});

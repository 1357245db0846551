import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { rememberMethod } from "@/features/wallet/lastMethod";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPayment } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { Component as Review } from "./review";

const draft = { id: "d1", type: "TOP-UP", amount: 100 };
const accepted = aPayment();
const methods = () => ({
  statusCode: 200,
  payload: [
    { id: "m1", name: "M-Pesa", code: "MPESA" },
    { id: "m2", name: "Card", code: "CARD" },
  ],
});

/** The review. The waiting screen after it finishes loading when the test calls `loaded`. */
function openReview(state: object = draft) {
  let loaded: () => void = () => {};
  const waiting = new Promise<{ Component: () => string }>((resolve) => {
    loaded = () => resolve({ Component: () => "waiting screen" });
  });
  const waitingRoute = { path: paths.waiting, lazy: () => waiting };
  const show = (entry: object) => {
    const amountRoute = { path: paths.amount, Component: () => "amount screen" };
    const router = createMemoryRouter(
      [{ path: paths.review, Component: Review }, waitingRoute, amountRoute],
      {
        initialEntries: [entry],
      },
    );
    const { unmount } = render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    return { router, unmount };
  };
  const { router, unmount } = show({ pathname: paths.review, state });
  /** Renders the same history entry again, with empty caches. */
  const reload = () => {
    const { pathname, state: kept } = router.state.location;
    unmount();
    show({ pathname, state: kept });
  };
  return { router, loaded, reload };
}

const payButton = () => screen.getByRole("button", { name: "Pay KES 100.00" });
const phoneField = () => screen.findByLabelText("M-Pesa phone number");

/** Stubs the methods, and a top-up with this answer. Returns the calls that pay. */
function stubTopUp(answer: Parameters<typeof stubGateway>[0][string]) {
  const seen = stubGateway({ "GET /payment-methods/list": methods, "POST /payments/top-up": answer });
  return () => seen.filter(({ method }) => method === "POST");
}

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
  rememberMethod("MPESA");
});
afterEach(() => vi.unstubAllGlobals());

describe("paying", () => {
  test("sends one payment, however often it is pressed while the waiting screen loads", async () => {
    const user = userEvent.setup();
    const payments = stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    const { router, loaded } = openReview();
    await phoneField();
    await user.dblClick(payButton());
    await eventually(() => expect(router.state.navigation.state).toBe("loading"));
    // The mutation's state has been rendered by now.
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(payButton()).toHaveAttribute("aria-busy", "true");
    // The method of a payment that was sent stays.
    await user.click(screen.getByRole("button", { name: /^Payment Method/ }));
    // Enter submits the form without a press on the busy button, and another number does not keep the payment here.
    await user.type(await phoneField(), "9{Enter}");
    await user.tab();
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(payments()).toHaveLength(1);
    expect(router.state.navigation.location?.pathname).toBe(paths.waiting);
    loaded();
    expect(await screen.findByText("waiting screen")).toBeVisible();
    expect(router.state.location.search).toBe("?payment=pay-1");
  });

  test("tops up the wallet of the signed-in player, whichever player created the draft", async () => {
    const user = userEvent.setup();
    const payments = stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    const { loaded } = openReview({ ...draft, userId: "p0" });
    await phoneField();
    await user.click(payButton());
    await eventually(() => expect(payments()[0]?.body).toMatchObject({ userId: "p1" }));
    loaded();
    expect(await screen.findByText("waiting screen")).toBeVisible();
  });

  test.each([
    ["a lost connection", () => new TypeError("Failed to fetch")],
    ["a payment that failed at once", () => ({ statusCode: 200, payload: { ...accepted, status: "ERROR" } })],
  ])("can be repeated after %s", async (_why, answer) => {
    const toastError = vi.spyOn(toast, "error").mockImplementation(() => {});
    const user = userEvent.setup();
    const payments = stubTopUp(answer);
    openReview();
    await phoneField();
    await user.click(payButton());
    await eventually(() => expect(payments()).toHaveLength(1));
    await eventually(() => expect(payButton()).not.toHaveAttribute("aria-busy"));
    await user.click(payButton());
    await eventually(() => expect(payments()).toHaveLength(2));
    toastError.mockRestore();
  });

  test("of an unknown outcome says what to check, and is repeated with the same key after a reload", async () => {
    const toastError = vi.spyOn(toast, "error").mockImplementation(() => {});
    const user = userEvent.setup();
    const statusMessage = "We do not know yet whether your payment was started.";
    const payments = stubTopUp(() => ({
      statusCode: 504,
      statusMessage,
      payload: { code: "OUTCOME_UNKNOWN" },
    }));
    const { reload } = openReview();
    await phoneField();
    await user.click(payButton());
    expect(await screen.findByText(statusMessage)).toBeVisible();
    await user.click(payButton());
    await eventually(() => expect(payments()).toHaveLength(2));
    reload();
    await phoneField();
    await user.click(payButton());
    await eventually(() => expect(payments()).toHaveLength(3));
    const keys = payments().map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toBeTruthy();
    expect(new Set(keys)).toEqual(new Set([keys[0]]));
    toastError.mockRestore();
  });
});

describe("the number of the phone", () => {
  test("is the profile's, and a typed one survives a reload and reaches the server", async () => {
    const user = userEvent.setup();
    const payments = stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    const { router, reload } = openReview();
    const field = await phoneField();
    expect(field).toHaveValue("+254712345678");
    await user.clear(field);
    await user.type(field, "0733 000 111");
    await user.tab();
    await eventually(() =>
      expect(router.state.location.state).toEqual({
        ...draft,
        mpesaPhoneNumber: "0733 000 111",
        phoneUid: "p1",
      }),
    );
    reload();
    expect(await phoneField()).toHaveValue("0733 000 111");
    await user.click(payButton());
    await eventually(() => expect(payments()[0]?.body).toMatchObject({ mpesaPhoneNumber: "0733000111" }));
  });

  test("that another player typed on this phone is not offered", async () => {
    stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    openReview({ ...draft, mpesaPhoneNumber: "0733 000 111", phoneUid: "p0" });
    expect(await phoneField()).toHaveValue("+254712345678");
  });

  test("goes along to the amount, also if the player taps Back from the field", async () => {
    const user = userEvent.setup();
    stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    const { router } = openReview();
    const field = await phoneField();
    await user.clear(field);
    await user.type(field, "0733 000 111");
    await user.click(screen.getByRole("button", { name: "Back" }));
    await eventually(() => expect(router.state.location.pathname).toBe(paths.amount));
    expect(router.state.location.state).toMatchObject({ mpesaPhoneNumber: "0733 000 111" });
  });

  test("is checked before the payment is sent", async () => {
    const user = userEvent.setup();
    const payments = stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    openReview();
    await user.clear(await phoneField());
    await user.click(payButton());
    expect(await screen.findByRole("alert")).toHaveTextContent("Please enter your phone number.");
    await user.type(await phoneField(), "0712{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Enter a Kenyan number");
    expect(payments()).toEqual([]);
  });
});

describe("the method", () => {
  const field = { name: /^Payment Method/ };

  test("is the remembered one; another is chosen in the sheet, and is remembered", async () => {
    const user = userEvent.setup();
    stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    const { reload } = openReview();
    expect(await screen.findByRole("button", field)).toHaveTextContent("M-Pesa");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", field));
    await user.click(await screen.findByRole("button", { name: /^Card/ }));
    expect(await screen.findByRole("button", field)).toHaveTextContent("Card");
    expect(screen.queryByLabelText("M-Pesa phone number")).toBeNull();
    expect(screen.getByText(/^The card page opens in a new tab\./)).toBeVisible();
    reload();
    expect(await screen.findByRole("button", field)).toHaveTextContent("Card");
  });

  test("is asked for at once when none is remembered, and again by Proceed", async () => {
    localStorage.clear();
    const user = userEvent.setup();
    stubTopUp(() => ({ statusCode: 200, payload: accepted }));
    openReview();
    const sheet = await screen.findByRole("dialog", { name: "Payment Method" });
    expect(sheet).toHaveTextContent("Please select your preferred method of payment");
    await user.click(screen.getByRole("button", { name: "Close" }));
    await user.click(await screen.findByRole("button", { name: "Proceed" }));
    await user.click(await screen.findByRole("button", { name: /^M-Pesa/ }));
    expect(await phoneField()).toHaveValue("+254712345678");
    expect(payButton()).toBeEnabled();
    await eventually(() => expect(payButton()).toHaveFocus());
  });

  test("that could not be fetched is asked for again by Retry, and nothing can be paid before", async () => {
    const user = userEvent.setup();
    let fails = true;
    const seen = stubGateway({
      "GET /payment-methods/list": () =>
        fails ? { statusCode: 422, statusMessage: "No methods.", payload: { code: "X" } } : methods(),
      "POST /payments/top-up": () => ({ statusCode: 200, payload: accepted }),
    });
    openReview();
    expect(await screen.findByText("No methods.")).toBeVisible();
    expect(payButton()).toHaveAttribute("aria-disabled", "true");
    await user.click(payButton());
    fails = false;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await phoneField()).toBeVisible();
    expect(seen.filter(({ method }) => method === "POST")).toEqual([]);
  });
});

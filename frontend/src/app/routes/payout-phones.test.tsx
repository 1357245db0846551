import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { parsePath } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { rememberMethod } from "@/features/wallet/lastMethod";
import { savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { resetLive } from "@/test/live";
import { aBalance, aPayment } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Review } from "./review";
import { Component as Waiting } from "./waiting";

vi.mock("@/lib/live/payments", () => import("@/test/live"));

const ok = (payload: unknown) => () => ({ statusCode: 200, payload });
const refused = (statusCode: number, code: string, statusMessage: string) => ({
  statusCode,
  statusMessage,
  payload: { code },
});
const PAYMENT = "01999999-0000-7000-8000-000000000000";

const answers = {
  "GET /wallets/balance": ok(aBalance(300)),
  "GET /wallets/list?pageSize=30": ok([]),
  "GET /payment-methods/list": ok([{ id: "m1", name: "M-Pesa", code: "MPESA" }]),
  "GET /wallets/withdraw-charges/m1?amount=100": ok(13.5),
};

/** Opens a screen. The history has the wallet before it, and these states of the same screen. */
function open(path: string, state: unknown = null, ...before: unknown[]) {
  return renderRoutes(
    [
      { path: paths.wallet, element: <p>wallet</p> },
      { path: paths.review, Component: Review },
      { path: paths.waiting, Component: Waiting },
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

describe("a withdrawal to a phone that the player has not proven", () => {
  const withdrawal = { type: "WITHDRAWAL", amount: 100 };
  const phone = "+254712345678";
  const resting = new Date(2099, 10, 29, 16, 0).toISOString();
  const sentCode = (resendIn: number) =>
    ok({
      phone,
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      resendAt: new Date(Date.now() + resendIn).toISOString(),
    });

  /** A gateway that lets money go to the phone once it is proven by 123456, and open. */
  function stubPhone(opensAt: string, resendIn = 60_000) {
    let isProven = false;
    return stubGateway({
      ...answers,
      "GET /payout-phones": () => ok({ phones: isProven ? [{ phone, opensAt }] : [] })(),
      "POST /wallets/withdraw": () =>
        isProven
          ? { statusCode: 200, payload: aPayment({ paymentId: PAYMENT, type: "WITHDRAWAL", amount: 100 }) }
          : refused(403, "PAYOUT_PHONE_NOT_PROVEN", "This phone is not confirmed on your account yet."),
      "POST /payout-phones/start": sentCode(resendIn),
      "POST /payout-phones/confirm": ({ body }) => {
        isProven = (body as { code: string }).code === "123456";
        return isProven
          ? { statusCode: 200, payload: { phone, opensAt } }
          : refused(401, "BAD_CODE", "That code is not right.");
      },
    });
  }
  const sent = (seen: ReturnType<typeof stubGateway>, path: string) =>
    seen.filter((call) => call.method === "POST" && call.path === path);
  const codeField = () => screen.findByLabelText("Confirmation code");

  test("a withdrawal sends a code there, and goes on with it", async () => {
    const seen = stubPhone(new Date().toISOString());
    open(paths.review, withdrawal);
    const typed = await screen.findByLabelText("M-Pesa phone number");
    await userEvent.setup().clear(typed);
    await userEvent.setup().type(typed, "0712 345 678");
    await press("Withdraw KES 100.00");
    const dialog = await screen.findByRole("dialog", { name: "Is this your phone?" });
    expect(await codeField()).toHaveFocus();
    expect(dialog).toHaveAccessibleDescription(
      /six-digit code to \+254 712 345 678\. It works for 5 minutes\./,
    );
    expect(await codeField()).toHaveAttribute("autocomplete", "one-time-code");
    expect(await codeField()).toHaveAttribute("inputmode", "numeric");
    expect(sent(seen, "/payout-phones/start").map(({ body }) => body)).toEqual([{ phone: "0712 345 678" }]);
    const user = userEvent.setup();
    await user.type(await codeField(), "000000");
    expect(await screen.findByText("That code is not right.")).toBeVisible();
    expect(await codeField()).toBeInvalid();
    await user.clear(await codeField());
    await user.type(await codeField(), "123456");
    expect(await screen.findByRole("heading", { name: "M-Pesa is sending the money" })).toBeVisible();
    const [first, second, ...rest] = sent(seen, "/wallets/withdraw");
    expect(rest).toEqual([]);
    expect(second?.body).toEqual(first?.body);
    // A wrong code says nothing about the session.
    expect(sent(seen, "/auth/refresh")).toEqual([]);
  });

  test("that rests first, nothing is withdrawn, and the dialog and the review say when it opens", async () => {
    const seen = stubPhone(resting);
    open(paths.review, withdrawal);
    expect(await screen.findByText("We send a code to this phone first.")).toBeVisible();
    await press("Withdraw KES 100.00");
    await userEvent.setup().type(await codeField(), "123456");
    const okay = await screen.findByRole("button", { name: "OK" });
    expect(okay).toHaveFocus();
    expect(okay).toHaveAccessibleDescription(
      "You can withdraw to +254 712 345 678 from 16:00 on 29/11. Nothing was withdrawn now.",
    );
    await press("OK");
    expect(await screen.findByText("You can withdraw to it from 16:00 on 29/11.")).toBeVisible();
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent(seen, "/wallets/withdraw")).toHaveLength(1);
  });

  test("another code can be asked for once the server allows it", async () => {
    const said = vi.spyOn(toast, "error").mockImplementation(() => {});
    let resendIn = -1_000;
    let isLimited = false;
    const seen = stubGateway({
      ...answers,
      "POST /wallets/withdraw": () => refused(403, "PAYOUT_PHONE_NOT_PROVEN", "New."),
      "POST /payout-phones/start": () =>
        isLimited ? refused(429, "RATE_LIMITED", "Too many codes.") : sentCode(resendIn)(),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    await codeField();
    isLimited = true;
    await press("Send another code");
    await eventually(() => expect(said).toHaveBeenCalledWith("Too many codes."));
    isLimited = false;
    resendIn = 60_000;
    await press("Send another code");
    expect(
      await screen.findByText(/^No SMS yet\? You can ask for another code in (1:00|0:59)/),
    ).toBeVisible();
    expect(sent(seen, "/payout-phones/start")).toHaveLength(3);
  });

  test("a closed dialog opens again with the code that was sent, also after a reload", async () => {
    const seen = stubPhone(new Date().toISOString());
    const router = open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    await codeField();
    await press("Close");
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    await press("Withdraw KES 100.00");
    await codeField();
    expect(sent(seen, "/payout-phones/start")).toHaveLength(1);

    const { state } = router.state.location;
    cleanup();
    open(paths.review, state, withdrawal);
    await userEvent.setup().type(await codeField(), "123456");
    expect(await screen.findByRole("heading", { name: "M-Pesa is sending the money" })).toBeVisible();
    expect(sent(seen, "/payout-phones/start")).toHaveLength(1);
    expect(sent(seen, "/wallets/withdraw").map(({ body }) => body)).toEqual(
      Array(3).fill({ paymentMethodId: "m1", amount: 100, mpesaPhoneNumber: phone }),
    );
  });

  test("which gets no code, the dialog says why", async () => {
    const seen = stubGateway({
      ...answers,
      "POST /wallets/withdraw": () => refused(403, "PAYOUT_PHONE_NOT_PROVEN", "New."),
      "POST /payout-phones/start": () => refused(422, "SMS_REFUSED", "We cannot send a code to that number."),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    expect(await screen.findByRole("alert")).toHaveTextContent("We cannot send a code to that number.");
    await press("Send a code");
    await eventually(() => expect(sent(seen, "/payout-phones/start")).toHaveLength(2));
  });

  test("a code whose sending was not confirmed can be entered all the same", async () => {
    const answered = stubGateway({
      ...answers,
      "POST /wallets/withdraw": () => refused(403, "PAYOUT_PHONE_NOT_PROVEN", "New."),
      "POST /payout-phones/start": () => refused(503, "UNAVAILABLE", "Please try again."),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    await press("I have a code");
    await userEvent.setup().type(await codeField(), "123456");
    await eventually(() => expect(sent(answered, "/payout-phones/confirm")).toHaveLength(1));
  });

  test("a withdrawal to a resting phone shows the server's reason", async () => {
    const said = vi.spyOn(toast, "error").mockImplementation(() => {});
    stubGateway({
      ...answers,
      "POST /wallets/withdraw": () => refused(403, "PAYOUT_PHONE_RESTS", "This phone is new."),
    });
    open(paths.review, withdrawal);
    await press("Withdraw KES 100.00");
    await eventually(() => expect(said).toHaveBeenCalledWith("This phone is new."));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test.each([
    ["0712345678", ""],
    ["+254 712 345 678", ""],
    ["254712345678", ""],
    ["0722000111", "You can withdraw to it from 16:00 on 29/11."],
    ["254722000111", "You can withdraw to it from 16:00 on 29/11."],
    ["0733000111", "We send a code to this phone first."],
    ["073300011", ""],
  ])("the review notes under %s: %s", async (typed, note) => {
    const seen = stubGateway({
      ...answers,
      "GET /payout-phones": ok({
        phones: [
          { phone: "+254722000111", opensAt: resting },
          { phone, opensAt: "2026-01-01T09:00:00Z" },
        ],
      }),
    });
    open(paths.review, withdrawal);
    const field = await screen.findByLabelText("M-Pesa phone number");
    await eventually(() => expect(seen.some(({ path }) => path === "/payout-phones")).toBe(true));
    const user = userEvent.setup();
    await user.clear(field);
    await user.type(field, "0733000111");
    await screen.findByText("We send a code to this phone first.");
    await user.clear(field);
    await user.type(field, typed);
    expect(screen.getByRole("status").textContent).toBe(note);
  });

  test("the review notes nothing while the proven phones are not known", async () => {
    const seen = stubGateway({
      ...answers,
      "GET /payout-phones": () => refused(422, "X", "No phones."),
    });
    const said = vi.spyOn(toast, "error").mockImplementation(() => {});
    open(paths.review, withdrawal);
    await screen.findByLabelText("M-Pesa phone number");
    await eventually(() => expect(seen.some(({ path }) => path === "/payout-phones")).toBe(true));
    await act(async () => {});
    expect(screen.getByRole("status")).toBeEmptyDOMElement();
    expect(said).not.toHaveBeenCalled();
  });

  test("a top-up asks for no proven phones and has no note", async () => {
    const seen = stubGateway(answers);
    rememberMethod("MPESA");
    open(paths.review, { type: "TOP-UP", amount: 100 });
    await screen.findByLabelText("M-Pesa phone number");
    expect(screen.queryByRole("status")).toBeNull();
    expect(seen.some(({ path }) => path === "/payout-phones")).toBe(false);
  });
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accountPaths } from "@/app/accountPaths";
import { savePlayer, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Phones } from "./phones";

const ok = (payload: unknown) => () => ({ statusCode: 200, payload });
const open = () => renderRoutes([{ path: accountPaths.phones, Component: Phones }], [accountPaths.phones]);
const inOneMinute = () => new Date(Date.now() + 60_000).toISOString();

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
});
afterEach(() => vi.unstubAllGlobals());

test("each phone is listed with the time from which it is ready", async () => {
  stubGateway({
    "GET /payout-phones": ok({
      phones: [
        { phone: "+254722000111", opensAt: new Date(2099, 10, 29, 16, 0).toISOString() },
        { phone: "+254712345678", opensAt: "2026-01-01T09:00:00Z" },
      ],
    }),
  });
  open();
  const [resting, ready] = await screen.findAllByRole("listitem");
  expect(resting).toHaveTextContent("+254 722 000 111You can withdraw to it from 16:00 on 29/11.");
  expect(ready).toHaveTextContent("+254 712 345 678Ready for withdrawals");
});

test("a player without a phone adds one by a code", async () => {
  let isProven = false;
  const proven = { phone: "+254733000111", opensAt: "2026-01-01T09:00:00Z" };
  const seen = stubGateway({
    "GET /payout-phones": () => ok({ phones: isProven ? [proven] : [] })(),
    "POST /payout-phones/start": ok({
      phone: proven.phone,
      expiresAt: inOneMinute(),
      resendAt: inOneMinute(),
    }),
    "POST /payout-phones/confirm": () => {
      isProven = true;
      return ok(proven)();
    },
  });
  open();
  const user = userEvent.setup();
  expect(await screen.findByText("You have not confirmed a phone yet.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Add a phone" }));
  const field = await screen.findByLabelText("M-Pesa phone number");
  await user.clear(field);
  await user.type(field, "0733 000 111");
  await user.click(screen.getByRole("button", { name: "Send a code" }));
  await user.type(await screen.findByLabelText("Confirmation code"), "123456");
  expect(await screen.findByText("Ready for withdrawals")).toBeVisible();
  // The dialog for the code does not become the one for a number before it closes.
  expect(screen.queryByLabelText("M-Pesa phone number")).toBeNull();
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  await eventually(() => expect(screen.getByRole("button", { name: "Add a phone" })).toHaveFocus());
  const bodies = seen.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(bodies).toEqual([{ phone: "0733000111" }, { code: "123456" }]);
});

test("on a new device the player confirms that first, and then the same phone", async () => {
  let isConfirmed = false;
  const seen = stubGateway({
    "GET /payout-phones": ok({ phones: [] }),
    "POST /payout-phones/start": () =>
      isConfirmed
        ? ok({ phone: "+254733000111", expiresAt: inOneMinute(), resendAt: inOneMinute() })()
        : { statusCode: 403, statusMessage: "New.", payload: { code: "DEVICE_NOT_CONFIRMED" } },
    "POST /auth/device/start": ok({
      emailHint: "w•••@example.com",
      expiresAt: inOneMinute(),
      resendAt: inOneMinute(),
    }),
    "POST /auth/device/confirm": () => {
      isConfirmed = true;
      return { statusCode: 200 };
    },
    "POST /payout-phones/confirm": ok({ phone: "+254733000111", opensAt: "2026-01-01T09:00:00Z" }),
    "POST /auth/refresh": ok({ ...aSession({ accessToken: "access-2" }), isNewUser: false }),
  });
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add a phone" }));
  const field = await screen.findByLabelText("M-Pesa phone number");
  await user.clear(field);
  await user.type(field, "0733 000 111");
  await user.click(screen.getByRole("button", { name: "Send a code" }));
  expect(await screen.findByRole("dialog", { name: "Is this you?" })).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Send me a code" }));
  await user.type(await screen.findByLabelText("Confirmation code"), "123456");
  expect(await screen.findByRole("dialog", { name: "Is this your phone?" })).toBeVisible();
  expect(await screen.findByText(/six-digit code to \+254 733 000 111/)).toBeVisible();
  await user.type(await screen.findByLabelText("Confirmation code"), "654321");
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  await eventually(() => expect(screen.getByRole("button", { name: "Add a phone" })).toHaveFocus());
  const asked = seen.filter(({ method, path }) => method === "POST" && path === "/payout-phones/start");
  expect(asked).toHaveLength(2);
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { accountPaths } from "@/app/accountPaths";
import * as navigation from "@/lib/navigation";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Spending } from "./spending";

const nothing = { spent: 0, limit: null, change: null };

const periods = (moneyInToday: object) => ({
  statusCode: 200,
  statusMessage: "Okay.",
  payload: (["DAY", "WEEK", "MONTH"] as const).map((period) => ({
    period,
    since: "2026-11-20T21:00:00.000Z",
    moneyIn: period === "DAY" ? moneyInToday : nothing,
    packages: { ...nothing, spent: 30 },
    won: 1_500,
  })),
});

const open = () =>
  renderRoutes([{ path: accountPaths.spending, Component: Spending }], [accountPaths.spending]);
const today = async () => within(await screen.findByRole("list", { name: "Today" }));

const hardNavigate = vi.fn();
beforeEach(() => {
  hardNavigate.mockReset();
  vi.spyOn(navigation, "hardNavigate").mockImplementation(hardNavigate);
  vi.spyOn(toast, "success").mockImplementation(() => {});
  saveSession(aSession());
  savePlayer(aPlayer());
});

test("a player reads what was spent and won, and how full a limit is", async () => {
  const change = { limit: null, beginsAt: new Date(Date.now() + 86_400_000).toISOString() };
  stubGateway({ "GET /spending": () => periods({ spent: 200, limit: 500, change }) });
  open();
  const rows = (await today()).getAllByRole("listitem").map((row) => row.textContent);
  expect(rows[0]).toMatch(/^Money inLimit KES 500\.00No limit from .+\.KES 200\.00$/);
  expect(rows[1]).toBe("PackagesNo limitKES 30.00");
  expect(rows[2]).toBe("WonKES 1,500.00");
  expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(3);
});

test("a player sets a limit, and it is shown", async () => {
  const seen = stubGateway({
    "GET /spending": () => periods({ ...nothing, spent: 200 }),
    "PUT /spending/limit": () => periods({ spent: 200, limit: 1_500, change: null }),
  });
  open();
  await userEvent.click((await today()).getByRole("button", { name: /Money in/ }));
  const sheet = within(await screen.findByRole("dialog", { name: "Daily limit on money in" }));
  expect(sheet.queryByRole("button", { name: "Remove the limit" })).toBeNull();
  await userEvent.type(sheet.getByLabelText("Limit in KES"), "5");
  await userEvent.click(sheet.getByRole("button", { name: "Set limit" }));
  expect(sheet.getByText("From KES 10.00 to KES 1,000,000.00.")).toBeVisible();
  await userEvent.clear(sheet.getByLabelText("Limit in KES"));
  await userEvent.type(sheet.getByLabelText("Limit in KES"), "1,500");
  await userEvent.click(sheet.getByRole("button", { name: "Set limit" }));
  expect(await screen.findByText(/Limit KES 1,500\.00/)).toBeVisible();
  expect(toast.success).toHaveBeenCalledWith("Your limit is set.");
  const [put] = seen.filter(({ method }) => method === "PUT");
  expect(put?.body).toEqual({ kind: "MONEY_IN", period: "DAY", limit: 1_500 });
});

test("a player who removes a limit reads that it takes a day, and a refusal stays in the sheet", async () => {
  let isDown = true;
  const change = { limit: null, beginsAt: new Date(Date.now() + 86_400_000).toISOString() };
  stubGateway({
    "GET /spending": () => periods({ spent: 0, limit: 500, change: null }),
    "PUT /spending/limit": () =>
      isDown
        ? { statusCode: 400, statusMessage: "Not that.", payload: { code: "AMOUNT_OUT_OF_RANGE" } }
        : periods({ spent: 0, limit: 500, change }),
  });
  open();
  await userEvent.click((await today()).getByRole("button", { name: /Money in/ }));
  const remove = await screen.findByRole("button", { name: "Remove the limit" });
  await userEvent.click(remove);
  expect(await screen.findByText("Not that.")).toBeVisible();
  isDown = false;
  await userEvent.click(remove);
  await eventually(() =>
    expect(toast.success).toHaveBeenCalledWith(expect.stringMatching(/^No limit from /)),
  );
  expect(await screen.findByText(/No limit from/)).toBeVisible();
});

test("a player takes a break in two steps, and is signed out", async () => {
  const seen = stubGateway({
    "GET /spending": () => periods(nothing),
    "POST /profile/break": () => ({
      statusCode: 200,
      statusMessage: "Your break has begun.",
      payload: { endsAt: "2026-12-30T09:00:00.000Z" },
    }),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: /Take a break/ }));
  await userEvent.click(await screen.findByRole("radio", { name: "6 months" }));
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(seen.some(({ method }) => method === "POST")).toBe(false);
  expect(screen.getByRole("dialog", { name: "A break of 6 months?" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Start my break" }));
  await eventually(() => expect(hardNavigate).toHaveBeenCalledWith("/login"));
  expect(seen.find(({ method }) => method === "POST")?.body).toEqual({ length: "HALF_YEAR" });
  expect(currentSession()).toBeNull();
});

test("a player on a break reads until when", async () => {
  savePlayer({ ...aPlayer(), breakUntil: new Date(Date.now() + 3_600_000).toISOString() });
  stubGateway({ "GET /spending": () => periods(nothing) });
  open();
  await userEvent.click(await screen.findByRole("button", { name: /You are on a break until .*20\d\d/ }));
  const sheet = within(await screen.findByRole("dialog", { name: "Make your break longer" }));
  expect(sheet.getAllByRole("radio")).toHaveLength(6);
});

test("a break can only be made longer", async () => {
  const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000).toISOString();
  savePlayer({ ...aPlayer(), breakUntil: inTwoWeeks });
  stubGateway({ "GET /spending": () => periods(nothing) });
  open();
  await userEvent.click(await screen.findByRole("button", { name: /Make your break longer/ }));
  const lengths = (await screen.findAllByRole("radio")).map((radio) => radio.parentElement?.textContent);
  expect(lengths).toEqual(["6 weeks", "6 months", "1 year", "5 years"]);
});

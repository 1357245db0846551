import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accountPaths } from "@/app/accountPaths";
import { savePlayer, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Data } from "./data";

const state = (state: "NONE" | "COLLECTING" | "READY", expiresAt: string | null = null) => ({
  statusCode: 200,
  statusMessage: "Okay.",
  payload: { state, expiresAt },
});

const open = () => renderRoutes([{ path: accountPaths.data, Component: Data }], [accountPaths.data]);

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
});
afterEach(() => vi.restoreAllMocks());

test("a player asks for a copy, and reads that it is collected", async () => {
  const seen = stubGateway({
    "GET /profile/data-copy": () => state("NONE"),
    "POST /profile/data-copy": () => state("COLLECTING", "2026-11-28T09:00:00.000Z"),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Ask for my copy" }));
  expect(await screen.findByRole("status")).toHaveTextContent("putting your copy together");
  expect(screen.queryByRole("button", { name: "Ask for my copy" })).toBeNull();
  expect(seen.map(({ method }) => method)).toContain("POST");
});

test("a copy that is ready is downloaded as a page or as JSON", async () => {
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => {} }));
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  stubGateway({
    "GET /profile/data-copy": () => state("READY", "2026-11-28T09:00:00.000Z"),
    "GET /profile/data-copy/file?format=html": () => ({ statusCode: 200 }),
    "GET /profile/data-copy/file?format=json": () => ({ statusCode: 200 }),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Download as a page" }));
  await userEvent.click(await screen.findByRole("button", { name: "Download as JSON" }));
  await eventually(() => expect(names).toEqual(["playon-data.html", "playon-data.json"]));
});

test("on a new device the copy is asked for again after a mailed code", async () => {
  let isConfirmed = false;
  const seen = stubGateway({
    "GET /profile/data-copy": () => state("NONE"),
    "POST /profile/data-copy": () =>
      isConfirmed
        ? state("COLLECTING", "2026-11-28T09:00:00.000Z")
        : { statusCode: 403, statusMessage: "New.", payload: { code: "DEVICE_NOT_CONFIRMED" } },
    "POST /auth/device/start": () => ({
      statusCode: 200,
      payload: {
        emailHint: "w•••@example.com",
        expiresAt: new Date(Date.now() + 900_000).toISOString(),
        resendAt: new Date(Date.now() + 60_000).toISOString(),
      },
    }),
    "POST /auth/device/confirm": () => {
      isConfirmed = true;
      return { statusCode: 200 };
    },
    "POST /auth/refresh": () => ({
      statusCode: 200,
      payload: { ...aSession({ accessToken: "access-2" }), isNewUser: false },
    }),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Ask for my copy" }));
  expect(await screen.findByRole("dialog", { name: "Is this you?" })).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Send me a code" }));
  await userEvent.type(await screen.findByLabelText("Confirmation code"), "123456");
  expect(await screen.findByRole("status")).toHaveTextContent("putting your copy together");
  const asked = seen.filter(({ method, path }) => method === "POST" && path === "/profile/data-copy");
  expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual([
    "Bearer access-1",
    "Bearer access-2",
  ]);
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Data } from "./data";

const state = (state: "NONE" | "COLLECTING" | "READY", expiresAt: string | null = null) => ({
  statusCode: 200,
  statusMessage: "Okay.",
  payload: { state, expiresAt },
});

const open = () => renderRoutes([{ path: paths.data, Component: Data }], [paths.data]);

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
  await vi.waitFor(() => expect(names).toEqual(["playon-data.html", "playon-data.json"]));
});

test("on a new device a mailed code is asked for first", async () => {
  stubGateway({
    "GET /profile/data-copy": () => state("NONE"),
    "POST /profile/data-copy": () => ({
      statusCode: 403,
      statusMessage: "This device is new to your account.",
      payload: { code: "DEVICE_NOT_CONFIRMED" },
    }),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Ask for my copy" }));
  expect(await screen.findByRole("dialog", { name: "Is this you?" })).toBeVisible();
});

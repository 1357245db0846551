import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { StatementSheet } from "./StatementSheet";

beforeEach(() => {
  saveSession(aSession());
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => {} }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const fill = async (from: string, to: string) => {
  const user = userEvent.setup();
  for (const [label, day] of [
    ["From", from],
    ["To", to],
  ] as const) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), day);
  }
  return user;
};

test("a statement of the chosen days and format is downloaded under its name", async () => {
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    calls.push(url);
    return new Response("a,b", { status: 200 });
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const onClose = vi.fn();
  renderPage(<StatementSheet onClose={onClose} />);
  const user = await fill("2025-11-01", "2025-11-22");
  await user.click(screen.getByText("CSV"));
  await user.click(screen.getByRole("button", { name: "Download" }));
  await eventually(() => expect(onClose).toHaveBeenCalled());
  expect(calls).toEqual(["/api/wallets/statement?from=2025-11-01&to=2025-11-22&format=csv"]);
  expect(names).toEqual(["playon-2025-11-01-2025-11-22.csv"]);
});

test("a refusal is shown in the sheet", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json(
      { statusCode: 400, statusMessage: "At most a year.", payload: { code: "X" } },
      { status: 400 },
    ),
  );
  renderPage(<StatementSheet onClose={() => {}} />);
  const user = await fill("2025-11-01", "2025-11-22");
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("At most a year.");
});

test("days in the wrong order are not asked for", async () => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  renderPage(<StatementSheet onClose={() => {}} />);
  const user = await fill("2025-11-22", "2025-11-01");
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Choose a first day");
  expect(fetched).not.toHaveBeenCalled();
});

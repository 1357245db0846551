import { readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { Passes } from "./Passes";

const pass = (name: string) => ({
  id: name,
  name,
  description: "All games.",
  amount: 10,
  duration: "a day",
  currency: "KES",
  popular: false,
  oldId: null,
});

afterEach(() => vi.unstubAllGlobals());

/** Adds the style sheet, which tests leave out. */
function addStyle() {
  const style = document.createElement("style");
  style.textContent = readFileSync("src/features/wallet/components/Passes.module.css", "utf8");
  document.head.append(style);
  onTestFinished(() => style.remove());
}

/** The packages with these names, in the order of the screen, with their styles. */
async function show(names: readonly string[]) {
  addStyle();
  saveSession(aSession());
  stubGateway({
    "GET /subscription-packages/list": () => ({ statusCode: 200, payload: names.map(pass) }),
    "GET /subscriptions/list": () => ({ statusCode: 200, payload: [] }),
  });
  renderPage(<Passes onChoose={() => {}} />);
  return (await screen.findAllByRole("article")).map((card) => {
    const style = getComputedStyle(card);
    const metal = style.getPropertyValue("--metal").trim();
    return [card.getAttribute("aria-label"), metal, style.background] as const;
  });
}

test("each package has its metal, and Platinum a card of its own", async () => {
  expect(await show(["Platinum", "Gold", "Bronze", "Silver"])).toEqual([
    ["Bronze", "var(--bronze)", "var(--surface)"],
    ["Silver", "var(--silver)", "var(--surface)"],
    ["Gold", "var(--gold)", "var(--surface)"],
    ["Platinum", "var(--night)", "var(--platinum)"],
  ]);
});

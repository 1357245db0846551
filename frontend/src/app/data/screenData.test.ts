import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { queryClient } from "@/app/data/client";
import { paths } from "@/app/paths";
import { preloadOnPointerDown } from "@/app/preload";
import { balanceQuery, historyQuery } from "@/features/wallet/api/queries";
import { dropSession, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aBalance } from "@/test/payloads";
import { aSession } from "@/test/players";
import { loaderOf, startQueries } from "./screenData";

const ok = (payload: unknown) => () => ({ statusCode: 200, payload });

function stubWallet() {
  return stubGateway({
    "GET /wallets/balance": ok(aBalance(100)),
    "GET /wallets/list?pageSize=30": ok([]),
  });
}

beforeEach(() => saveSession(aSession()));
afterEach(() => {
  document.body.replaceChildren();
  dropSession();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test("a screen's loader starts its queries and does not wait for them", async () => {
  stubWallet();
  expect(loaderOf(paths.wallet).loader()).toBeNull();
  await eventually(() => expect(queryClient.getQueryData(balanceQuery.queryKey)).toBeDefined());
  expect(queryClient.getQueryData(historyQuery.queryKey)).toEqual({ rows: [], hasMore: false });
});

test("fresh data is not fetched again", async () => {
  const seen = stubWallet();
  await startQueries(paths.wallet);
  await startQueries(paths.wallet);
  expect(seen).toHaveLength(2);
});

test("a guest's visit to a player's screen makes no call", async () => {
  dropSession();
  const seen = stubWallet();
  await startQueries(paths.wallet);
  expect(seen).toHaveLength(0);
});

test("a press on a link starts the queries of its page before the click", async () => {
  onTestFinished(preloadOnPointerDown());
  const seen = stubWallet();
  document.body.innerHTML = `<a href="https://elsewhere.example${paths.wallet}"><i id="out"></i></a>
    <a href="${paths.wallet}"><i id="wallet"></i></a>`;
  const press = (id: string) =>
    document.getElementById(id)?.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  press("out");
  press("wallet");
  await eventually(() => expect(seen).toHaveLength(2));
}, 20_000);

import { QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { balanceQuery, historyQuery } from "@/features/wallet/api/queries";
import { announce, CHANGES } from "@/lib/changes";
import { eventually } from "@/test/eventually";
import { aBalance } from "@/test/payloads";
import { followChanges } from "./client";
import { staleQueries } from "./staleQueries";

const sources = import.meta.glob<string>("/src/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

test("query keys are spelled in the queries files alone", () => {
  const spelled = /queryKey:\s*\[|(?:Query(?:ies)?Data|QueryState|fetchQuery)\(\s*\[/;
  const elsewhere = Object.entries(sources)
    .filter(([file]) => !/\/queries\.ts$|\.test\.tsx?$/.test(file))
    .filter(([, text]) => spelled.test(text))
    .map(([file]) => file);
  expect(elsewhere).toEqual([]);
});

test.each(CHANGES)("the change %s makes something stale", (change) => {
  expect(staleQueries[change].length).toBeGreaterThan(0);
});

test("an announced change makes its queries stale, and no others", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  onTestFinished(followChanges(client));
  client.setQueryData(balanceQuery.queryKey, aBalance(1));
  client.setQueryData(historyQuery.queryKey, { rows: [], hasMore: false });
  const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  announce("referral/changed");
  announce("wallet/moved");
  await eventually(() => expect(isStale(historyQuery.queryKey)).toBe(true));
  expect(isStale(balanceQuery.queryKey)).toBe(true);
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PAGE_SIZE, type Transaction } from "@/features/wallet/api/requests";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aBalance, aTransaction } from "@/test/payloads";
import { aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { History } from "./History";

const transaction = (number: number) =>
  aTransaction({
    id: `t${number}`,
    cursor: String(number),
    amount: number,
    payment: {
      successful: true,
      receipt: `TKM${number}`,
      mpesaTransactionDate: null,
      mpesaRransactionDate: null,
    },
  });
/** The rows from this one down to the other, newest first. */
const rows = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => transaction(from - index));

function stubWallet(pages: readonly Transaction[][]) {
  const page = (index: number) => () => ({ statusCode: 200, payload: pages[index] ?? [] });
  return stubGateway({
    "GET /wallets/balance": () => ({ statusCode: 200, payload: aBalance(1) }),
    [`GET /wallets/list?pageSize=${PAGE_SIZE}`]: page(0),
    [`GET /wallets/list?pageSize=${PAGE_SIZE}&before=3`]: page(1),
  });
}

beforeEach(() => saveSession(aSession()));
afterEach(() => vi.unstubAllGlobals());

test("a row opens its receipt below it, and closes it again", async () => {
  const user = userEvent.setup();
  stubWallet([rows(2, 1)]);
  renderPage(<History />);
  const row = await screen.findByRole("button", { name: /\+KES 2\.00/ });
  await user.click(row);
  expect(row).toHaveAttribute("aria-expanded", "true");
  expect(within(screen.getByLabelText("Receipt")).getByText("TKM2")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /\+KES 1\.00/ }));
  expect(screen.queryByText("TKM2")).toBeNull();
  await user.click(screen.getByRole("button", { name: /\+KES 1\.00/ }));
  expect(screen.queryByLabelText("Receipt")).toBeNull();
});

test("a receipt has the tax that was taken, which is a row of its own", async () => {
  const user = userEvent.setup();
  const tax = aTransaction({
    id: "t2",
    kind: "EXCISE_DUTY",
    transactionDesc: "WITHDRAW_WALLET",
    direction: "DEBIT",
    amount: 5,
    detail: "5% of KES 100.00",
    payment: { successful: true, receipt: null, mpesaTransactionDate: null, mpesaRransactionDate: null },
  });
  stubWallet([[tax, { ...transaction(100), balanceAfter: 100.1, tax: 5 }]]);
  renderPage(<History />);
  expect(
    await screen.findByRole("button", { name: /Excise duty.*5% of KES 100\.00.*−KES 5\.00/ }),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: /\+KES 100\.00/ }));
  const receipt = within(screen.getByLabelText("Receipt"));
  expect(receipt.getByText("Tax taken").nextSibling).toHaveTextContent("KES 5.00");
  expect(receipt.getByText("Balance after").nextSibling).toHaveTextContent("KES 95.10");
});

test("older rows are added on request, until there are no more", async () => {
  const user = userEvent.setup();
  stubWallet([rows(PAGE_SIZE + 2, 3), rows(2, 1)]);
  renderPage(<History />);
  // Find by text: finding by role in a hundred rows takes seconds in jsdom.
  await user.click(await screen.findByText("Load More"));
  expect(await screen.findByText("+KES 1.00")).toBeVisible();
  expect(screen.queryByText("Load More")).toBeNull();
});

test("an empty history says what will appear in it", async () => {
  stubWallet([[]]);
  renderPage(<History />);
  expect(await screen.findByText("Your first top up will appear here.")).toBeVisible();
});

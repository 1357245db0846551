// Money: the bank's book, payouts, card payments, airtime, and what was posted.

import { $, at, call, el, kes, list, money, row, spaced, write } from "./dom.js";
import { B2C_SCRIPTS } from "./scripts.js";

const LISTED = 8;
const twoPlaces = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2 });
const cents = (amount) => (amount % 100 === 0 ? kes(amount / 100) : `KES ${twoPlaces.format(amount / 100)}`);
const phone = (party) => (/^254\d{9}$/.test(party) ? spaced(party) : party);

// The sides of the book besides payments received: their names and their signs.
const SIDES = {
  paidOut: ["paid out", -1], reversed: ["reversed", -1], cards: ["by card", 1],
  cardRefunds: ["card refund", -1], airtime: ["airtime", 1], airtimeRefunds: ["airtime refund", -1],
};

export function drawBank(bank) {
  const { received } = bank;
  write($("#total"), kes(received.amount));
  write($("#count"), received.count === 1 ? "received in 1 payment" : `received in ${money.format(received.count)} payments`);
  $("#sums").replaceChildren(...Object.entries(SIDES).filter(([side]) => bank[side].count > 0).map(([side, [name, sign]]) =>
    el("div", {}, el("dt", { textContent: `${name} · ${money.format(bank[side].count)}` }),
      el("dd", { className: sign > 0 ? "in" : "", textContent: `${sign < 0 ? "−" : ""}${cents(bank[side].amountCents)}` }))));
  write($("#utility"), kes(bank.float.utility));
  write($("#charges"), `${kes(bank.float.charges)} charged for payouts`);
  const lines = received.entries.map((entry) => ({
    at: entry.at, title: entry.receipt, sign: 1, sum: kes(entry.amount), note: `M-Pesa · ${spaced(entry.msisdn)} · ${entry.account}`,
  }));
  for (const [side, [name, sign]] of Object.entries(SIDES)) {
    lines.push(...bank[side].entries.map((entry) => ({
      at: entry.at, title: entry.receipt, sign, sum: cents(entry.amountCents), note: `${name} · ${phone(entry.party)}`,
    })));
  }
  lines.sort((a, b) => b.at.localeCompare(a.at));
  list("#book", lines, LISTED, (line) =>
    row(line.title, `${line.sign > 0 ? "+" : "−"}${line.sum}`, line.sign > 0 ? "in" : "", `${line.note} · ${at(line.at)}`),
  "No money has moved yet.");
}

export function drawPayouts(payouts) {
  const names = Object.fromEntries(B2C_SCRIPTS);
  list("#payouts", payouts, LISTED, (payout) => {
    const outcome = payout.settled?.outcome;
    const paid = payout.settled?.chargeCents > 0 || ["complete", "timeout", "silent"].includes(outcome);
    return row(outcome ? names[outcome] : "waiting", kes(payout.amount), outcome ? (paid ? "in" : "bad") : "",
      `${spaced(payout.msisdn)} · ${payout.originatorConversationId} · ${at(payout.requestedAt)}`);
  }, "No payouts yet.");
}

// The actions on a card payment in each of its states.
const ACTIONS = {
  abandoned: [["pay", "Pay"], ["decline", "Decline"]],
  failed: [["pay", "Pay"]],
  ongoing: [["confirm", "Confirm"], ["reject", "Reject"]],
  success: [["dispute", "Dispute"]],
  reversed: [],
};

function cardActions(card) {
  const open = card.dispute && !card.dispute.resolution;
  if (open) return [["remind", "Remind"], ["resolve_won", "We win"], ["resolve_lost", "We lose"]];
  return card.dispute ? [] : ACTIONS[card.status];
}

export function drawCards(cards) {
  list("#cards", cards, LISTED, (card) => {
    const state = card.dispute ? `disputed, ${card.dispute.resolution ?? "open"}` : card.status;
    const kind = { success: "in", failed: "bad" }[card.status] ?? "";
    const item = row(state, cents(card.amountCents), kind, `${card.reference} · ${at(card.createdAt)}`);
    const buttons = cardActions(card).map(([action, textContent]) => {
      const button = el("button", { type: "button", textContent });
      button.setAttribute("aria-label", `${textContent} ${card.reference}`);
      // A conflict means that the payment has changed; the next event draws it.
      button.addEventListener("click", () => call("POST", `/cards/${encodeURIComponent(card.reference)}`, { action }).catch(() => {}));
      return button;
    });
    const page = el("a", { href: card.page, target: "_blank", rel: "noopener", textContent: "Page" });
    item.append(el("span", { className: "acts" }, page, ...buttons));
    return item;
  }, "No card payments yet.");
}

export function drawAirtime({ charges, consents }) {
  const active = consents.filter((consent) => consent.active).length;
  write($("#consents"), active === 1 ? "1 phone has consented" : `${active} phones have consented`);
  list("#airtime", charges, LISTED, (charge) =>
    row(charge.charged ? (charge.refunded ? "refunded" : "charged") : charge.outcome.replaceAll("_", " "), kes(charge.amount),
      charge.charged ? "in" : "bad", `${spaced(charge.msisdn)} · ${charge.offer} · ${at(charge.at)}`),
  "No charges yet.");
}

export function drawOutgoing(outgoing) {
  list("#outgoing", outgoing, LISTED, (request) => {
    const last = request.deliveries.at(-1);
    const tries = request.deliveries.length;
    const status = !last ? "waiting" : (last.status ?? "unreachable");
    const done = request.attemptsLeft === 0;
    return row(request.what, `${status}${tries > 1 ? ` × ${tries}` : ""}`, done && last?.status < 300 ? "in" : last ? "bad" : "",
      `${request.reference} · ${at(last?.at ?? request.dueAt)}`);
  }, "Nothing was posted yet.");
}

// Orders: outcomes of the next payments, faults of the next calls, the float, webhooks.

import { $, call, el, write } from "./dom.js";
import { AIRTIME_SCRIPTS, B2C_SCRIPTS, STK_SCRIPTS } from "./scripts.js";

const FLOWS = { stk: STK_SCRIPTS.filter(([value]) => value !== "no_mpesa"), b2c: B2C_SCRIPTS, airtime: AIRTIME_SCRIPTS };
const FLOW_NAMES = { stk: "payment", b2c: "payout", airtime: "airtime" };

// The calls of each provider, and how they can fail.
const SOFT = ["http500", "slow", "down"];
const FAULTS = {
  daraja: [["stkpush", "stkquery", "token", "b2c", "status", "reversal", "balance", "pull", "any"], [...SOFT, "spike", "unauthorized"]],
  paystack: [["initialize", "verify", "refund", "list", "any"], SOFT],
  carrier: [["charge", "activate", "refund", "token", "any"], SOFT],
  sms: [["send"], SOFT],
  mail: [["send"], ["refuse", "slow", "down"]],
  google: [["token", "discovery", "jwks", "userinfo", "any"], SOFT],
  facebook: [["token", "me", "any"], SOFT],
};

const fill = (select, choices) =>
  select.replaceChildren(...choices.map(([value, textContent]) => el("option", { value, textContent })));
const same = (values) => values.map((value) => [value, value]);

/** Sends a form's order and shows what is wrong with it. */
function onSubmit(selector, send) {
  $(selector).addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    try {
      await send(form.elements);
      write($(".error", form), "");
    } catch (error) {
      write($(".error", form), error.message);
    }
  });
}

export function startOrders() {
  const outcome = $("#order-outcome").elements;
  const fault = $("#order-fault").elements;
  const drawOutcomes = () => fill(outcome.outcome, FLOWS[outcome.flow.value]);
  const drawCalls = () => {
    const [calls, kinds] = FAULTS[fault.provider.value];
    fill(fault.call, same(calls));
    fill(fault.kind, same(kinds));
  };
  fill(fault.provider, same(Object.keys(FAULTS)));
  outcome.flow.addEventListener("change", drawOutcomes);
  fault.provider.addEventListener("change", drawCalls);
  drawOutcomes();
  drawCalls();
  onSubmit("#order-outcome", ({ flow, outcome, suffix, amount, count }) => call("PUT", "/outcomes", {
    [flow.value]: outcome.value,
    suffix: suffix.value.trim(),
    amount: amount.value ? Number(amount.value) : null,
    count: Number(count.value),
  }));
  onSubmit("#order-fault", ({ provider, call: name, kind, count }) => call("PUT", "/faults", {
    provider: provider.value, call: name.value, kind: kind.value, count: Number(count.value),
  }));
  onSubmit("#set-float", ({ utility }) => call("PUT", "/float", { utility: Number(utility.value) }));
  onSubmit("#webhooks", ({ copies, delay, fail }) => call("PATCH", "/settings", {
    webhookCopies: Number(copies.value), webhookDelayMs: Number(delay.value), refundsFail: fail.checked,
  }));
  $("#webhooks").addEventListener("change", (event) => event.currentTarget.requestSubmit());
}

/** Draws the orders that wait, with a button that clears them. */
export function drawOrders(outcomes, faults) {
  const waiting = [
    ...outcomes.map((order) => {
      const [flow, outcome] = Object.entries(order).find(([name]) => name in FLOWS);
      const where = [order.suffix && `…${order.suffix}`, order.amount && `KES ${order.amount}`].filter(Boolean).join(", ");
      return `${FLOW_NAMES[flow]} ${outcome}${where && ` (${where})`} × ${order.count}`;
    }),
    ...faults.map((fault) => `${fault.provider} ${fault.kind} on ${fault.call} × ${fault.count}`),
  ];
  $("#faults").hidden = waiting.length === 0;
  const clear = el("button", { type: "button", textContent: "Clear" });
  clear.addEventListener("click", () => Promise.all([call("DELETE", "/outcomes"), call("DELETE", "/faults")]));
  $("#faults").replaceChildren(el("span", { textContent: `Ordered: ${waiting.join(", ")}` }), clear);
}

export function drawSettings(settings) {
  const { copies, delay, fail } = $("#webhooks").elements;
  if (copies !== document.activeElement) copies.value = settings.webhookCopies;
  if (delay !== document.activeElement) delay.value = settings.webhookDelayMs;
  fail.checked = settings.refundsFail;
}

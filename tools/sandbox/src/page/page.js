// The page. It reads the state from the control API and draws it, again at every
// event of /control/changes. Its only state is the PIN being typed.

import { $, at, call, kes, list, row, spaced, write } from "./dom.js";
import { drawMails } from "./mailbox.js";
import { drawAirtime, drawBank, drawCards, drawOutgoing, drawPayouts } from "./money.js";
import { drawOrders, drawSettings, startOrders } from "./orders.js";
import { Phone } from "./phone.js";

const RESULTS = {
  paid: "paid", insufficient: "insufficient balance", above_maximum: "above the maximum",
  above_daily_limit: "above the day’s limit", repeated: "repeated", expired: "expired",
  below_minimum: "below the minimum", receiver_full: "receiver’s balance", busy: "M-Pesa busy", subscriber_locked: "another session",
  push_failed: "not prompted", not_permitted: "not permitted", credential_locked: "credential locked",
  cancelled: "cancelled", no_answer: "no answer", unreachable: "unreachable", wrong_pin: "wrong PIN",
};
const NETWORKS = { google: "Google", facebook: "Facebook" };
const LISTED = 8;
const PHONES = 24;

const phones = new Map();

function drawPhones(all) {
  // Only the handsets that were used last are shown, so that a load test does not fill the page. A
  // phone keeps its place while it is shown; a new one comes first.
  const handsets = all.toSorted((a, b) => b.usedAt.localeCompare(a.usedAt)).slice(0, PHONES);
  write($("#more"), all.length > PHONES ? `${all.length - PHONES} phones that were used longer ago are not shown.` : "");
  const seen = new Set(handsets.map((handset) => handset.msisdn));
  for (const [msisdn, phone] of phones) {
    if (!seen.has(msisdn)) {
      phone.root.remove();
      phones.delete(msisdn);
    }
  }
  for (const handset of handsets.toReversed()) {
    let phone = phones.get(handset.msisdn);
    if (!phone) {
      phone = new Phone(handset.msisdn);
      phones.set(handset.msisdn, phone);
      $("#phones").prepend(phone.root);
    }
    phone.draw(handset);
  }
  $("#empty").hidden = handsets.length > 0;
}

function callbackStatus(payment) {
  if (!payment.settled) return "open";
  if (payment.callbacksLeft > 0) return "callback pending";
  if (payment.deliveries.length === 0) return "no callback";
  return `callback ${payment.deliveries.map((delivery) => delivery.status ?? "failed").join(", ")}`;
}

function drawRequests(payments) {
  list("#requests", payments, LISTED, (payment) => {
    const outcome = payment.settled?.outcome;
    const kind = outcome === "paid" ? "in" : outcome ? "bad" : "";
    return row(outcome ? RESULTS[outcome] : "waiting", kes(payment.amount), kind,
      `${spaced(payment.msisdn)} · ${callbackStatus(payment)} · ${at(payment.requestedAt)}`);
  }, "No requests yet.");
}

function drawAccounts(accounts) {
  list("#accounts", accounts, LISTED, (account) => {
    const note = account.email && !account.emailVerified ? " · not verified" : "";
    return row(account.name, NETWORKS[account.provider], "", `${account.email ?? "no email address"}${note}`);
  }, "No accounts yet. You can also create one while you sign in.");
}

function drawPushes(pushes) {
  list("#pushes", pushes, LISTED, (pushed) => {
    const { title, body, url } = pushed.message;
    return row(title ?? String(pushed.message), at(pushed.at), "", [body, url, `browser ${pushed.browser}`].filter(Boolean).join(" · "));
  }, "Nothing has been pushed yet.");
}

let refreshing = false;
let stale = false;

/** Reads and draws the state, and repeats this after a change meanwhile. */
async function refresh() {
  if (refreshing) {
    stale = true;
    return;
  }
  refreshing = true;
  try {
    const paths = ["/handsets", "/mail?limit=100", "/accounts", "/bank?limit=100", "/payments", "/faults", "/settings",
      "/payouts", "/cards", "/airtime", "/outgoing", "/outcomes", "/push"];
    const [handsets, mails, accounts, bank, payments, faults, settings, payouts, cards, airtime, outgoing, outcomes, pushes] =
      await Promise.all(paths.map((path) => call("GET", path)));
    drawPhones(handsets);
    drawMails(mails, LISTED);
    drawAccounts(accounts);
    drawBank(bank);
    drawRequests(payments);
    drawPayouts(payouts);
    drawCards(cards);
    drawAirtime(airtime);
    drawOutgoing(outgoing);
    drawPushes(pushes);
    drawOrders(outcomes, faults);
    drawSettings(settings);
    $("#ask-me").checked = settings.askMe;
  } catch {
    connected(false);
  } finally {
    refreshing = false;
  }
  if (stale) {
    stale = false;
    refresh();
  }
}

function connected(yes) {
  $("#connection").classList.toggle("off", !yes);
  write($("#connection"), yes ? "Live" : "Not connected, trying again");
}

$("#ask-me").addEventListener("change", (event) => call("PATCH", "/settings", { askMe: event.target.checked }));

$("#add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const number = $("#number").value.trim();
  try {
    const path = `/handsets/${encodeURIComponent(number)}`;
    const stk = $("#ask-me").checked ? "manual" : "approve";
    // A known phone keeps its script.
    const handset = await call("GET", path).catch(() => call("PUT", path, { stk }));
    $("#number").value = "";
    write($("#add-error"), "");
    await refresh();
    phones.get(handset.msisdn)?.root.scrollIntoView({ block: "nearest" });
  } catch (error) {
    write($("#add-error"), error.message);
  }
});

$("#add-account").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const { provider, name, email, verified } = form.elements;
  const address = email.value.trim();
  // Without an address the key is the provider's id, here a random one.
  const key = address || `1${crypto.getRandomValues(new BigUint64Array(1))[0]}`.slice(0, 17);
  try {
    const path = `/accounts/${provider.value}/${encodeURIComponent(key)}`;
    await call("PUT", path, { name: name.value.trim(), email: address, emailVerified: verified.checked && address !== "" });
    form.reset();
    write($(".error", form), "");
  } catch (error) {
    write($(".error", form), error.message);
  }
});

startOrders();
const changes = new EventSource("/control/changes");
changes.addEventListener("open", () => connected(true));
changes.addEventListener("change", refresh);
changes.addEventListener("error", () => connected(false));
setInterval(() => phones.forEach((phone) => phone.tick()), 500);

// The people's page. It asks the control API how the world stands and draws
// that; the server says when to ask again (/control/changes). No state lives
// here but the digits being typed.

import { $, at, call, el, kes, list, money, row, spaced, write } from "./dom.js";
import { drawMails } from "./letters.js";
import { Phone } from "./phone.js";

const RESULTS = {
  paid: "paid", insufficient: "too little money", above_maximum: "above the maximum",
  above_daily_limit: "above the day’s limit", repeated: "repeated", expired: "expired",
  cancelled: "cancelled", no_answer: "no answer", unreachable: "unreachable", wrong_pin: "wrong PIN",
};
const NETWORKS = { google: "Google", facebook: "Facebook" };
const LISTED = 12;
const PHONES = 24;

const phones = new Map();

function drawPhones(all) {
  // The last used, so that a load test does not drown the page. A phone keeps
  // its place while it is shown; a new one comes first.
  const handsets = all.toSorted((a, b) => b.usedAt.localeCompare(a.usedAt)).slice(0, PHONES);
  write($("#more"), all.length > PHONES ? `${all.length - PHONES} phones that rang longer ago are not shown.` : "");
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

function drawBank({ received }) {
  write($("#total"), kes(received.amount));
  write($("#count"), received.count === 1 ? "received in 1 payment" : `received in ${money.format(received.count)} payments`);
  list("#book", received.entries, LISTED, (entry) =>
    row(entry.receipt, `+${kes(entry.amount)}`, "in", `${spaced(entry.msisdn)} · ${entry.account} · ${at(entry.at)}`),
  "Nothing has been paid in yet.");
}

function told(payment) {
  if (!payment.settled) return "open";
  if (payment.callbacksLeft > 0) return "callback on its way";
  if (payment.deliveries.length === 0) return "no callback";
  return `callback ${payment.deliveries.map((delivery) => delivery.status ?? "undelivered").join(", ")}`;
}

function drawRequests(payments) {
  list("#requests", payments, LISTED, (payment) => {
    const outcome = payment.settled?.outcome;
    const kind = outcome === "paid" ? "in" : outcome ? "bad" : "";
    return row(outcome ? RESULTS[outcome] : "waiting", kes(payment.amount), kind,
      `${spaced(payment.msisdn)} · ${told(payment)} · ${at(payment.requestedAt)}`);
  }, "Nobody has asked for money yet.");
}

function drawAccounts(accounts) {
  list("#accounts", accounts, LISTED, (account) => {
    const proof = account.email && !account.emailVerified ? " · not verified" : "";
    return row(account.name, NETWORKS[account.provider], "", `${account.email ?? "no email address"}${proof}`);
  }, "Nobody has an account yet. Sign in with one and it can be made on the way.");
}

function drawFaults(faults) {
  $("#faults").hidden = faults.length === 0;
  const words = faults.map((fault) => `${fault.provider} ${fault.kind} on ${fault.call} × ${fault.count}`).join(", ");
  const clear = el("button", { type: "button", textContent: "Clear" });
  clear.addEventListener("click", () => call("DELETE", "/faults"));
  $("#faults").replaceChildren(el("span", { textContent: `Ordered faults: ${words}` }), clear);
}

let looking = false;
let again = false;

/** Looks at the world; a change meanwhile makes it look once more. */
async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  try {
    const paths = ["/handsets", "/mail?limit=100", "/accounts", "/bank?limit=100", "/payments", "/faults", "/settings"];
    const [handsets, mails, accounts, bank, payments, faults, settings] =
      await Promise.all(paths.map((path) => call("GET", path)));
    drawPhones(handsets);
    drawMails(mails, LISTED);
    drawAccounts(accounts);
    drawBank(bank);
    drawRequests(payments);
    drawFaults(faults);
    $("#ask-me").checked = settings.askMe;
  } catch {
    connected(false);
  } finally {
    looking = false;
  }
  if (again) {
    again = false;
    look();
  }
}

function connected(yes) {
  $("#line").classList.toggle("off", !yes);
  write($("#line"), yes ? "Live" : "Not connected, trying again");
}

$("#ask-me").addEventListener("change", (event) => call("PATCH", "/settings", { askMe: event.target.checked }));

$("#add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const number = $("#number").value.trim();
  try {
    const path = `/handsets/${encodeURIComponent(number)}`;
    const stk = $("#ask-me").checked ? "manual" : "approve";
    // A phone that exists keeps its habits.
    const handset = await call("GET", path).catch(() => call("PUT", path, { stk }));
    $("#number").value = "";
    write($("#add-error"), "");
    await look();
    phones.get(handset.msisdn)?.root.scrollIntoView({ block: "nearest" });
  } catch (error) {
    write($("#add-error"), error.message);
  }
});

$("#add-account").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const { provider, name, email, verified } = form.elements;
  const own = email.value.trim();
  // Without an address the provider's id names it; any that is free will do.
  const key = own || `1${crypto.getRandomValues(new BigUint64Array(1))[0]}`.slice(0, 17);
  try {
    const path = `/accounts/${provider.value}/${encodeURIComponent(key)}`;
    await call("PUT", path, { name: name.value.trim(), email: own, emailVerified: verified.checked && own !== "" });
    form.reset();
    write($(".error", form), "");
  } catch (error) {
    write($(".error", form), error.message);
  }
});

const changes = new EventSource("/control/changes");
changes.addEventListener("open", () => connected(true));
changes.addEventListener("change", look);
changes.addEventListener("error", () => connected(false));
setInterval(() => phones.forEach((phone) => phone.tick()), 500);

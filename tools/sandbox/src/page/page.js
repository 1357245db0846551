// The people's page. It asks the control API how the world stands and draws
// that; the server says when to ask again (/control/changes). No state lives
// here but the digits being typed.

const HABITS = [
  ["approve", "pays"],
  ["manual", "asks me"],
  ["cancel", "declines (1032)"],
  ["wrong_pin", "mistypes the PIN (2001)"],
  ["insufficient", "has too little money (1)"],
  ["timeout", "never answers (1037)"],
  ["unreachable", "is switched off (1037)"],
  ["expired", "answers too late (1019)"],
  ["silent", "pays, callbacks are lost"],
  ["wrong_amount", "pays one shilling too much"],
];
const RESULTS = {
  paid: "paid", insufficient: "too little money", above_maximum: "above the maximum",
  above_daily_limit: "above the day’s limit", repeated: "repeated", expired: "expired",
  cancelled: "cancelled", no_answer: "no answer", unreachable: "unreachable", wrong_pin: "wrong PIN",
};
const LISTED = 12;
const PHONES = 24;

const $ = (selector, root = document) => root.querySelector(selector);
const money = new Intl.NumberFormat("en-GB");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Africa/Nairobi" });
const at = (time) => clock.format(new Date(time));
const kes = (amount) => `KES ${money.format(amount)}`;
const spaced = (msisdn) => `0${msisdn.slice(3, 6)} ${msisdn.slice(6, 9)} ${msisdn.slice(9)}`;

/** Puts text into an element only where it differs, so that nothing flickers. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes an element: el("li", { className: "x" }, "text", child). */
function el(name, props = {}, ...children) {
  const element = Object.assign(document.createElement(name), props);
  element.append(...children);
  return element;
}

async function call(method, path, body) {
  const reply = await fetch(`/control${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const value = await reply.json();
  if (!reply.ok) throw new Error(value.error);
  return value;
}

// ── A phone ────────────────────────────────────────────────────────────────

class Phone {
  constructor(msisdn) {
    this.msisdn = msisdn;
    this.path = `/handsets/${msisdn}`;
    this.pin = "";
    this.prompt = null;
    this.root = $("#phone").content.firstElementChild.cloneNode(true);
    this.root.setAttribute("aria-label", `Phone ${spaced(msisdn)}`);
    write($(".number", this.root), spaced(msisdn));
    this.buildPad();
    this.buildHabits();
    this.root.addEventListener("keydown", (event) => this.typed(event));
  }

  buildPad() {
    for (const key of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "⌫"]) {
      const button = el("button", { type: "button", textContent: key, hidden: key === "" });
      if (key === "⌫") button.setAttribute("aria-label", "Delete the last digit");
      button.addEventListener("click", () => this.press(key));
      $(".pad", this.root).append(key === "" ? el("span") : button);
    }
    $(".prompt", this.root).addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    $(".cancel", this.root).addEventListener("click", () => this.act({ action: "cancel" }));
  }

  buildHabits() {
    const select = $(".stk", this.root);
    for (const [value, text] of HABITS) select.append(el("option", { value, textContent: text }));
    $(".habits", this.root).addEventListener("change", () => this.saveHabits());
  }

  async saveHabits() {
    const number = (selector) => Number($(selector, this.root).value || 0);
    try {
      await call("PUT", this.path, {
        stk: $(".stk", this.root).value,
        b2c: this.handset.b2c,
        airtime: this.handset.airtime,
        sms: this.handset.sms,
        delayMs: number(".delay"),
        callbackDelayMs: number(".callback-delay"),
        callbacks: number(".callbacks"),
        disorder: $(".disorder", this.root).checked,
      });
      this.complain("");
    } catch (error) {
      this.complain(error.message);
    }
  }

  typed(event) {
    if (!this.prompt || event.target.matches("input, select, summary") || event.ctrlKey || event.metaKey) return;
    if (/^\d$/.test(event.key)) this.press(event.key);
    else if (event.key === "Backspace") this.press("⌫");
    else if (event.key === "Enter" && !event.target.matches("button")) this.send();
    else if (event.key === "Escape") this.act({ action: "cancel" });
    else return;
    event.preventDefault();
  }

  press(key) {
    // The first touch keeps the script from answering under the fingers.
    if (!this.prompt.manual) this.act({ action: "take" });
    this.pin = key === "⌫" ? this.pin.slice(0, -1) : (this.pin + key).slice(0, 4);
    this.drawPin();
  }

  send() {
    if (this.pin.length === 4) this.act({ action: "pin", pin: this.pin });
  }

  async act(action) {
    try {
      this.draw(await call("POST", `${this.path}/prompt`, action));
      this.complain("");
    } catch (error) {
      this.complain(error.message);
    }
  }

  complain(text) {
    write($(".habits .error", this.root), text);
  }

  draw(handset) {
    this.handset = handset;
    const { prompt } = handset;
    const rang = prompt && prompt.checkoutRequestId !== this.prompt?.checkoutRequestId;
    if (rang || !prompt) this.pin = "";
    this.prompt = prompt;
    this.root.classList.toggle("ringing", Boolean(prompt));
    $(".prompt", this.root).hidden = !prompt;
    if (prompt) write($(".words", this.root), `${prompt.text} Enter M-PESA PIN.`);
    if (rang) this.ring();
    this.drawPin();
    this.drawInbox(handset.inbox);
    this.drawHabits(handset);
    this.tick();
  }

  /** Comes to the front, unless somebody's fingers are on a phone. */
  ring() {
    write($("#say"), `${spaced(this.msisdn)}: ${this.prompt.text}`);
    const shelf = $("#phones");
    if (!shelf.contains(document.activeElement)) shelf.prepend(this.root);
  }

  drawPin() {
    $(".pin", this.root).setAttribute("aria-label", `PIN, ${this.pin.length} digits typed`);
    [...$(".pin", this.root).children].forEach((dot, index) => {
      dot.classList.toggle("on", index < this.pin.length);
    });
    $(".send", this.root).disabled = this.pin.length < 4;
  }

  drawInbox(inbox) {
    $(".quiet", this.root).hidden = inbox.length > 0;
    const newest = inbox[0] ? inbox[0].at + inbox[0].text : "";
    if (this.newest === newest) return;
    this.newest = newest;
    $(".inbox", this.root).replaceChildren(
      ...inbox.map((sms) => el("li", {}, el("b", {}, sms.from, el("time", { textContent: at(sms.at) })), sms.text)),
    );
  }

  drawHabits(handset) {
    const set = (selector, value) => {
      const field = $(selector, this.root);
      if (field !== document.activeElement) field.value = value;
    };
    set(".stk", handset.stk);
    set(".delay", handset.delayMs);
    set(".callback-delay", handset.callbackDelayMs);
    set(".callbacks", handset.callbacks);
    $(".disorder", this.root).checked = handset.disorder;
  }

  /** What changes by time alone. */
  tick() {
    write($(".bar time", this.root), at(Date.now()));
    if (!this.prompt) return;
    const left = Math.max(0, Math.ceil((new Date(this.prompt.dueAt) - Date.now()) / 1000));
    write($(".left", this.root), this.prompt.manual ? `Waiting for you: ${left} s` : `Answered by its script in ${left} s`);
  }
}

// ── The rest of the page ───────────────────────────────────────────────────

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

function row(what, sum, kind, note) {
  return el("li", {}, el("span", { className: "what", textContent: what }),
    el("span", { className: `sum ${kind}`, textContent: sum }), el("small", { textContent: note }));
}

function list(selector, rows, none) {
  $(selector).replaceChildren(...(rows.length ? rows : [el("li", { className: "none", textContent: none })]));
}

function drawBank({ received }) {
  write($("#total"), kes(received.amount));
  write($("#count"), received.count === 1 ? "received in 1 payment" : `received in ${money.format(received.count)} payments`);
  list("#book", received.entries.slice(0, LISTED).map((entry) =>
    row(entry.receipt, `+${kes(entry.amount)}`, "in", `${spaced(entry.msisdn)} · ${entry.account} · ${at(entry.at)}`)),
  "Nothing has been paid in yet.");
}

function told(payment) {
  if (!payment.settled) return "open";
  if (payment.callbacksLeft > 0) return "callback on its way";
  if (payment.deliveries.length === 0) return "no callback";
  return `callback ${payment.deliveries.map((delivery) => delivery.status ?? "undelivered").join(", ")}`;
}

function drawRequests(payments) {
  list("#requests", payments.slice(0, LISTED).map((payment) => {
    const outcome = payment.settled?.outcome;
    const kind = outcome === "paid" ? "in" : outcome ? "bad" : "";
    return row(outcome ? RESULTS[outcome] : "waiting", kes(payment.amount), kind,
      `${spaced(payment.msisdn)} · ${told(payment)} · ${at(payment.requestedAt)}`);
  }), "Nobody has asked for money yet.");
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
    const paths = ["/handsets", "/bank?limit=12", "/payments", "/faults", "/settings"];
    const [handsets, bank, payments, faults, settings] = await Promise.all(paths.map((path) => call("GET", path)));
    drawPhones(handsets);
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

const changes = new EventSource("/control/changes");
changes.addEventListener("open", () => connected(true));
changes.addEventListener("change", look);
changes.addEventListener("error", () => connected(false));
setInterval(() => phones.forEach((phone) => phone.tick()), 500);

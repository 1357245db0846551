// A phone: its screen, its PIN pad and the habits of its owner.

import { $, at, call, el, spaced, write } from "./dom.js";

const HABITS = [
  ["approve", "pays"],
  ["manual", "asks me"],
  ["cancel", "declines (1032)"],
  ["wrong_pin", "mistypes the PIN (2001)"],
  ["insufficient", "has too little money (1)"],
  ["timeout", "never answers (1037)"],
  ["unreachable", "is switched off (1037)"],
  ["no_mpesa", "has no M-Pesa (400.002.02)"],
  ["expired", "answers too late (1019)"],
  ["silent", "pays, callbacks are lost"],
  ["wrong_amount", "pays one shilling too much"],
];
const FATES = [
  ["delivered", "arrives (101)"],
  ["queued", "arrives from a queue (102)"],
  ["lost", "is accepted and lost (101)"],
  ["empty", "is not even listed"],
  ["risk_hold", "is held as a risk (401)"],
  ["invalid_sender", "has a bad sender (402)"],
  ["invalid_number", "has a bad number (403)"],
  ["unsupported", "has an unsupported number (404)"],
  ["no_balance", "cannot be paid for (405)"],
  ["blacklisted", "is unwanted (406)"],
  ["no_route", "finds no network (407)"],
  ["do_not_disturb", "must not disturb (409)"],
  ["failed", "breaks the provider (500)"],
  ["gateway_error", "breaks the gateway (501)"],
  ["rejected", "is rejected (502)"],
];

export class Phone {
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
    for (const [selector, choices] of [[".stk", HABITS], [".sms", FATES]]) {
      const options = choices.map(([value, text]) => el("option", { value, textContent: text }));
      $(selector, this.root).append(...options);
    }
    $(".habits", this.root).addEventListener("change", () => this.saveHabits());
  }

  async saveHabits() {
    const number = (selector) => Number($(selector, this.root).value || 0);
    try {
      await call("PUT", this.path, {
        stk: $(".stk", this.root).value,
        b2c: this.handset.b2c,
        airtime: this.handset.airtime,
        sms: $(".sms", this.root).value,
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
    set(".sms", handset.sms);
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

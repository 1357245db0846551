// A phone: its screen, its PIN pad and its script.

import { $, at, call, el, spaced, write } from "./dom.js";
import { AIRTIME_SCRIPTS, B2C_SCRIPTS, SMS_SCRIPTS, STK_SCRIPTS } from "./scripts.js";

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
    this.buildScript();
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

  buildScript() {
    for (const [selector, choices] of [[".stk", STK_SCRIPTS], [".b2c", B2C_SCRIPTS], [".airtime", AIRTIME_SCRIPTS], [".sms", SMS_SCRIPTS]]) {
      const options = choices.map(([value, text]) => el("option", { value, textContent: text }));
      $(selector, this.root).append(...options);
    }
    $(".script", this.root).addEventListener("change", () => this.saveScript());
  }

  async saveScript() {
    const number = (selector) => Number($(selector, this.root).value || 0);
    try {
      await call("PUT", this.path, {
        stk: $(".stk", this.root).value,
        b2c: $(".b2c", this.root).value,
        airtime: $(".airtime", this.root).value,
        sms: $(".sms", this.root).value,
        delayMs: number(".delay"),
        callbackDelayMs: number(".callback-delay"),
        callbacks: number(".callbacks"),
        disorder: $(".disorder", this.root).checked,
      });
      this.showError("");
    } catch (error) {
      this.showError(error.message);
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
    // The first key takes the prompt from its script.
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
      this.showError("");
    } catch (error) {
      this.showError(error.message);
    }
  }

  showError(text) {
    write($(".script .error", this.root), text);
  }

  draw(handset) {
    this.handset = handset;
    const { prompt } = handset;
    const isNew = prompt && prompt.checkoutRequestId !== this.prompt?.checkoutRequestId;
    if (isNew || !prompt) this.pin = "";
    this.prompt = prompt;
    this.root.classList.toggle("ringing", Boolean(prompt));
    $(".prompt", this.root).hidden = !prompt;
    if (prompt) write($(".prompt-text", this.root), `${prompt.text} Enter M-PESA PIN.`);
    if (isNew) this.announce();
    this.drawPin();
    this.drawInbox(handset.inbox);
    this.drawScript(handset);
    this.tick();
  }

  /** Announces the prompt and moves the phone first, unless a phone has the focus. */
  announce() {
    write($("#announcement"), `${spaced(this.msisdn)}: ${this.prompt.text}`);
    const phones = $("#phones");
    if (!phones.contains(document.activeElement)) phones.prepend(this.root);
  }

  drawPin() {
    $(".pin", this.root).setAttribute("aria-label", `PIN, ${this.pin.length} digits typed`);
    [...$(".pin", this.root).children].forEach((dot, index) => {
      dot.classList.toggle("on", index < this.pin.length);
    });
    $(".send", this.root).disabled = this.pin.length < 4;
  }

  drawInbox(inbox) {
    $(".no-messages", this.root).hidden = inbox.length > 0;
    const newest = inbox[0] ? inbox[0].at + inbox[0].text : "";
    if (this.newest === newest) return;
    this.newest = newest;
    $(".inbox", this.root).replaceChildren(
      ...inbox.map((sms) => el("li", {}, el("b", {}, sms.from, el("time", { textContent: at(sms.at) })), sms.text)),
    );
  }

  drawScript(handset) {
    const set = (selector, value) => {
      const field = $(selector, this.root);
      if (field !== document.activeElement) field.value = value;
    };
    set(".stk", handset.stk);
    set(".b2c", handset.b2c);
    set(".airtime", handset.airtime);
    set(".sms", handset.sms);
    set(".delay", handset.delayMs);
    set(".callback-delay", handset.callbackDelayMs);
    set(".callbacks", handset.callbacks);
    $(".disorder", this.root).checked = handset.disorder;
  }

  /** Draws the clock and the countdown. */
  tick() {
    write($(".bar time", this.root), at(Date.now()));
    if (!this.prompt) return;
    const left = Math.max(0, Math.ceil((new Date(this.prompt.dueAt) - Date.now()) / 1000));
    write($(".left", this.root), this.prompt.manual ? `Waiting for you: ${left} s` : `Answered by its script in ${left} s`);
  }
}

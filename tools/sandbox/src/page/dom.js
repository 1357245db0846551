// Elements, formats and the control API.

export const $ = (selector, root = document) => root.querySelector(selector);
export const money = new Intl.NumberFormat("en-GB");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Africa/Nairobi" });
export const at = (time) => clock.format(new Date(time));
export const kes = (amount) => `KES ${money.format(amount)}`;
export const spaced = (msisdn) => `0${msisdn.slice(3, 6)} ${msisdn.slice(6, 9)} ${msisdn.slice(9)}`;

/** Sets an element's text only where it differs, so that nothing flickers. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes an element: el("li", { className: "x" }, "text", child). */
export function el(name, props = {}, ...children) {
  const element = Object.assign(document.createElement(name), props);
  element.append(...children);
  return element;
}

export async function call(method, path, body) {
  const reply = await fetch(`/control${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const value = await reply.json();
  if (!reply.ok) throw new Error(value.error);
  return value;
}

export function row(title, sum, kind, note) {
  return el("li", {}, el("span", { className: "what", textContent: title }),
    el("span", { className: `sum ${kind}`, textContent: sum }), el("small", { textContent: note }));
}

/** Lists the first `limit` items and the number of the others. */
export function list(selector, items, limit, draw, none) {
  const rows = items.slice(0, limit).map(draw);
  const more = items.length - limit;
  if (more > 0) rows.push(el("li", { className: "none", textContent: `and ${money.format(more)} more` }));
  if (rows.length === 0) rows.push(el("li", { className: "none", textContent: none }));
  $(selector).replaceChildren(...rows);
}

// The mailbox, and the letter that is open.

import { $, at, el, list, write } from "./dom.js";

/** A text whose addresses can be followed. */
function linked(text) {
  // A full stop or a bracket behind an address belongs to the sentence.
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((part, index) =>
    index % 2 ? el("a", { href: part, target: "_blank", rel: "noopener", textContent: part }) : part);
}

function openLetter(mail) {
  write($("#letter-subject"), mail.subject || "(no subject)");
  write($("#letter-line"), `From ${mail.from} to ${mail.to}, ${at(mail.at)}`);
  const text = mail.text ?? (mail.html ? "" : "(empty)");
  $("#letter-text").replaceChildren(...linked(text.trim()));
  $("#letter-text").hidden = !text;
  const page = $("#letter-page");
  page.hidden = !mail.html;
  page.src = mail.html ? `/control/mail/${mail.id}/html` : "about:blank";
  $("#letter").showModal();
}

let newestMail = "";

export function drawMails(mails, most) {
  // Drawn anew only when there is news: somebody may be on a row.
  const newest = mails.map((mail) => mail.id + mail.to).join();
  if (newest === newestMail && newest) return;
  newestMail = newest;
  list("#mails", mails, most, (mail) => {
    const open = el("button", { type: "button" },
      el("span", { className: "what", textContent: mail.subject || "(no subject)" }),
      el("time", { className: "sum", textContent: at(mail.at) }),
      el("small", { textContent: `to ${mail.to}` }));
    open.addEventListener("click", () => openLetter(mail));
    return el("li", { className: "open" }, open);
  }, "No mail has been sent yet.");
}

$("#letter-close").addEventListener("click", () => $("#letter").close());
$("#letter").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});
$("#letter").addEventListener("close", () => {
  $("#letter-page").src = "about:blank";
});

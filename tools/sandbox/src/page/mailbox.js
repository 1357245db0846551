// The mailbox and the dialog of one message.

import { $, at, el, list, write } from "./dom.js";

/** Text with its URLs as links. */
function linked(text) {
  // Punctuation after a URL belongs to the sentence.
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((part, index) =>
    index % 2 ? el("a", { href: part, target: "_blank", rel: "noopener", textContent: part }) : part);
}

function openMessage(mail) {
  write($("#message-subject"), mail.subject || "(no subject)");
  write($("#message-line"), `From ${mail.from} to ${mail.to}, ${at(mail.at)}`);
  const text = mail.text ?? (mail.html ? "" : "(empty)");
  $("#message-text").replaceChildren(...linked(text.trim()));
  $("#message-text").hidden = !text;
  const page = $("#message-page");
  page.hidden = !mail.html;
  page.src = mail.html ? `/control/mail/${mail.id}/html` : "about:blank";
  $("#message").showModal();
}

let newestMail = "";

export function drawMails(mails, limit) {
  // The list is drawn again only when it changes, so that a focused row keeps its focus.
  const newest = mails.map((mail) => mail.id + mail.to).join();
  if (newest === newestMail && newest) return;
  newestMail = newest;
  list("#mails", mails, limit, (mail) => {
    const open = el("button", { type: "button" },
      el("span", { className: "what", textContent: mail.subject || "(no subject)" }),
      el("time", { className: "sum", textContent: at(mail.at) }),
      el("small", { textContent: `to ${mail.to}` }));
    open.addEventListener("click", () => openMessage(mail));
    return el("li", { className: "open" }, open);
  }, "No mail has been sent yet.");
}

$("#message-close").addEventListener("click", () => $("#message").close());
$("#message").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});
$("#message").addEventListener("close", () => {
  $("#message-page").src = "about:blank";
});

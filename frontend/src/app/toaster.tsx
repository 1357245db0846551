import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { type Id, ToastContainer, type ToastOptions, toast } from "react-toastify";
import "./toaster.css";

const MOST = 2;
const AUTO_CLOSE_MS = 5_000;

type Kind = "success" | "info" | "warning" | "error";

// A third toast takes the place of the oldest one: what happened just now is what the player waits to read.
const shown: Id[] = [];

function show(kind: Kind, message: string, options: ToastOptions): Id {
  while (shown.length >= MOST) toast.dismiss(shown.shift());
  const id = toast[kind](message, {
    ...options,
    onClose: () => {
      const place = shown.indexOf(id);
      if (place >= 0) shown.splice(place, 1);
    },
  });
  if (!shown.includes(id)) shown.push(id);
  return id;
}

/** Mounts the toasts beside the app, so that no navigation takes them away: top right, two at most, 5 s. */
export function mountToaster() {
  const host = document.createElement("div");
  document.body.append(host);
  // At once: a toast raised before the container stands would be lost.
  flushSync(() => {
    createRoot(host).render(
      <ToastContainer
        position="top-right"
        limit={MOST}
        autoClose={AUTO_CLOSE_MS}
        newestOnTop
        hideProgressBar
        pauseOnFocusLoss={false}
      />,
    );
  });
  return { show };
}

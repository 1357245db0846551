import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { ToastContainer, toast } from "react-toastify";
import type { Kind, Toaster } from "@/lib/toast";
import "./toaster.css";

const MOST = 2;
const AUTO_CLOSE_MS = 5_000;

/** One toast. Said again while the last is on its way out, the same words are another one. */
interface Word {
  readonly id: string;
  readonly kind: Kind;
  readonly message: string;
}

let said = 0;
/** Two at most, oldest first: each stands, or is about to where another is on its way out. */
let placed: readonly Word[] = [];

function hand({ id, kind, message }: Word): void {
  const onClose = () => {
    placed = placed.filter((each) => each.id !== id);
  };
  toast[kind](message, { toastId: id, onClose });
}

/**
 * Whose place a third one takes: the oldest's, because what happened just now is what the player waits to read. An
 * error leaves another one standing while there is anything else.
 */
function displacedBy(kind: Kind): Word | undefined {
  const lighter = kind === "error" ? placed.find((each) => each.kind !== "error") : undefined;
  return lighter ?? placed[0];
}

function replace(before: Word, next: Word): void {
  placed = [...placed.filter((each) => each !== before), next];
  if (toast.isActive(before.id)) {
    toast.dismiss(before.id);
    hand(next);
    return;
  }
  // It has not stood yet, and the container forgets who is about to only all at once.
  toast.clearWaitingQueue();
  for (const each of placed) if (!toast.isActive(each.id)) hand(each);
}

function show(kind: Kind, message: string): void {
  // What is said twice at once is shown once.
  if (placed.some((each) => each.kind === kind && each.message === message)) return;
  const next: Word = { id: `toast-${++said}`, kind, message };
  const before = placed.length < MOST ? undefined : displacedBy(kind);
  if (before) replace(before, next);
  else {
    placed = [...placed, next];
    hand(next);
  }
}

function clearErrors(): void {
  const errors = placed.filter(({ kind }) => kind === "error");
  if (errors.length === 0) return;
  placed = placed.filter(({ kind }) => kind !== "error");
  // One that has not stood yet is forgotten with all who wait, and those who stay are said again.
  toast.clearWaitingQueue();
  for (const { id } of errors) if (toast.isActive(id)) toast.dismiss(id);
  for (const each of placed) if (!toast.isActive(each.id)) hand(each);
}

/** Mounts the toasts beside the app, so that no navigation takes them away: top right, two at most, 5 s. */
export function mountToaster(): Toaster {
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
  return { show, clearErrors };
}

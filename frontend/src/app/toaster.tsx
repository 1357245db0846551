import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { ToastContainer, toast } from "react-toastify";
import type { Kind, Toaster } from "@/lib/toast";
import "./toaster.css";

const MOST = 2;
const AUTO_CLOSE_MS = 5_000;

/** One toast. The id distinguishes it from an equal message whose exit animation is still running. */
interface Word {
  readonly id: string;
  readonly kind: Kind;
  readonly message: string;
}

let said = 0;
/** At most two, oldest first. Each is visible, or queued until another one's exit animation ends. */
let placed: readonly Word[] = [];

function hand({ id, kind, message }: Word): void {
  const onClose = () => {
    placed = placed.filter((each) => each.id !== id);
  };
  toast[kind](message, { toastId: id, onClose });
}

/**
 * The toast that a third one replaces: the oldest, because the player waits for the newest message. An error replaces
 * another error only when there is no other toast.
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
  // It is still queued, and the library can only clear its whole queue.
  toast.clearWaitingQueue();
  for (const each of placed) if (!toast.isActive(each.id)) hand(each);
}

function show(kind: Kind, message: string): void {
  // Show a repeated message once.
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
  // Queued toasts can only be cleared all together, so the remaining ones are queued again.
  toast.clearWaitingQueue();
  for (const { id } of errors) if (toast.isActive(id)) toast.dismiss(id);
  for (const each of placed) if (!toast.isActive(each.id)) hand(each);
}

/** Mounts the toasts outside the app's root, so that navigation does not remove them: top right, at most two, 5 s. */
export function mountToaster(): Toaster {
  const host = document.createElement("div");
  document.body.append(host);
  // Rendered synchronously: a toast that is raised before the container exists would be lost.
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

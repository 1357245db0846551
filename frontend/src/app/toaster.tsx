import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { ToastContainer, toast } from "react-toastify";
import type { Toaster, ToastKind, ToastOptions } from "@/lib/toast";
import "./toaster.css";

const MAX_TOASTS = 2;
const AUTO_CLOSE_MS = 5_000;

/** One toast. The id distinguishes it from an equal message whose exit animation is still running. */
interface ToastItem {
  readonly id: string;
  readonly kind: ToastKind;
  readonly message: string;
  readonly options: ToastOptions;
}

let count = 0;
/** The toasts: at most two, oldest first. Each is visible, or queued until another one's exit animation ends. */
let current: readonly ToastItem[] = [];

function display({ id, kind, message, options: { closeAfterMs, onClick } }: ToastItem): void {
  const onClose = () => {
    current = current.filter((each) => each.id !== id);
  };
  const options = { toastId: id, onClose, ...(onClick ? { onClick } : {}) };
  if (closeAfterMs === undefined) {
    toast[kind](message, options);
    return;
  }
  // A timer closes the toast: the library's own timeout is the end of an animation, which reduced motion changes.
  toast[kind](message, {
    ...options,
    autoClose: false,
    onOpen: () => setTimeout(() => toast.dismiss(id), closeAfterMs),
  });
}

/**
 * The toast that a third one replaces: the oldest, because the player waits for the newest message. An error replaces
 * another error only when there is no other toast.
 */
function toastToReplace(kind: ToastKind): ToastItem | undefined {
  const nonError = kind === "error" ? current.find((each) => each.kind !== "error") : undefined;
  return nonError ?? current[0];
}

function replace(before: ToastItem, next: ToastItem): void {
  current = [...current.filter((each) => each !== before), next];
  if (toast.isActive(before.id)) {
    toast.dismiss(before.id);
    display(next);
    return;
  }
  // The replaced toast is still queued, and the library can only clear its whole queue.
  toast.clearWaitingQueue();
  for (const each of current) if (!toast.isActive(each.id)) display(each);
}

function show(kind: ToastKind, message: string, options: ToastOptions = {}): void {
  // Show a repeated message once.
  if (current.some((each) => each.kind === kind && each.message === message)) return;
  const next: ToastItem = { id: `toast-${++count}`, kind, message, options };
  const before = current.length < MAX_TOASTS ? undefined : toastToReplace(kind);
  if (before) replace(before, next);
  else {
    current = [...current, next];
    display(next);
  }
}

function clearErrors(): void {
  const errors = current.filter(({ kind }) => kind === "error");
  if (errors.length === 0) return;
  current = current.filter(({ kind }) => kind !== "error");
  // Queued toasts can only be cleared all together, so the remaining ones are queued again.
  toast.clearWaitingQueue();
  for (const { id } of errors) if (toast.isActive(id)) toast.dismiss(id);
  for (const each of current) if (!toast.isActive(each.id)) display(each);
}

/** Mounts the toasts outside the app's root, so that navigation does not remove them: top right, at most two, 5 s. */
export function mountToaster(): Toaster {
  const host = document.createElement("div");
  document.body.append(host);
  // Render synchronously: a toast that is raised before the container exists would be lost.
  flushSync(() => {
    createRoot(host).render(
      <ToastContainer
        position="top-right"
        limit={MAX_TOASTS}
        autoClose={AUTO_CLOSE_MS}
        newestOnTop
        hideProgressBar
        pauseOnFocusLoss={false}
      />,
    );
  });
  return { show, clearErrors };
}

import { tabStorage } from "@/lib/storage";

export type ToastKind = "success" | "info" | "warning" | "error";

export interface ToastOptions {
  readonly closeAfterMs?: number;
  /** Called when the toast is pressed, before it closes. */
  readonly onClick?: () => void;
}

export interface Toaster {
  show(kind: ToastKind, message: string, options?: ToastOptions): void;
  /** Removes the visible error toasts. */
  clearErrors(): void;
}

let toaster: Promise<Toaster> | null = null;
let load: (() => Promise<Toaster>) | null = null;

/** Sets the loader of the toast component. It runs with the first toast, since most first visits show none. */
export function provideToaster(loader: () => Promise<Toaster>): void {
  load = loader;
  toaster = null;
}

function show(...toast: Parameters<Toaster["show"]>): void {
  if (!load) return;
  toaster ??= load();
  toaster.then(
    (ready) => ready.show(...toast),
    // The toast code failed to load; the next toast requests it again.
    () => {
      toaster = null;
    },
  );
}

/** Removes earlier errors when an action is tried again, so that they do not stay beside its success. */
export function clearErrors(): void {
  toaster?.then((ready) => ready.clearErrors()).catch(() => {});
}

export const toast = {
  success: (message: string) => show("success", message),
  info: (message: string, ...options: [ToastOptions?]) => show("info", message, ...options),
  warning: (message: string) => show("warning", message),
  error: (message: string) => show("error", message),
};

/** The text of a failure for the player: the server's message where there is one. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const FLASH_KEY = "flash";

/** Stores a toast that is shown after the next reload. */
export function queueToastForReload(message: string, kind: ToastKind = "success"): void {
  tabStorage.setItem(FLASH_KEY, `${kind}:${message}`);
}

export function showQueuedToast(): void {
  const [, kind, message] = /^(\w+):(.*)$/s.exec(tabStorage.getItem(FLASH_KEY) ?? "") ?? [];
  tabStorage.removeItem(FLASH_KEY);
  if (kind && message && kind in toast) toast[kind as ToastKind](message);
}

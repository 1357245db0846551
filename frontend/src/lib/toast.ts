export type Kind = "success" | "info" | "warning" | "error";

export interface Toaster {
  show(kind: Kind, message: string): void;
  /** Takes away the errors that stand. */
  clearErrors(): void;
}

let toaster: Promise<Toaster> | null = null;
let load: (() => Promise<Toaster>) | null = null;

/** Where toasts come from. Loaded with the first toast, since most visits to a first page show none. */
export function provideToaster(loader: () => Promise<Toaster>): void {
  load = loader;
  toaster = null;
}

function show(kind: Kind, message: string): void {
  if (!load) return;
  toaster ??= load();
  toaster.then(
    (ready) => ready.show(kind, message),
    // Their code did not come over this line; the next word asks for it again.
    () => {
      toaster = null;
    },
  );
}

/** What is being tried again has not failed yet: the errors of the tries before would stand beside its success. */
export function clearErrors(): void {
  toaster?.then((ready) => ready.clearErrors()).catch(() => {});
}

export const toast = {
  success: (message: string) => show("success", message),
  info: (message: string) => show("info", message),
  warning: (message: string) => show("warning", message),
  error: (message: string) => show("error", message),
};

/** What a failure says to the player: the server's words where there are any. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const FLASH_KEY = "flash";

/** A word told after the reload that is about to happen. */
export function toastAfterReload(message: string, kind: Kind = "success"): void {
  sessionStorage.setItem(FLASH_KEY, `${kind}:${message}`);
}

export function tellWhatReloadLeft(): void {
  const [, kind, message] = /^(\w+):(.*)$/s.exec(sessionStorage.getItem(FLASH_KEY) ?? "") ?? [];
  sessionStorage.removeItem(FLASH_KEY);
  if (kind && message && kind in toast) toast[kind as Kind](message);
}

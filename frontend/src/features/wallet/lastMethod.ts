import { deviceStorage } from "@/lib/storage";

/** The code of the payment method that was chosen last on this phone. */
const STORAGE_KEY = "paymentMethod";

export function rememberMethod(code: string): void {
  deviceStorage.setItem(STORAGE_KEY, code);
}

/** The methods in the server's order, with the last used one first. */
export function lastUsedFirst<M extends { readonly code: string }>(methods: readonly M[]): readonly M[] {
  const last = lastMethod();
  return [...methods.filter(({ code }) => code === last), ...methods.filter(({ code }) => code !== last)];
}

export function lastMethod(): string | null {
  return deviceStorage.getItem(STORAGE_KEY);
}

import { deviceStorage } from "@/lib/storage";

/** The codes of the payment methods that were chosen on this phone, the last one first, separated by spaces. */
const STORAGE_KEY = "paymentMethod";

function usedMethods(): readonly string[] {
  return deviceStorage.getItem(STORAGE_KEY)?.split(" ") ?? [];
}

export function rememberMethod(code: string): void {
  deviceStorage.setItem(STORAGE_KEY, [code, ...usedMethods().filter((used) => used !== code)].join(" "));
}

export function lastMethod(): string | null {
  return usedMethods()[0] ?? null;
}

/** The methods that were used on this phone, the last used one first, then the others in the server's order. */
export function lastUsedFirst<M extends { readonly code: string }>(methods: readonly M[]): readonly M[] {
  const used = usedMethods().flatMap((last) => methods.filter(({ code }) => code === last));
  return [...used, ...methods.filter((method) => !used.includes(method))];
}

/** The method to begin with: the last used one of these, or the only one; null when the player has to choose. */
export function preferredMethod<M extends { readonly code: string }>(methods: readonly M[]): M | null {
  const [first = null, ...others] = lastUsedFirst(methods);
  const isUsed = first !== null && usedMethods().includes(first.code);
  return isUsed || others.length === 0 ? first : null;
}

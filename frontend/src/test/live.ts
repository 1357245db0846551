import type { PaymentWatch } from "@/lib/live/payments";

/**
 * The stream of one payment, told what to say. The files of a worker share their modules, so a test that takes it in
 * the place of `@/lib/live/payments` takes this one: `vi.mock(…, () => import("@/test/live"))`.
 */
export const live = {
  /** Who listened last. */
  watch: null as PaymentWatch | null,
  stopped: 0,
  asked: 0,
  /** How often the stream's code fails to come. */
  missing: 0,
};

export function silence(): void {
  Object.assign(live, { watch: null, stopped: 0, asked: 0, missing: 0 });
}

export function watchPayment(_paymentId: string, watch: PaymentWatch): () => void {
  live.asked += 1;
  if (live.missing-- > 0) throw new TypeError("Failed to fetch dynamically imported module");
  live.watch = watch;
  return () => {
    live.stopped += 1;
  };
}

import { reportVitals } from "@/lib/vitals";
import { registerServiceWorker } from "@/pwa/register";

/** Starts what takes bandwidth or work away from the first page, once that has loaded. */
export async function startAfterLoad(): Promise<void> {
  const registered = registerServiceWorker();
  reportVitals();
  await registered;
}

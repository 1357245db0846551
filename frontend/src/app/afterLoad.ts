import { loadTexts, t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { reportVitals } from "@/lib/vitals";
import { registerServiceWorker } from "@/pwa/register";

const PROBE = "probe";

/** Whether the browser stores values: its owner may have blocked that, or the storage is full. */
function storesValues(): boolean {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      storage.setItem(PROBE, PROBE);
      storage.removeItem(PROBE);
    }
    return true;
  } catch {
    return false;
  }
}

/** Starts what takes bandwidth or work away from the first page, once that has loaded. */
export async function startAfterLoad(): Promise<void> {
  const registered = registerServiceWorker();
  reportVitals();
  if (!storesValues()) {
    await loadTexts("app");
    toast.info(t("app.storageRefused"));
  }
  await registered;
}

import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";

/** Opens the share sheet with a referral code; without one, copies it; if that fails, shows the code in a toast. */
export async function share(code: string, url: string): Promise<void> {
  const text = t("invite.message", { code });
  // TypeScript's DOM types declare both as always present.
  const { share: sheet, clipboard } = navigator as Partial<Pick<Navigator, "share" | "clipboard">>;
  try {
    if (sheet) {
      await navigator.share({ title: t("invite.title"), text, url });
      return;
    }
    if (!clipboard) throw new DOMException("no clipboard", "NotAllowedError");
    await clipboard.writeText(`${text} ${url}`);
    toast.success(t("invite.copied"));
  } catch (cause) {
    // The player closed the share sheet.
    if (cause instanceof DOMException && cause.name === "AbortError") return;
    toast.info(t("invite.notCopied", { code }));
  }
}

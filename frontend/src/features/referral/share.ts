import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";

/** Hands a referral code to the phone's share sheet; where there is none, to the clipboard; else it is told. */
export async function share(code: string, url: string): Promise<void> {
  const text = t("invite.message", { code });
  // TypeScript believes that every browser has both of them.
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
    // The player closed the sheet: they know.
    if (cause instanceof DOMException && cause.name === "AbortError") return;
    toast.info(t("invite.notCopied", { code }));
  }
}

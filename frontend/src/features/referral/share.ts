import { t } from "@/lib/i18n/i18n";
import { share as shareText } from "@/lib/share";
import { toast } from "@/lib/toast";

/** Opens the share sheet with a referral code; without one, copies it; if that fails, shows the code in a toast. */
export async function share(code: string, url: string): Promise<void> {
  const done = await shareText({ title: t("invite.title"), text: t("invite.message", { code }), url });
  if (done === "copied") toast.success(t("invite.copied"));
  if (done === "failed") toast.info(t("invite.notCopied", { code }));
}

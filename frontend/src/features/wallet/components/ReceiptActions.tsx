import { Copy, Share2 } from "lucide-react";
import type { Transaction } from "@/features/wallet/api/requests";
import { receiptOf, titleOf } from "@/features/wallet/history";
import { formatDate, formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { share } from "@/lib/share";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import styles from "./Receipt.module.css";

/** The receipt as text, for a message to a friend or to support. */
function textOf(transaction: Transaction): string {
  const at = new Date(transaction.createdAt);
  const provider = receiptOf(transaction);
  return [
    `PlayOn · ${titleOf(transaction)} · ${formatKes(transaction.amount)}`,
    `${formatDate(at)}, ${formatTime(at)}`,
    provider ? `${t("receipt.provider")} ${provider}` : null,
    `${t("receipt.id")} ${transaction.id}`,
  ]
    .filter(Boolean)
    .join("\n");
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(t("receipt.copied"));
  } catch {
    // Without the permission the number can still be selected by hand.
    toast.info(text);
  }
}

async function shareReceipt(transaction: Transaction): Promise<void> {
  const text = textOf(transaction);
  const done = await share({ title: t("receipt.title"), text });
  if (done === "copied") toast.success(t("receipt.copied"));
  if (done === "failed") toast.info(text);
}

/** Copies the receipt's number, or shares the receipt. */
export function ReceiptActions({ transaction }: { readonly transaction: Transaction }) {
  const number = receiptOf(transaction) ?? transaction.id;
  return (
    <div className={styles.actions}>
      <Button variant="plain" icon={<Copy size={18} aria-hidden="true" />} onClick={() => void copy(number)}>
        {t("receipt.copy")}
      </Button>
      <Button
        variant="plain"
        icon={<Share2 size={18} aria-hidden="true" />}
        onClick={() => void shareReceipt(transaction)}
      >
        {t("receipt.share")}
      </Button>
    </div>
  );
}

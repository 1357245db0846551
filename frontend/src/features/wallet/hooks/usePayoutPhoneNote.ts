import { useQuery } from "@tanstack/react-query";
import { payoutPhonesQuery } from "@/features/wallet/api/queries";
import { isResting, isSamePhone, openingOf } from "@/features/wallet/payoutPhones";
import { t } from "@/lib/i18n/i18n";
import { subscriberOf } from "@/lib/phone";
import { useServerNowAfter } from "@/lib/useServerNow";

/**
 * Returns what a withdrawal to a typed number has to wait for: a code, or the time at which the phone opens. Undefined
 * for an open phone, for an incomplete number, and while the proven phones are not known.
 */
export function usePayoutPhoneNote(isWithdrawal: boolean): (typed: string) => string | undefined {
  const { data: phones } = useQuery({ ...payoutPhonesQuery, enabled: isWithdrawal });
  const now = useServerNowAfter((phones ?? []).map(({ opensAt }) => new Date(opensAt)));
  return (typed) => {
    if (!phones || subscriberOf(typed) === null) return undefined;
    const proven = phones.find(({ phone }) => isSamePhone(phone, typed));
    if (!proven) return t("payout.codeFirst");
    return isResting(proven, now) ? t("payout.opens", openingOf(proven)) : undefined;
  };
}

import { useQuery } from "@tanstack/react-query";
import { Smartphone } from "lucide-react";
import { useState } from "react";
import { paths } from "@/app/paths";
import { payoutPhonesQuery } from "@/features/wallet/api/queries";
import { isResting, isSamePhone, openingOf } from "@/features/wallet/payoutPhones";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { formatPhone } from "@/lib/phone";
import { usePlayer } from "@/lib/session/useSession";
import { useServerNowAfter } from "@/lib/useServerNow";
import { Button } from "@/ui/Button";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Row, Rows } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";
import { Tile } from "@/ui/Tile";

/** The name of the dialog in the navigation state. */
const ADD = "addPhone";
/** The name of the dialog that confirms the device. */
const DEVICE = "device";
const ConfirmDeviceDialog = lazyOverlay(
  async () => (await import("@/features/auth/components/ConfirmDeviceDialog")).ConfirmDeviceDialog,
);
const AddPhoneDialog = lazyOverlay(async () => (await import("@/app/dialogs/AddPhoneDialog")).AddPhoneDialog);

/** The phones that the player has confirmed for withdrawals, and a way to confirm another one. */
export function Component() {
  const player = usePlayer();
  const overlay = useOverlay();
  const [chosen, setChosen] = useState<string | null>(null);
  const query = useQuery(payoutPhonesQuery);
  const phones = query.data ?? [];
  const now = useServerNowAfter(phones.map(({ opensAt }) => new Date(opensAt)));
  const isListed = (typed: string) => phones.some(({ phone }) => isSamePhone(phone, typed));
  const own = player?.phone ?? "";
  // Forgets the number once the dialog is closed, so that the forward gesture reopens it for the next phone.
  if (overlay.current === undefined && chosen !== null) setChosen(null);
  // A phone that is confirmed needs no code.
  const choose = (typed: string) => (isListed(typed) ? overlay.hide() : setChosen(typed));
  return (
    <Screen
      title={t("payout.list")}
      back={paths.account}
      footer={
        <Button wide onClick={() => overlay.show(ADD)}>
          {t("payout.add")}
        </Button>
      }
    >
      <p>{t("payout.list.text")}</p>
      {query.isPending ? <Skeleton height={64} /> : null}
      {query.error && !query.data ? (
        <Failed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data?.length === 0 ? <p>{t("payout.list.none")}</p> : null}
      {phones.length > 0 ? (
        <Rows label={t("payout.list")}>
          {phones.map((phone) => (
            <Row
              key={phone.phone}
              icon={
                <Tile tone="mint">
                  <Smartphone size={22} strokeWidth={2.25} aria-hidden="true" />
                </Tile>
              }
              title={formatPhone(phone.phone)}
              detail={isResting(phone, now) ? t("payout.opens", openingOf(phone)) : t("payout.list.open")}
            />
          ))}
        </Rows>
      ) : null}
      {overlay.current === ADD && player ? (
        <AddPhoneDialog
          uid={player.uid}
          initial={isListed(own) ? "" : own}
          phone={chosen}
          onPhone={choose}
          onDevice={() => overlay.show(DEVICE)}
          onClose={overlay.hide}
        />
      ) : null}
      {overlay.current === DEVICE ? (
        <ConfirmDeviceDialog onClose={overlay.hide} onConfirmed={() => overlay.show(ADD)} />
      ) : null}
    </Screen>
  );
}

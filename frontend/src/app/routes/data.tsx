import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useRef } from "react";
import { paths } from "@/app/paths";
import { type CopyFormat, fetchDataCopy, requestDataCopy } from "@/features/privacy/api";
import { dataCopyQuery } from "@/features/privacy/queries";
import { serverNow } from "@/lib/clock";
import { formatMoment } from "@/lib/format";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { saveFile } from "@/lib/saveFile";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { DumaCard } from "@/ui/DumaCard";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";

/** The name of the dialog in the navigation state. */
const DEVICE = "device";

const ConfirmDeviceDialog = lazyOverlay(
  async () => (await import("@/features/auth/components/ConfirmDeviceDialog")).ConfirmDeviceDialog,
);

const icon = <Download size={20} strokeWidth={2.5} aria-hidden="true" />;

/** The player's copy of what PlayOn stores about them: asked for, collected, and downloaded for a day. */
export function Component() {
  const client = useQueryClient();
  const overlay = useOverlay();
  const query = useQuery(dataCopyQuery);
  const copy = query.data;
  // The call that waits for the device to be confirmed.
  const waiting = useRef<(() => void) | null>(null);
  const failed = (again: () => void) => (cause: Error) => {
    if (cause instanceof Fault && cause.code === "DEVICE_NOT_CONFIRMED") {
      waiting.current = again;
      overlay.show(DEVICE);
    } else toast.error(messageOf(cause));
  };
  const onConfirmed = () => {
    overlay.hide();
    waiting.current?.();
  };
  const request = useMutation({
    mutationFn: requestDataCopy,
    onSuccess: (state) => client.setQueryData(dataCopyQuery.queryKey, state),
    onError: (cause) => failed(() => request.mutate())(cause),
    meta: { quiet: true },
  });
  const download = useMutation({
    mutationFn: fetchDataCopy,
    onSuccess: (file, format: CopyFormat) => saveFile(file, `playon-data.${format}`),
    onError: (cause, format) => failed(() => download.mutate(format))(cause),
    meta: { quiet: true },
  });
  return (
    <Screen title={t("data.title")} back={paths.account}>
      <DumaCard world="dash" pose="wave">
        {t("data.line")}
      </DumaCard>
      <p>{t("data.text")}</p>
      {query.isPending ? <Skeleton height={56} /> : null}
      {query.error && !copy ? (
        <Failed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      ) : null}
      {copy?.state === "NONE" ? (
        <Button wide busy={request.isPending} onClick={() => request.mutate()}>
          {t("data.ask")}
        </Button>
      ) : null}
      {copy?.state === "COLLECTING" ? <p role="status">{t("data.collecting")}</p> : null}
      {copy?.state === "READY" && copy.expiresAt ? (
        <>
          <p role="status">
            {t("data.ready", { time: formatMoment(new Date(copy.expiresAt), new Date(serverNow())) })}
          </p>
          <Button wide icon={icon} busy={download.isPending} onClick={() => download.mutate("html")}>
            {t("data.page")}
          </Button>
          <Button
            wide
            variant="quiet"
            icon={icon}
            busy={download.isPending}
            onClick={() => download.mutate("json")}
          >
            {t("data.file")}
          </Button>
          <p>{t("data.care")}</p>
        </>
      ) : null}
      {overlay.current === DEVICE ? (
        <ConfirmDeviceDialog onClose={overlay.hide} onConfirmed={onConfirmed} />
      ) : null}
    </Screen>
  );
}

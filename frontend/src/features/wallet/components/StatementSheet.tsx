import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type FormEvent, useState } from "react";
import { fetchStatement, type StatementFormat, type StatementOrder } from "@/features/wallet/api/statement";
import { serverNow } from "@/lib/clock";
import { t } from "@/lib/i18n/i18n";
import { saveFile } from "@/lib/saveFile";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { RadioTiles } from "@/ui/RadioTiles";
import { TextField } from "@/ui/TextField";
import styles from "./StatementSheet.module.css";

const FORMATS = ["pdf", "csv"] as const satisfies readonly StatementFormat[];

/** A day in the phone's own time zone, as date fields write it. */
function dayOf(at: Date): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** The choice of the days and the format of a statement, which is then downloaded. */
export function StatementSheet({ onClose }: { readonly onClose: () => void }) {
  const [today] = useState(() => new Date(serverNow()));
  const [from, setFrom] = useState(() => dayOf(new Date(today.getFullYear(), today.getMonth(), 1)));
  const [to, setTo] = useState(() => dayOf(today));
  const [format, setFormat] = useState<StatementFormat>("pdf");
  const download = useMutation({
    mutationFn: fetchStatement,
    meta: { quiet: true },
    onSuccess: (file, order: StatementOrder) => {
      saveFile(file, `playon-${order.from}-${order.to}.${order.format}`);
    },
  });
  const isOrdered = from !== "" && to !== "" && from <= to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The sheet may be closed before the file is there: then nothing closes it again.
    if (isOrdered && !download.isPending) download.mutate({ from, to, format }, { onSuccess: onClose });
  };
  const reason = download.error ? messageOf(download.error) : undefined;
  return (
    <Dialog shape="sheet" title={t("statement.title")} description={t("statement.text")} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.days}>
          <TextField
            label={t("statement.from")}
            type="date"
            value={from}
            max={dayOf(today)}
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label={t("statement.to")}
            type="date"
            value={to}
            max={dayOf(today)}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <RadioTiles
          legend={t("statement.format")}
          labels={FORMATS.map((each) => [each, each.toUpperCase()])}
          chosen={format}
          onChoose={setFormat}
        />
        {isOrdered && !reason ? null : (
          <p className={styles.problem} role="alert">
            {isOrdered ? reason : t("statement.order")}
          </p>
        )}
        <Button
          type="submit"
          wide
          busy={download.isPending}
          aria-disabled={!isOrdered}
          icon={<Download size={20} strokeWidth={2.5} aria-hidden="true" />}
        >
          {t("statement.download")}
        </Button>
      </form>
    </Dialog>
  );
}

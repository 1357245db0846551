import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { TextField } from "@/ui/TextField";
import { type LimitOf, type Spending, setSpendingLimit } from "./api";
import { findSpending, LEAST_LIMIT, MOST_LIMIT, parseLimit } from "./model";
import { changeText, limitTitles } from "./names";
import { spendingQuery } from "./queries";
import styles from "./Spending.module.css";

interface LimitSheetProps {
  readonly of: LimitOf;
  readonly spending: Spending;
  readonly onClose: () => void;
}

/** The choice of one limit. A lower one holds at once, a higher one or none a day later. */
export function LimitSheet({ of, spending, onClose }: LimitSheetProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(spending.limit == null ? "" : String(spending.limit));
  const [isWrong, setWrong] = useState(false);
  const save = useMutation({
    mutationFn: (limit: number | null) => setSpendingLimit({ ...of, limit }),
    meta: { quiet: true },
    onSuccess: async (periods) => {
      const { queryKey } = spendingQuery;
      // An answer that was read before the change must not replace this one.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, periods);
      const change = findSpending(periods, of)?.change;
      toast.success(change ? changeText(change) : t("spending.saved"));
    },
  });
  const put = (limit: number | null) => {
    setWrong(false);
    // The sheet may be closed before the reply: then nothing closes it again.
    if (!save.isPending) save.mutate(limit, { onSuccess: onClose });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limit = parseLimit(typed);
    if (limit === null) setWrong(true);
    else put(limit);
  };
  const range = t("spending.range", { least: formatKes(LEAST_LIMIT), most: formatKes(MOST_LIMIT) });
  const problem = isWrong ? range : save.error ? messageOf(save.error) : undefined;
  return (
    <Dialog
      shape="sheet"
      title={limitTitles()[of.kind][of.period]}
      description={t("spending.rule")}
      onClose={onClose}
    >
      {spending.change ? <p>{changeText(spending.change)}</p> : null}
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={t("spending.amount")}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          error={problem}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" wide busy={save.isPending}>
          {t("spending.set")}
        </Button>
        {spending.limit == null ? null : (
          <Button wide variant="quiet" busy={save.isPending} onClick={() => put(null)}>
            {t("spending.remove")}
          </Button>
        )}
      </form>
    </Dialog>
  );
}

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { endSessions } from "@/app/forgetPush";
import { clearAndReload } from "@/app/layouts/useLogout";
import { startBreak } from "@/features/spending/api";
import { type BreakLength, breakNames, lengthsAfter } from "@/features/spending/breaks";
import { serverNow } from "@/lib/clock";
import { t } from "@/lib/i18n/i18n";
import { queueToastForReload } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { RadioTiles } from "@/ui/RadioTiles";
import { SheetFooter } from "@/ui/SheetFooter";

interface BreakSheetProps {
  /** The end of the break that the player is on. */
  readonly until: Date | null;
  readonly onClose: () => void;
}

/** The choice of a break, which is confirmed in a second step, because it cannot be ended early. */
export function BreakSheet({ until, onClose }: BreakSheetProps) {
  const [lengths] = useState(() => lengthsAfter(until, serverNow()));
  const [length, setLength] = useState<BreakLength>(lengths[0] ?? "FIVE_YEARS");
  const start = useMutation({
    mutationFn: async () => {
      const message = await endSessions(() => startBreak(length));
      clearAndReload(() => queueToastForReload(message));
    },
  });
  const [isSure, setSure] = useState(false);
  const names = breakNames();
  if (isSure) {
    const title = t("break.sure", { length: names[length] });
    return (
      <Dialog shape="sheet" title={title} description={t("break.sure.text")} onClose={onClose}>
        <SheetFooter>
          <Button variant="danger" wide busy={start.isPending} onClick={() => start.mutate()}>
            {t("break.start")}
          </Button>
          <Button variant="quiet" wide onClick={() => setSure(false)}>
            {t("ui.back")}
          </Button>
        </SheetFooter>
      </Dialog>
    );
  }
  return (
    <Dialog
      shape="sheet"
      title={until ? t("break.longer") : t("break.title")}
      description={t("break.text")}
      onClose={onClose}
    >
      <RadioTiles
        legend={t("break.length")}
        labels={lengths.map((each) => [each, names[each]])}
        chosen={length}
        onChoose={setLength}
      />
      <SheetFooter>
        <Button wide onClick={() => setSure(true)}>
          {t("break.next")}
        </Button>
      </SheetFooter>
    </Dialog>
  );
}

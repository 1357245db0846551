import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { t } from "@/lib/i18n/i18n";
import { Failed } from "@/ui/Failed";
import { RowSwitch } from "@/ui/RowSwitch";
import { Rows } from "@/ui/Rows";
import { Skeleton } from "@/ui/Skeleton";
import { type NotificationSettings as Settings, saveSettings, type Topic } from "./api";
import styles from "./Push.module.css";
import { settingsQuery } from "./queries";
import type { PushState } from "./subscription";
import { usePush } from "./usePush";

const TOPICS = [
  "MONEY",
  "BOOSTS",
  "TOURNAMENTS",
  "SUBSCRIPTIONS",
  "MENTIONS",
] as const satisfies readonly Topic[];
/** The default quiet hours when they are switched on. */
const NIGHT = { quietFrom: "22:00", quietUntil: "07:00" } as const;

const hintOf = (state: PushState) =>
  ({
    unsupported: t("push.unsupported"),
    blocked: t("push.blocked"),
    off: t("push.reason"),
    on: t("push.onHere"),
  })[state];

/** Saves each change at once. The screen shows it before the server has it, and the old state again after a failure. */
function useSettings() {
  const client = useQueryClient();
  const { queryKey } = settingsQuery;
  const query = useQuery(settingsQuery);
  const { mutate } = useMutation({
    mutationFn: saveSettings,
    // The calls run one after the other, so that the last change wins.
    scope: { id: "notification-settings" },
    onMutate: async (settings) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, settings);
    },
    onError: () => client.invalidateQueries({ queryKey }),
  });
  return { query, save: mutate };
}

interface PartProps {
  readonly settings: Settings;
  readonly save: (settings: Settings) => void;
}

function Kinds({ settings, save }: PartProps) {
  const titles = {
    MONEY: t("push.topic.money"),
    BOOSTS: t("push.topic.boosts"),
    TOURNAMENTS: t("push.topic.tournaments"),
    SUBSCRIPTIONS: t("push.topic.subscriptions"),
    MENTIONS: t("push.topic.mentions"),
  };
  const set = (topic: Topic, on: boolean) => {
    const others = settings.muted.filter((muted) => muted !== topic);
    save({ ...settings, muted: on ? others : [...others, topic] });
  };
  return (
    <Rows label={t("push.kinds")}>
      {TOPICS.map((topic) => (
        <RowSwitch
          key={topic}
          title={titles[topic]}
          isOn={!settings.muted.includes(topic)}
          onChange={(on) => set(topic, on)}
        />
      ))}
    </Rows>
  );
}

function QuietHours({ settings, save }: PartProps) {
  const { quietFrom, quietUntil } = settings;
  const isOn = quietFrom !== null && quietUntil !== null;
  const set = (change: Partial<Settings>) => {
    const next = { ...settings, ...change };
    // A cleared field and an empty stretch are not saved.
    if (next.quietFrom && next.quietUntil && next.quietFrom !== next.quietUntil) save(next);
  };
  const field = (label: string, value: string, change: (time: string) => Partial<Settings>) => (
    <label className={styles.time}>
      {label}
      <input type="time" required defaultValue={value} onChange={({ target }) => set(change(target.value))} />
    </label>
  );
  return (
    <>
      <Rows label={t("push.quiet")}>
        <RowSwitch
          title={t("push.quiet")}
          detail={t("push.quiet.hint")}
          isOn={isOn}
          onChange={(on) => save({ ...settings, ...(on ? NIGHT : { quietFrom: null, quietUntil: null }) })}
        />
      </Rows>
      {isOn ? (
        <div className={styles.times}>
          {field(t("push.quiet.from"), quietFrom, (time) => ({ quietFrom: time }))}
          {field(t("push.quiet.until"), quietUntil, (time) => ({ quietUntil: time }))}
        </div>
      ) : null}
    </>
  );
}

/** The settings of what is pushed to the player, when, and whether to this phone. */
export function NotificationSettings() {
  const push = usePush();
  const { query, save } = useSettings();
  return (
    <>
      <Rows label={t("push.title")}>
        <RowSwitch
          title={t("push.title")}
          detail={hintOf(push.state)}
          isOn={push.state === "on"}
          disabled={push.isChanging || push.state === "unsupported" || push.state === "blocked"}
          onChange={push.change}
        />
      </Rows>
      {query.data ? (
        <>
          <Kinds settings={query.data} save={save} />
          <QuietHours settings={query.data} save={save} />
          <p className={styles.hint}>{t("push.inbox")}</p>
        </>
      ) : query.error ? (
        <Failed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={280} />
      )}
    </>
  );
}

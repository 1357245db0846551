import type { ReactNode } from "react";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { messageOf } from "@/lib/toast";
import { Button } from "./Button";
import { Card, WorldCard } from "./Card";
import { Duma } from "./Duma";
import { Failed, Stale } from "./Failed";
import styles from "./Listing.module.css";
import { Stage } from "./Stage";
import type { World } from "./world";

/** The parts of a list's query that its states follow from. */
interface ListQuery<Item> {
  readonly data: readonly Item[] | undefined;
  readonly error: Error | null;
  readonly isSuccess: boolean;
  readonly isFetching: boolean;
  /** Unix time in ms. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

interface Empty {
  readonly title: string;
  readonly text?: string;
  /** The world of the stage that the character looks around on. */
  readonly world: World;
  /** Whether the stage reaches from edge to edge, and up behind the screen's title. */
  readonly wide?: boolean;
}

interface More {
  readonly label: string;
  readonly busy: boolean;
  readonly onLoad: () => void;
}

interface ListingProps<Item> {
  readonly query: ListQuery<Item>;
  /** Boxes in the shape of the content. */
  readonly skeleton: ReactNode;
  readonly empty: Empty;
  /**
   * Whether the list is one of several on its page: its empty and failed states then take as little room as its
   * content.
   */
  readonly compact?: boolean;
  /**
   * Whether content that could not be fetched again is marked as of an earlier time; false if the page says so already.
   */
  readonly stale?: boolean;
  /** Set while there are further pages. */
  readonly more?: More | undefined;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** The boxes of a list that is being fetched. */
export function Loading({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" aria-label={t("ui.loading")}>
      {children}
    </div>
  );
}

/** A fetched list in its states: skeleton, content, empty, failed, and more to load. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { query, skeleton, empty, compact = false, stale = true, more, children } = props;
  const error = useLastError(query);
  const fetchAgain = () => void query.refetch();
  if (!query.data && error && compact) {
    return (
      <Card className={styles.compact}>
        <p role="alert" className={styles.reason}>
          {messageOf(error)}
        </p>
        <Button variant="quiet" busy={query.isFetching} onClick={fetchAgain}>
          {t("ui.retry")}
        </Button>
      </Card>
    );
  }
  if (!query.data && error) {
    return (
      <div className={styles.failed}>
        <Duma pose="sulk" size={160} />
        <Failed error={error} busy={query.isFetching} onRetry={fetchAgain} />
      </div>
    );
  }
  if (!query.data) return <Loading>{skeleton}</Loading>;
  return (
    <>
      {stale ? <Stale error={error} at={query.dataUpdatedAt} /> : null}
      {query.data.length > 0 ? (
        children(query.data)
      ) : compact ? (
        <CompactEmpty {...empty} />
      ) : (
        <Stage
          pose="look"
          {...empty}
          action={
            <Button variant="quiet" busy={query.isFetching} onClick={fetchAgain}>
              {t("ui.refresh")}
            </Button>
          }
        />
      )}
      {more ? (
        <div className={styles.more}>
          <Button variant="quiet" busy={more.busy} onClick={more.onLoad}>
            {more.label}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function CompactEmpty({ title, text, world }: Empty) {
  return (
    <WorldCard world={world} className={styles.compact}>
      <Duma pose="look" size={72} />
      <p>
        <strong className={styles.title}>{title}</strong>
        {text}
      </p>
    </WorldCard>
  );
}

interface StepsProps {
  readonly className?: string | undefined;
  readonly label?: string;
  readonly children: ReactNode;
}

/** A list whose first six items appear one after another, 40 ms apart. */
export function Steps({ className = "", label, children }: StepsProps) {
  return (
    <ul className={`${styles.steps} ${className}`} aria-label={label}>
      {children}
    </ul>
  );
}

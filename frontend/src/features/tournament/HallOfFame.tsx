import { useQuery } from "@tanstack/react-query";
import type { PublicPlayer } from "@/entities/player/api";
import { formatDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Avatar } from "@/ui/Avatar";
import { WorldCard } from "@/ui/Card";
import { Kiondo } from "@/ui/Kiondo";
import { Listing, Steps } from "@/ui/Listing";
import { knownWorld, worldOf } from "@/ui/world";
import type { FameEntry } from "./api";
import styles from "./HallOfFame.module.css";
import { fameQuery, membersQuery } from "./queries";

type Members = ReadonlyMap<string, PublicPlayer>;

interface EntryProps {
  readonly entry: FameEntry;
  readonly members: Members;
}

const nameOf = (member: PublicPlayer | undefined) => member?.username ?? member?.name ?? null;

/** The members' names in one line, as the language joins them. Unknown members are left out. */
function namesOf({ members: ids }: FameEntry, members: Members): string {
  return ids.flatMap((id) => nameOf(members.get(id)) ?? []).join(" · ");
}

function Faces({ entry, members, size }: EntryProps & { readonly size: number }) {
  return (
    <span className={styles.faces}>
      {entry.members.map((id) => (
        <span key={id} className={styles.face}>
          <Avatar src={members.get(id)?.profilePic ?? null} name={nameOf(members.get(id))} size={size} />
        </span>
      ))}
    </span>
  );
}

/** The newest champions, on the weave: the first in the middle with the crown. */
function Newest({ entry, members }: EntryProps) {
  const [first, ...others] = entry.members;
  const half = Math.ceil(others.length / 2);
  const row = [...others.slice(0, half).reverse(), ...(first ? [first] : []), ...others.slice(half)];
  return (
    <article className={styles.newest}>
      <Kiondo plain="middle" />
      <div className={styles.heroes}>
        {row.map((id) => (
          <span key={id} className={`${styles.hero} ${id === first ? styles.champion : ""}`}>
            {id === first ? (
              <svg className={styles.crown} viewBox="0 0 32 24" width="36" height="27" aria-hidden="true">
                <path d="M3 6.5 9.6 11 16 2l6.4 9L29 6.5 26 20H6Z" />
              </svg>
            ) : null}
            <Avatar
              src={members.get(id)?.profilePic ?? null}
              name={nameOf(members.get(id))}
              size={id === first ? 92 : 68}
            />
          </span>
        ))}
      </div>
      <h2 className={styles.newestTitle}>{entry.title}</h2>
      <p className={styles.text}>{entry.description}</p>
      <p className={styles.names}>{namesOf(entry, members)}</p>
      <p className={styles.date}>{formatDate(entry.createdAt)}</p>
    </article>
  );
}

function Entry({ entry, members }: EntryProps) {
  const world = knownWorld(entry.title) ?? knownWorld(entry.description) ?? worldOf(entry.id);
  return (
    <WorldCard world={world} className={styles.entry}>
      <h2 className={styles.title}>{entry.title}</h2>
      <p className={styles.text}>{entry.description}</p>
      <div className={styles.who}>
        <Faces entry={entry} members={members} size={36} />
        <span className={styles.names}>{namesOf(entry, members)}</span>
      </div>
      <p className={styles.date}>{formatDate(entry.createdAt)}</p>
    </WorldCard>
  );
}

function FameSkeleton() {
  return (
    <div className={styles.hall}>
      <div className={`${styles.newest} ${styles.box}`} />
      {(["ajua", "dash"] as const).map((world) => (
        <WorldCard key={world} world={world} className={`${styles.entry} ${styles.small}`}>
          {null}
        </WorldCard>
      ))}
    </div>
  );
}

/** The winners of past tournaments, newest first, with all members by one call. */
export function HallOfFame() {
  const fame = useQuery(fameQuery);
  const ids = [...new Set((fame.data ?? []).flatMap(({ members }) => members))];
  const { data = [] } = useQuery(membersQuery(ids));
  const members = new Map(data.map((member) => [member.id, member]));
  return (
    <Listing
      query={fame}
      skeleton={<FameSkeleton />}
      empty={{ title: t("fame.empty"), world: "dash", wide: true }}
    >
      {([newest, ...others]) => (
        <div className={styles.hall}>
          {newest ? <Newest entry={newest} members={members} /> : null}
          {others.length > 0 ? (
            <Steps className={styles.others}>
              {others.map((entry) => (
                <li key={entry.id}>
                  <Entry entry={entry} members={members} />
                </li>
              ))}
            </Steps>
          ) : null}
        </div>
      )}
    </Listing>
  );
}

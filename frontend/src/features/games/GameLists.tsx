import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { GameTile, GameTileSkeleton, SmallGameTile } from "@/entities/game/GameTile";
import { gamesQuery, recentGamesQuery } from "@/entities/game/queries";
import { t } from "@/lib/i18n/i18n";
import { Listing, Steps } from "@/ui/Listing";
import styles from "./GameLists.module.css";

/** The path of a game's details. */
type LinkOf = (id: string) => string;

const RECENT_SHOWN = 6;
const OTHERS_SHOWN = 4;

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Section({ id, title, action, children }: SectionProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function FeaturedRow() {
  return (
    <div className={styles.row}>
      <GameTileSkeleton world="ajua" />
      <GameTileSkeleton world="dash" />
    </div>
  );
}

function RecentRow() {
  return (
    <div className={styles.recent}>
      <GameTileSkeleton small world="dash" />
      <GameTileSkeleton small world="ajua" />
      <GameTileSkeleton small world="maneno" />
    </div>
  );
}

/** The section before its code and its data have loaded. */
export function RecentGamesSkeleton() {
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{t("home.recent")}</h2>
      </div>
      <RecentRow />
    </section>
  );
}

/** The section before its code and its data have loaded. */
export function FeaturedGamesSkeleton() {
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{t("home.featured")}</h2>
      </div>
      <FeaturedRow />
    </section>
  );
}

interface FeaturedGamesProps {
  readonly linkOf: LinkOf;
  /** The link to all games. */
  readonly all: ReactNode;
}

/** The featured games as a row of their art; while none is featured, all of them. */
export function FeaturedGames({ linkOf, all }: FeaturedGamesProps) {
  const games = useQuery(gamesQuery);
  return (
    <Section id="featured" title={t("home.featured")} action={games.data?.length ? all : null}>
      <Listing
        query={games}
        skeleton={<FeaturedRow />}
        empty={{ title: t("ui.empty"), text: t("home.games.empty"), world: "ajua" }}
      >
        {(list) => {
          const featured = list.filter((game) => game.featured);
          return (
            <Steps className={styles.row}>
              {(featured.length > 0 ? featured : list).map((game) => (
                <li key={game.id}>
                  <GameTile game={game} to={linkOf(game.id)} list="featured" action={t("games.play")} />
                </li>
              ))}
            </Steps>
          );
        }}
      </Listing>
    </Section>
  );
}

/** The games that the player played last. */
export function RecentGames({ linkOf }: { readonly linkOf: LinkOf }) {
  const games = useQuery(recentGamesQuery);
  return (
    <Section id="recent" title={t("home.recent")}>
      <Listing
        compact
        query={games}
        skeleton={<RecentRow />}
        empty={{ title: t("ui.empty"), text: t("home.recent.empty"), world: "maneno" }}
      >
        {(list) => (
          <Steps className={styles.recent}>
            {list.slice(0, RECENT_SHOWN).map((game) => (
              <li key={game.id}>
                <SmallGameTile game={game} to={linkOf(game.id)} list="recent" />
              </li>
            ))}
          </Steps>
        )}
      </Listing>
    </Section>
  );
}

interface OtherGamesProps {
  readonly linkOf: LinkOf;
  /** The game that is shown already. */
  readonly id: string;
}

/** The other games of the catalogue. Renders nothing without one, or while the catalogue has not loaded. */
export function OtherGames({ linkOf, id }: OtherGamesProps) {
  const { data = [] } = useQuery(gamesQuery);
  const others = data.filter((game) => game.id !== id).slice(0, OTHERS_SHOWN);
  if (others.length === 0) return null;
  return (
    <Section id="others" title={t("game.others")}>
      <ul className={styles.others}>
        {others.map((game) => (
          <li key={game.id}>
            <SmallGameTile game={game} to={linkOf(game.id)} list="others" />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** All games as cards of their art, in the server's order, which is featured first. */
export function AllGames({ linkOf }: { readonly linkOf: LinkOf }) {
  const games = useQuery(gamesQuery);
  return (
    <Listing
      query={games}
      skeleton={
        <div className={styles.cards}>
          <GameTileSkeleton world="ajua" />
          <GameTileSkeleton world="dash" />
          <GameTileSkeleton world="maneno" />
        </div>
      }
      empty={{ title: t("ui.empty"), text: t("home.games.empty"), world: "ajua" }}
    >
      {(list) => (
        <Steps className={styles.cards} label={t("games.title")}>
          {list.map((game) => (
            <li key={game.id}>
              <GameTile game={game} to={linkOf(game.id)} list="all" action={t("games.play")} />
            </li>
          ))}
        </Steps>
      )}
    </Listing>
  );
}

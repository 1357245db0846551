import { useQuery } from "@tanstack/react-query";
import { GameTile, GameTileSkeleton } from "@/entities/game/GameTile";
import { gamesQuery } from "@/entities/game/queries";
import { t } from "@/lib/i18n/i18n";
import { Listing, Steps } from "@/ui/Listing";
import styles from "./GameLists.module.css";

function GameSkeleton() {
  return (
    <div className={styles.cards}>
      <GameTileSkeleton world="ajua" />
      <GameTileSkeleton world="dash" />
    </div>
  );
}

/** The section before its code and its data are there. */
export function FeaturedGamesSkeleton() {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t("home.featured")}</h2>
      <GameSkeleton />
    </section>
  );
}

/** All games as cards of their art, in the server's order, which is featured first. */
export function FeaturedGames() {
  const games = useQuery(gamesQuery);
  return (
    <section className={styles.section} aria-labelledby="featured">
      <h2 id="featured" className={styles.heading}>
        {t("home.featured")}
      </h2>
      <Listing
        query={games}
        skeleton={<GameSkeleton />}
        empty={{ title: t("ui.empty"), text: t("home.games.empty"), world: "ajua" }}
      >
        {(list) => (
          <Steps className={styles.cards}>
            {list.map((game) => (
              <li key={game.id}>
                <GameTile game={game} />
              </li>
            ))}
          </Steps>
        )}
      </Listing>
    </section>
  );
}

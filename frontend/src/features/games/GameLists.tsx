import "@/ui/worlds.css";
import { useQuery } from "@tanstack/react-query";
import type { Game } from "@/entities/game/api";
import { GameArt } from "@/entities/game/GameArt";
import { gamesQuery } from "@/entities/game/queries";
import { t } from "@/lib/i18n/i18n";
import { Listing, Steps } from "@/ui/Listing";
import { worldOf } from "@/ui/world";
import styles from "./GameLists.module.css";

function GameCard({ game }: { readonly game: Game }) {
  return (
    <li className={`${styles.card} w-${worldOf(game.name)}`}>
      <GameArt game={game} />
      <h3 className={styles.name}>{game.name}</h3>
      <p className={styles.description}>{game.description}</p>
    </li>
  );
}

/** The cards' own boxes, still and in the worlds' tones. */
function GameSkeleton() {
  return (
    <div className={styles.cards}>
      <span className={`${styles.card} ${styles.box} w-ajua`} />
      <span className={`${styles.card} ${styles.box} w-dash`} />
    </div>
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
              <GameCard key={game.id} game={game} />
            ))}
          </Steps>
        )}
      </Listing>
    </section>
  );
}

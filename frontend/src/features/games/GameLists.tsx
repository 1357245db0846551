import { useQuery } from "@tanstack/react-query";
import { GameArt } from "@/features/games/GameArt";
import { gamesQuery } from "@/features/games/queries";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Button } from "@/ui/Button";
import { EmptyBoard } from "@/ui/EmptyArt";
import { Failed, Stale } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./GameLists.module.css";

/** All games as large cards in the server's order, which is featured first. */
export function FeaturedGames() {
  const games = useQuery(gamesQuery);
  const error = useLastError(games);
  const retry = () => void games.refetch();
  return (
    <section className={styles.section} aria-labelledby="featured">
      <h2 id="featured" className={styles.heading}>
        {t("home.featured")}
      </h2>
      {games.data ? <Stale error={error} at={games.dataUpdatedAt} /> : null}
      {error && !games.data ? (
        <Failed error={error} busy={games.isFetching} onRetry={retry} />
      ) : !games.data ? (
        <div className={styles.cards} role="status" aria-label={t("ui.loading")}>
          <Skeleton height={280} radius={20} />
          <Skeleton height={280} radius={20} />
        </div>
      ) : games.data.length === 0 ? (
        <Notice
          art={<EmptyBoard />}
          title={t("ui.empty")}
          text={t("home.games.empty")}
          action={
            <Button variant="quiet" busy={games.isFetching} onClick={retry}>
              {t("ui.refresh")}
            </Button>
          }
        />
      ) : (
        <ul className={styles.cards}>
          {games.data.map((game) => (
            <li key={game.id} className={styles.card}>
              <GameArt game={game} />
              <div className={styles.words}>
                <h3 className={styles.name}>{game.name}</h3>
                <p className={styles.description}>{game.description}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { useQuery } from "@tanstack/react-query";
import { fetchGames } from "@/features/games/api";
import { GameArt } from "@/features/games/GameArt";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { EmptyBoard } from "@/ui/EmptyArt";
import { Failed, Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./GameLists.module.css";

/** All games as large cards in the server's order, which is featured first. */
export function FeaturedGames() {
  const games = useQuery({ queryKey: ["games", "list"], queryFn: fetchGames, staleTime: 300_000 });
  return (
    <section className={styles.section} aria-labelledby="featured">
      <h2 id="featured" className={styles.heading}>
        {t("home.featured")}
      </h2>
      {games.isPending ? (
        <div className={styles.cards} role="status" aria-label={t("ui.loading")}>
          <Skeleton height={280} radius={20} />
          <Skeleton height={280} radius={20} />
        </div>
      ) : games.isError ? (
        <Failed reason={messageOf(games.error)} onRetry={() => void games.refetch()} />
      ) : games.data.length === 0 ? (
        <Notice
          art={<EmptyBoard />}
          title={t("ui.empty")}
          text={t("home.games.empty")}
          action={
            <Button variant="quiet" busy={games.isFetching} onClick={() => void games.refetch()}>
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

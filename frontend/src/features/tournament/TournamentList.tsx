import { useQuery } from "@tanstack/react-query";
import { Play, Timer, Trophy } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import type { Game } from "@/entities/game/api";
import type { Tournament } from "@/features/tournament/api";
import {
  liveOrNext,
  momentsOf,
  SHARED_ART,
  STAGES,
  type Stage,
  stageOf,
  timeLeftText,
  tournamentWorld,
} from "@/features/tournament/model";
import { tournamentsQuery } from "@/features/tournament/queries";
import { formatDate, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useServerNowAfter } from "@/lib/useServerNow";
import { LiveBadge } from "@/ui/Badge";
import { ButtonLink } from "@/ui/Button";
import { Card, WorldCard } from "@/ui/Card";
import { TickingText } from "@/ui/Countdown";
import { Link } from "@/ui/Link";
import { Listing, Steps } from "@/ui/Listing";
import { useSharedElement } from "@/ui/useSharedElement";
import { Players, Prize, TimeLeft } from "./Parts";
import { TournamentArt } from "./TournamentArt";
import styles from "./TournamentList.module.css";
import { useGames } from "./useGames";

/** The links of the cards. */
interface Links {
  readonly toGame: (tournament: Tournament) => string;
  readonly toBoard: (tournament: Tournament) => string;
}

interface CardProps extends Links {
  readonly tournament: Tournament;
  readonly games: readonly Game[] | undefined;
  /** The style of the art, when it moves to home's strip or from there. */
  readonly artStyle: CSSProperties | undefined;
  /** Whether the card is the first of its group, and has the screen's one mango button. */
  readonly isFirst: boolean;
}

const playIcon = <Play size={20} fill="currentColor" aria-hidden="true" />;

/** The name, which opens the board. */
function Name({ tournament, toBoard }: Pick<CardProps, "tournament" | "toBoard">) {
  return (
    <h3 className={styles.name}>
      <Link to={toBoard(tournament)} state={{ tournament }} className={styles.cardLink}>
        {tournament.name}
      </Link>
    </h3>
  );
}

function Ongoing({ tournament, games, artStyle, isFirst, toGame, toBoard }: CardProps) {
  return (
    <WorldCard world={tournamentWorld(tournament, games)} className={styles.ongoing}>
      <TournamentArt tournament={tournament} games={games} className={styles.art} style={artStyle} />
      <Name tournament={tournament} toBoard={toBoard} />
      <Prize tournament={tournament} />
      <div className={styles.foot}>
        <div className={styles.facts}>
          <TimeLeft tournament={tournament} stage="ongoing" />
          <Players count={tournament.players} />
        </div>
        <ButtonLink
          variant={isFirst ? "primary" : "paper"}
          icon={playIcon}
          to={toGame(tournament)}
          state={{ tournament }}
          aria-label={`${t("tournaments.play")}: ${tournament.name}`}
        >
          {t("tournaments.play")}
        </ButtonLink>
      </div>
    </WorldCard>
  );
}

/** The prize in one line. */
function PrizeLine({ tournament: { cash, firstAward } }: { readonly tournament: Tournament }) {
  const prize = cash !== null && cash > 0 ? formatKes(cash) : firstAward;
  if (!prize) return null;
  return (
    <p className={styles.meta}>
      <Trophy size={18} strokeWidth={2.25} className={styles.trophy} aria-hidden="true" />
      <span className={styles.line}>{prize}</span>
    </p>
  );
}

function RowCard({ expired = false, ...props }: CardProps & { expired?: boolean; children: ReactNode }) {
  return (
    <Card className={`${styles.row} ${expired ? styles.expired : ""}`}>
      <span className={styles.frame}>
        <TournamentArt
          tournament={props.tournament}
          games={props.games}
          className={styles.picture}
          style={props.artStyle}
        />
      </span>
      <div className={styles.words}>
        <Name tournament={props.tournament} toBoard={props.toBoard} />
        {props.children}
      </div>
    </Card>
  );
}

function Upcoming(props: CardProps) {
  const { starts } = props.tournament;
  return (
    <RowCard {...props}>
      <PrizeLine tournament={props.tournament} />
      <p className={`${styles.meta} ${styles.starts}`}>
        <Timer size={18} strokeWidth={2.25} aria-hidden="true" />
        <TickingText textAt={(now) => timeLeftText("upcoming", starts.getTime() - now)} />
      </p>
    </RowCard>
  );
}

function Expired(props: CardProps) {
  const { tournament, toBoard } = props;
  return (
    <RowCard {...props} artStyle={undefined} expired>
      <p className={`${styles.meta} ${styles.soft}`}>
        {t("tournaments.ended", { date: formatDate(tournament.ends) })}
      </p>
      <div className={styles.foot}>
        {tournament.settled ? <Players count={tournament.players} /> : <span>{t("board.settling")}</span>}
        <ButtonLink
          variant="quiet"
          to={toBoard(tournament)}
          state={{ tournament }}
          aria-label={`${t("tournaments.view")}: ${tournament.name}`}
        >
          {t("tournaments.view")}
        </ButtonLink>
      </div>
    </RowCard>
  );
}

const cards = { ongoing: Ongoing, upcoming: Upcoming, expired: Expired };

interface SectionProps extends Links {
  readonly stage: Stage;
  readonly tournaments: readonly Tournament[];
  readonly games: readonly Game[] | undefined;
  /** The tournament of home's strip, and the style of its art. */
  readonly shared: { readonly id: string | undefined; readonly style: CSSProperties | undefined };
}

function Section({ stage, tournaments, games, shared, ...links }: SectionProps) {
  const StageCard = cards[stage];
  return (
    <section className={styles.section} aria-labelledby={stage}>
      <div className={styles.head}>
        <h2 id={stage} className={styles.heading}>
          {t(`tournaments.${stage}`)}
        </h2>
        {stage === "ongoing" && tournaments.length > 0 ? (
          <LiveBadge>
            {tournaments.length} {t("tournaments.live")}
          </LiveBadge>
        ) : null}
      </div>
      {tournaments.length === 0 ? (
        <p className={styles.none}>{t(`tournaments.${stage}.empty`)}</p>
      ) : (
        <Steps className={styles.cards}>
          {tournaments.map((tournament, place) => (
            <li key={tournament.id}>
              <StageCard
                {...links}
                tournament={tournament}
                games={games}
                isFirst={place === 0}
                artStyle={tournament.id === shared.id ? shared.style : undefined}
              />
            </li>
          ))}
        </Steps>
      )}
    </section>
  );
}

/** The boxes of the cards, in the tones of their worlds. */
export function TournamentListSkeleton() {
  return (
    <div className={styles.section}>
      <div className={styles.head}>
        <span className={styles.heading}>{t("tournaments.ongoing")}</span>
      </div>
      <div className={styles.cards}>
        {(["dash", "maneno", "ajua"] as const).map((world) => (
          <WorldCard key={world} world={world} className={styles.box}>
            {null}
          </WorldCard>
        ))}
      </div>
    </div>
  );
}

/** The tournaments of a stage, in the order of relevance: by the next end or start, expired ones by the latest end. */
function groupOf(tournaments: readonly Tournament[], stage: Stage, now: Date): readonly Tournament[] {
  const time = stage === "upcoming" ? "starts" : "ends";
  const sign = stage === "expired" ? -1 : 1;
  return tournaments
    .filter((each) => stageOf(each, now) === stage)
    .sort((one, other) => sign * (one[time].getTime() - other[time].getTime()));
}

interface TournamentListProps extends Links {
  /** The path of home: the strip's art moves between it and this page. */
  readonly home: string;
}

/** All tournaments by stage, which follows from the server's clock: a card changes its group at its start and end. */
export function TournamentList({ home, ...links }: TournamentListProps) {
  const list = useQuery(tournamentsQuery);
  const games = useGames();
  const now = new Date(useServerNowAfter((list.data ?? []).flatMap(momentsOf)));
  const style = useSharedElement(SHARED_ART, home);
  const shared = { id: liveOrNext(list.data ?? [], now)?.id, style };
  return (
    <Listing
      query={list}
      skeleton={<TournamentListSkeleton />}
      empty={{ title: t("ui.empty"), text: t("tournaments.empty"), world: "dash" }}
    >
      {(tournaments) =>
        STAGES.map((stage) => (
          <Section
            key={stage}
            {...links}
            stage={stage}
            shared={shared}
            games={games}
            tournaments={groupOf(tournaments, stage, now)}
          />
        ))
      }
    </Listing>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Timer } from "lucide-react";
import type { CSSProperties } from "react";
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
import { formatDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useServerNow, useServerNowAfter } from "@/lib/useServerNow";
import { LiveBadge } from "@/ui/Badge";
import { Card, WorldCard } from "@/ui/Card";
import { Countdown } from "@/ui/Countdown";
import { Listing, Steps } from "@/ui/Listing";
import { useSharedElement } from "@/ui/useSharedElement";
import { WorldArt } from "@/ui/WorldArt";
import styles from "./TournamentList.module.css";

interface CardProps {
  readonly tournament: Tournament;
  /** The art's, when it moves to home's strip or from there. */
  readonly artStyle: CSSProperties | undefined;
}

function Ongoing({ tournament, artStyle }: CardProps) {
  return (
    <WorldCard world={tournamentWorld(tournament)} art artStyle={artStyle} className={styles.ongoing}>
      <h3 className={styles.name}>{tournament.name}</h3>
      <p className={styles.about}>{tournament.description}</p>
      <Countdown until={tournament.ends} label={(ms) => timeLeftText("ongoing", ms)} />
    </WorldCard>
  );
}

function StartsIn({ at }: { readonly at: Date }) {
  const left = at.getTime() - useServerNow();
  return (
    <p className={styles.starts}>
      <Timer size={18} strokeWidth={2.25} aria-hidden="true" />
      {timeLeftText("upcoming", left)}
    </p>
  );
}

function Upcoming({ tournament, artStyle }: CardProps) {
  return (
    <Card className={styles.row}>
      <WorldArt world={tournamentWorld(tournament)} className={styles.picture} style={artStyle} />
      <div className={styles.words}>
        <h3 className={styles.name}>{tournament.name}</h3>
        <p className={styles.description}>{tournament.description}</p>
        <StartsIn at={tournament.starts} />
      </div>
    </Card>
  );
}

function Expired({ tournament }: CardProps) {
  return (
    <Card className={`${styles.row} ${styles.expired}`}>
      <WorldArt world={tournamentWorld(tournament)} className={styles.picture} />
      <div className={styles.words}>
        <h3 className={styles.name}>{tournament.name}</h3>
        <p className={styles.description}>{t("tournaments.ended", { date: formatDate(tournament.ends) })}</p>
      </div>
    </Card>
  );
}

const cards = { ongoing: Ongoing, upcoming: Upcoming, expired: Expired };

interface SectionProps {
  readonly stage: Stage;
  readonly tournaments: readonly Tournament[];
  /** The tournament of home's strip, and the style of its art. */
  readonly shared: { readonly id: string | undefined; readonly style: CSSProperties | undefined };
}

function Section({ stage, tournaments, shared }: SectionProps) {
  if (tournaments.length === 0) return null;
  const StageCard = cards[stage];
  return (
    <section className={styles.section} aria-labelledby={stage}>
      <div className={styles.head}>
        <h2 id={stage} className={styles.heading}>
          {t(`tournaments.${stage}`)}
        </h2>
        {stage === "ongoing" ? (
          <LiveBadge>
            {tournaments.length} {t("tournaments.live")}
          </LiveBadge>
        ) : null}
      </div>
      <Steps className={styles.cards}>
        {tournaments.map((tournament) => (
          <li key={tournament.id}>
            <StageCard
              tournament={tournament}
              artStyle={tournament.id === shared.id ? shared.style : undefined}
            />
          </li>
        ))}
      </Steps>
    </section>
  );
}

/** A card's own box on its way, in its world's tones. */
function TournamentSkeleton() {
  return (
    <div className={styles.cards}>
      {(["dash", "maneno", "ajua"] as const).map((world) => (
        <WorldCard key={world} world={world} className={styles.box}>
          {null}
        </WorldCard>
      ))}
    </div>
  );
}

/** All tournaments by stage, with countdowns by the server's clock. Between `home` and here the strip's art moves. */
export function TournamentList({ home }: { readonly home: string }) {
  const list = useQuery(tournamentsQuery);
  const now = new Date(useServerNowAfter((list.data ?? []).flatMap(momentsOf)));
  const style = useSharedElement(SHARED_ART, home);
  const shared = { id: liveOrNext(list.data ?? [], now)?.id, style };
  return (
    <Listing
      query={list}
      skeleton={<TournamentSkeleton />}
      empty={{ title: t("ui.empty"), text: t("tournaments.empty"), world: "dash" }}
    >
      {(tournaments) =>
        STAGES.map((stage) => (
          <Section
            key={stage}
            stage={stage}
            shared={shared}
            tournaments={tournaments.filter((each) => stageOf(each, now) === stage)}
          />
        ))
      }
    </Listing>
  );
}

import { useLocation, useNavigate, useParams } from "react-router";
import { roomPath } from "@/app/chatPaths";
import { gamePath, gameVisitIn, playPath } from "@/app/gamePaths";
import { loginFrom, paths } from "@/app/paths";
import { boardPath } from "@/app/tournamentPaths";
import { GameRooms } from "@/features/chat/RoomList";
import { GameDetails } from "@/features/games/GameDetails";
import { BestRun } from "@/features/tournament/BestRun";
import { GameTournaments } from "@/features/tournament/GameTournaments";
import { passedTournament } from "@/features/tournament/model";
import { useEntry } from "@/features/tournament/useEntry";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { ButtonLink } from "@/ui/Button";

/** Reads the id of the tournament that the previous page passed, as the specification has it. */
function tournamentIn(state: unknown): string | null {
  const { tournament } = (state ?? {}) as { readonly tournament?: { readonly id?: unknown } };
  return typeof tournament?.id === "string" ? tournament.id : null;
}

/** A game, for a run on its own or in a tournament. */
export function Component() {
  const { id = "" } = useParams();
  const location = useLocation();
  const navigate = useNavigate();
  const isSignedIn = useSignedIn();
  const visit = gameVisitIn(location.search);
  const tournamentId = visit.tournamentId ?? tournamentIn(location.state);
  const { entry, onRefused } = useEntry(isSignedIn ? tournamentId : null, passedTournament(location.state));
  const toTournament = (tournament: string) => gamePath(id, { tournamentId: tournament });
  return (
    <GameDetails
      key={id}
      id={id}
      tournamentId={tournamentId}
      autoStart={visit.play}
      onAutoStart={() => void navigate(gamePath(id, { tournamentId }), { replace: true })}
      home={isSignedIn ? paths.dashboard : paths.home}
      signIn={loginFrom({ pathname: location.pathname, search: location.search })}
      linkOf={gamePath}
      onRefused={onRefused}
      playScreen={playPath(id)}
      isBlocked={entry.block !== null}
      rooms={
        isSignedIn ? (
          <GameRooms
            gameId={id}
            toRoom={({ chatRoomUid }) => roomPath(chatRoomUid)}
            onJoined={(room) => void navigate(roomPath(room.chatRoomUid), { replace: true })}
          />
        ) : null
      }
      bestRun={isSignedIn ? <BestRun gameId={id} screen={playPath(id)} /> : null}
      tournaments={
        <GameTournaments
          gameId={id}
          enteredId={isSignedIn ? tournamentId : null}
          entry={entry}
          toBoard={(tournament) => boardPath(tournament.id)}
          actionOf={(tournament) =>
            isSignedIn ? (
              <ButtonLink variant="paper" replace to={toTournament(tournament.id)}>
                {t("tournaments.enter")}
              </ButtonLink>
            ) : (
              <ButtonLink
                variant="paper"
                to={loginFrom({
                  pathname: gamePath(id),
                  search: toTournament(tournament.id).replace(/^[^?]*/, ""),
                })}
              >
                {t("tournaments.signIn")}
              </ButtonLink>
            )
          }
        />
      }
    />
  );
}

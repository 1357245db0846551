import type { StandingUpdate } from "@/gen/playon/live/v1/live_pb";
import type { TopicWatch } from "@/lib/live/hub";
import { live, tournamentTopic } from "@/lib/live/topics";

export type StandingWatch = TopicWatch<StandingUpdate>;

/** Subscribes to the player's place in a tournament: the current one, then each change. Returns the unsubscribe function. */
export function watchStanding(tournamentId: string, watch: StandingWatch): () => void {
  return live.subscribe(tournamentTopic(tournamentId), {
    ...watch,
    onUpdate: (update) => {
      if (update.$typeName === "playon.live.v1.StandingUpdate") watch.onUpdate(update);
    },
  });
}

import { Fault } from "@/lib/http/fault";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Celebration } from "@/ui/Celebration";
import { Crash } from "@/ui/Crash";
import { Duma } from "@/ui/Duma";
import { DumaCard } from "@/ui/DumaCard";
import { Failed, Stale } from "@/ui/Failed";
import { Listing, Steps } from "@/ui/Listing";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import { Stage, StagePage } from "@/ui/Stage";
import styles from "./Gallery.module.css";
import { type Part, worlds } from "./part";

const poses = ["wave", "look", "run", "cheer", "sulk", "sleep"] as const;
const nothing = () => {};
const waiting = {
  data: undefined,
  error: null,
  isSuccess: false,
  isFetching: true,
  dataUpdatedAt: 0,
  refetch: nothing,
};
const done = { ...waiting, isSuccess: true, isFetching: false };
const lost = new Error("PlayOn could not be reached.");
const fault = new Fault("Something broke on our side.", {
  code: "INTERNAL",
  status: 500,
  traceId: "4bf92f3577b34da6",
});
const lists = {
  skeleton: waiting,
  content: { ...done, data: ["Ajua", "Maneno", "Duma Dash"] },
  stale: { ...done, data: ["Ajua"], error: lost, dataUpdatedAt: Date.now() - 600_000 },
  empty: { ...done, data: [] },
  failed: { ...done, isSuccess: false, error: lost },
};

function listPart([state, query]: [string, (typeof lists)[keyof typeof lists]]): Part {
  return {
    name: `listing-${state}`,
    content: (
      <Listing
        query={query}
        skeleton={<Skeleton height={64} radius={20} />}
        empty={{ title: "Nothing yet", text: "It will appear here.", world: "ajua" }}
        more={state === "content" ? { label: "Load More", busy: false, onLoad: nothing } : undefined}
      >
        {(names) => (
          <Steps className={styles.list}>
            {names.map((name) => (
              <li key={name}>
                <Card className={styles.padded}>{name}</Card>
              </li>
            ))}
          </Steps>
        )}
      </Listing>
    ),
  };
}

export const states: readonly Part[] = [
  ...Object.entries(lists).map(listPart),
  {
    name: "failed",
    content: (
      <>
        <Failed error={fault} onRetry={nothing} />
        <Stale error={lost} at={Date.now() - 600_000} />
        <Notice
          title="A notice"
          text="In place of content."
          action={<Button variant="quiet">Do it</Button>}
        />
      </>
    ),
  },
  {
    name: "crash",
    content: (
      <>
        <Crash error={fault} onRetry={nothing} />
        <Crash error={new TypeError("Importing a module script failed.")} onRetry={nothing} />
      </>
    ),
  },
  {
    name: "skeleton",
    content: (
      <>
        <Skeleton height={64} radius={20} />
        <Skeleton width="60%" height={18} radius={8} />
        <Skeleton width={52} height={52} radius="50%" />
      </>
    ),
  },
  {
    name: "duma",
    content: (
      <div className={styles.row}>
        {poses.map((pose) => (
          <Duma key={pose} pose={pose} size={104} />
        ))}
      </div>
    ),
  },
  {
    name: "duma-card",
    content: worlds.map((world) => (
      <DumaCard key={world} world={world} pose="look">
        What a screen of {world} is for, in a line or two.
      </DumaCard>
    )),
  },
  ...worlds.map((world) => ({
    name: `stage-${world}`,
    content: <Stage pose="wave" world={world} title="Karibu!" text={`The stage of ${world}.`} />,
  })),
  {
    name: "stage-page",
    alone: true,
    content: (
      <StagePage pose="sleep" world="ajua" title="Connection Lost" text="You are offline.">
        <Button wide>Go back</Button>
      </StagePage>
    ),
  },
  {
    name: "celebration",
    content: <Celebration world="maneno" title="All set. Let's play!" />,
  },
  {
    name: "celebration-page",
    alone: true,
    content: (
      <Celebration page world="ajua" figure="KES 500.00" title="Thank you!" text="It is in your wallet.">
        <Button wide>View wallet</Button>
      </Celebration>
    ),
  },
];

import { type ReactNode, useState } from "react";
import { Avatar } from "@/ui/Avatar";
import { CountBadge, LiveBadge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card, WorldCard } from "@/ui/Card";
import { Carousel } from "@/ui/Carousel";
import { Celebration } from "@/ui/Celebration";
import { Countdown } from "@/ui/Countdown";
import { Duma } from "@/ui/Duma";
import { Listing, Steps } from "@/ui/Listing";
import { Fact, Facts, RowButton, Rows } from "@/ui/Rows";
import { Skeleton } from "@/ui/Skeleton";
import { Stage } from "@/ui/Stage";
import { Tabs } from "@/ui/Tabs";
import styles from "./Gallery.module.css";

const worlds = ["ajua", "maneno", "dash"] as const;
const poses = ["wave", "look", "run", "cheer", "sulk", "sleep"] as const;
const buttons = ["primary", "quiet", "world", "paper", "danger", "hero", "veil", "plain"] as const;
const waiting = {
  data: undefined,
  error: null,
  isSuccess: false,
  isFetching: true,
  dataUpdatedAt: 0,
  refetch: () => {},
};
const done = { ...waiting, isSuccess: true, isFetching: false };
const lists = {
  skeleton: waiting,
  content: { ...done, data: ["Ajua", "Maneno", "Duma Dash"] },
  stale: { ...done, data: ["Ajua"], error: new Error("PlayOn could not be reached.") },
  empty: { ...done, data: [] },
  failed: { ...done, isSuccess: false, error: new Error("PlayOn could not be reached.") },
};

function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={name} data-part={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

function TabsPart() {
  const [selected, setSelected] = useState<"board" | "awards">("board");
  const tabs = [
    { id: "board", label: "Board" },
    { id: "awards", label: "Awards" },
  ] as const;
  return (
    <Tabs label="Tournament" tabs={tabs} selected={selected} onSelect={setSelected}>
      {selected}
    </Tabs>
  );
}

/** Each part of `src/ui` in its states, for looking at and for screenshots. */
export function Gallery() {
  const tomorrow = new Date(Date.now() + 30 * 3_600_000);
  const soon = new Date(Date.now() + 8_076_000);
  return (
    <main className={styles.gallery}>
      <h1>PlayOn's parts</h1>
      <Part name="Button">
        <div className={`${styles.row} w-dash`}>
          {buttons.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <Button busy>busy</Button>
          <Button aria-disabled>disabled</Button>
        </div>
      </Part>
      <Part name="Badge">
        <div className={styles.row}>
          <CountBadge count={3} label="3 unread" />
          <CountBadge count={120} label="120 unread" />
          <LiveBadge>2 LIVE</LiveBadge>
        </div>
      </Part>
      <Part name="Avatar">
        <div className={styles.row}>
          <Avatar src={null} name="Wanjiru" size={44} />
          <Avatar src={null} name={null} size={44} />
        </div>
      </Part>
      <Part name="Card">
        <Card className={styles.padded}>A card</Card>
        {worlds.map((world) => (
          <WorldCard key={world} world={world} art className={styles.padded}>
            The world of {world}
          </WorldCard>
        ))}
      </Part>
      <Part name="Countdown">
        <div className={styles.row}>
          <Countdown until={soon} label={() => "Ends in 2 hours"} />
          <Countdown until={tomorrow} label={() => "Starts tomorrow"} />
          <Countdown until={new Date(0)} label={() => "Over"} />
        </div>
      </Part>
      <Part name="Carousel">
        <Carousel
          label="Events"
          slideLabel={(number, count) => `Event ${number} of ${count}`}
          slides={worlds.map((world) => ({
            id: world,
            content: (
              <WorldCard world={world} className={styles.padded}>
                {world}
              </WorldCard>
            ),
          }))}
        />
      </Part>
      <Part name="Tabs">
        <TabsPart />
      </Part>
      <Part name="Rows">
        <Rows label="Rows">
          <RowButton title="A row" detail="with a detail" onClick={() => {}} />
          <RowButton title="Another row" onClick={() => {}} />
        </Rows>
        <Facts>
          <Fact name="Fee">KES 0.00</Fact>
          <Fact name="Status">Completed</Fact>
        </Facts>
      </Part>
      {Object.entries(lists).map(([state, query]) => (
        <Part key={state} name={`Listing, ${state}`}>
          <Listing
            query={query}
            skeleton={<Skeleton height={64} radius={20} />}
            empty={{ title: "Nothing yet", text: "It will appear here.", world: "ajua" }}
            more={state === "content" ? { label: "Load More", busy: false, onLoad: () => {} } : undefined}
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
        </Part>
      ))}
      <Part name="Duma">
        <div className={styles.row}>
          {poses.map((pose) => (
            <Duma key={pose} pose={pose} size={120} />
          ))}
        </div>
      </Part>
      {worlds.map((world) => (
        <Part key={world} name={`Stage, ${world}`}>
          <Stage pose="wave" world={world} title="Karibu!" text={`The stage of ${world}.`} />
        </Part>
      ))}
      <Part name="Celebration">
        <Celebration
          world="maneno"
          value={500}
          format={(kes) => `KES ${kes.toFixed(2)}`}
          title="Thank you!"
        />
      </Part>
    </main>
  );
}

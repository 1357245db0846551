import { Bell, ChevronRight, Gift, Trophy, Wallet, Zap } from "lucide-react";
import { Avatar } from "@/ui/Avatar";
import { CountBadge, LiveBadge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card, WorldCard } from "@/ui/Card";
import { Carousel } from "@/ui/Carousel";
import { Countdown } from "@/ui/Countdown";
import { Kiondo } from "@/ui/Kiondo";
import { Mark, Wordmark } from "@/ui/Mark";
import { RowSwitch } from "@/ui/RowSwitch";
import { Row, RowButton, RowDetails, RowLink, Rows } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";
import { WorldArt } from "@/ui/WorldArt";
import styles from "./Gallery.module.css";
import { type Part, worlds } from "./part";

const tones = ["mint", "sky", "mango", "coral", "plain"] as const;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const nothing = () => {};

export const cards: readonly Part[] = [
  {
    name: "badge",
    content: (
      <div className={styles.row}>
        <CountBadge count={3} label="3 unread" />
        <CountBadge count={120} label="120 unread" />
        <LiveBadge>2 LIVE</LiveBadge>
        <Avatar src={null} name="Wanjiru" size={44} />
        <Avatar src={null} name={null} size={44} />
        {tones.map((tone) => (
          <Tile key={tone} tone={tone}>
            <Bell size={22} aria-hidden="true" />
          </Tile>
        ))}
      </div>
    ),
  },
  {
    name: "brand",
    content: (
      <>
        <div className={styles.row}>
          <Mark size={44} />
          <Wordmark size={36} />
        </div>
        {(["left", "middle", "bottom"] as const).map((plain) => (
          <div key={plain} className={styles.hero}>
            <Kiondo plain={plain} />
            plain at the {plain}
          </div>
        ))}
      </>
    ),
  },
  {
    name: "card",
    content: (
      <>
        <Card className={styles.padded}>A card</Card>
        {worlds.map((world) => (
          <WorldCard key={world} world={world} art className={styles.padded}>
            The world of {world}
          </WorldCard>
        ))}
      </>
    ),
  },
  {
    name: "art",
    content: (
      <div className={styles.row}>
        {worlds.map((world) => (
          <WorldArt key={world} world={world} className={styles.art} />
        ))}
      </div>
    ),
  },
  {
    name: "countdown",
    content: (
      <div className={styles.row}>
        <Countdown until={inHours(2.25)} label={() => "Ends in 2 hours"} />
        <Countdown until={inHours(30)} label={() => "Starts tomorrow"} />
        <Countdown until={inHours(30)} label={() => "Starts tomorrow"} units={["d", "h", "m"]} />
        <Countdown until={new Date(0)} label={() => "Over"} />
      </div>
    ),
  },
  {
    name: "carousel",
    content: (
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
    ),
  },
  {
    name: "rows",
    content: (
      <Rows label="Rows">
        <RowButton
          icon={
            <Tile tone="mango">
              <Zap size={22} aria-hidden="true" />
            </Tile>
          }
          title="A button"
          detail="with a detail"
          onClick={nothing}
        />
        <RowLink
          to="/"
          icon={
            <Tile tone="mint">
              <Wallet size={22} aria-hidden="true" />
            </Tile>
          }
          title="A link"
        />
        <RowLink
          to="/"
          title="A link with a button beside it"
          action={<Button variant="plain">Hide</Button>}
        />
        <Row title="A row that leads nowhere" trailing={<Button variant="quiet">Change</Button>} />
        <RowSwitch title="A row that is on" detail="And its detail" isOn onChange={() => {}} />
        <RowSwitch title="A row that is off" isOn={false} onChange={() => {}} />
        <RowDetails
          title="A closed row"
          trailing={<ChevronRight size={20} />}
          isOpen={false}
          onToggle={nothing}
        >
          never shown
        </RowDetails>
        <RowDetails
          icon={
            <Tile tone="coral">
              <Gift size={22} aria-hidden="true" />
            </Tile>
          }
          title="An open row"
          trailing={<Trophy size={20} aria-hidden="true" />}
          isOpen
          onToggle={nothing}
        >
          <p className={styles.padded}>What it shows</p>
        </RowDetails>
      </Rows>
    ),
  },
];

import { LogOut, MessageCircle, Trophy, Wallet } from "lucide-react";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { LiveBadge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Menu, MenuAction, MenuEntry, MenuGroup, MenuValue } from "@/ui/Menu";
import { ProgressLine } from "@/ui/ProgressLine";
import { Screen } from "@/ui/Screen";
import { SheetFooter } from "@/ui/SheetFooter";
import { TextField } from "@/ui/TextField";
import styles from "./Gallery.module.css";
import type { Part } from "./part";

const nothing = () => {};
const icon = { size: 24, "aria-hidden": true } as const;
const Loading = lazyOverlay<{ onClose: () => void }>(() => new Promise(nothing));
const Lost = lazyOverlay<{ onClose: () => void }>(async () => {
  throw new TypeError("Importing a module script failed.");
});

/** The page that an overlay covers. */
function Under() {
  return (
    <main className={styles.gallery}>
      <h1>Under the overlay</h1>
    </main>
  );
}

function SampleMenu() {
  return (
    <Menu
      label="Menu"
      head={<p className={styles.hero}>Wanjiru Njoki</p>}
      foot={
        <MenuAction icon={<LogOut {...icon} />} onPress={nothing}>
          Logout
        </MenuAction>
      }
    >
      <MenuGroup>
        <MenuEntry
          to="/tournaments"
          icon={<Trophy {...icon} />}
          tone="mango"
          trailing={<LiveBadge>2 LIVE</LiveBadge>}
        >
          Tournaments
        </MenuEntry>
        <MenuEntry to="/" icon={<MessageCircle {...icon} />} tone="sky">
          The page one is on
        </MenuEntry>
      </MenuGroup>
      <MenuGroup>
        <MenuEntry
          to="/wallet"
          icon={<Wallet {...icon} />}
          tone="mint"
          trailing={<MenuValue>KES 1,250.00</MenuValue>}
        >
          Wallet
        </MenuEntry>
      </MenuGroup>
    </Menu>
  );
}

/** Opens a page that never loads. */
function Leaving() {
  const navigate = useNavigate();
  useEffect(() => void navigate("/never"), [navigate]);
  return <ProgressLine />;
}

export const overlays: readonly Part[] = [
  {
    name: "dialog",
    alone: true,
    content: (
      <>
        <Under />
        <Dialog title="Edit Name" description="Other players see it." onClose={nothing}>
          <TextField label="Name" defaultValue="Wanjiru" />
          <SheetFooter>
            <Button wide>Okay</Button>
          </SheetFooter>
        </Dialog>
      </>
    ),
  },
  {
    name: "sheet",
    alone: true,
    content: (
      <>
        <Under />
        <Dialog shape="sheet" title="Sign out everywhere" onClose={nothing}>
          <p>The content of a sheet.</p>
          <SheetFooter>
            <Button variant="danger" wide>
              Sign out
            </Button>
            <Button variant="quiet" wide>
              Stay
            </Button>
          </SheetFooter>
        </Dialog>
      </>
    ),
  },
  {
    name: "menu",
    alone: true,
    content: (
      <>
        <Under />
        <Dialog shape="drawer" title="Menu" onClose={nothing}>
          <SampleMenu />
        </Dialog>
      </>
    ),
  },
  {
    name: "overlay-loading",
    alone: true,
    content: (
      <>
        <Under />
        <Loading onClose={nothing} />
      </>
    ),
  },
  {
    name: "overlay-lost",
    alone: true,
    content: (
      <>
        <Under />
        <Lost onClose={nothing} />
      </>
    ),
  },
  {
    name: "screen",
    alone: true,
    content: (
      <Screen title="A screen" back={nothing} footer={<Button wide>The one action</Button>}>
        <Leaving />
        <p>Its content, and the line that shows while the next screen loads.</p>
      </Screen>
    ),
  },
];

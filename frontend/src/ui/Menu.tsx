import type { ReactNode } from "react";
import { MenuLink } from "./Link";
import styles from "./Menu.module.css";
import { Tile, type Tone } from "./Tile";

interface MenuProps {
  readonly label: string;
  /** The owner of the menu, above the entries. */
  readonly head: ReactNode;
  /** `MenuGroup`s. */
  readonly children: ReactNode;
  /** Content without links, apart at the bottom. */
  readonly foot: ReactNode;
}

/** A menu of links: its owner, entries in groups, and a foot. */
export function Menu({ label, head, children, foot }: MenuProps) {
  return (
    <div className={styles.menu}>
      {head}
      <nav className={styles.groups} aria-label={label}>
        {children}
      </nav>
      <div className={styles.foot}>{foot}</div>
    </div>
  );
}

export function MenuGroup({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.group}>{children}</ul>;
}

interface EntryProps {
  readonly icon: ReactNode;
  readonly tone?: Tone;
  /** A count or value of the page: a badge, or a `MenuValue`. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

function EntryContent({ icon, tone = "plain", trailing, children }: EntryProps) {
  return (
    <>
      <Tile tone={tone}>{icon}</Tile>
      <span className={styles.label}>{children}</span>
      {trailing}
    </>
  );
}

interface MenuEntryProps extends EntryProps {
  readonly to: string;
  readonly replace?: boolean;
}

/** An entry that opens a page. */
export function MenuEntry({ to, replace = false, ...entry }: MenuEntryProps) {
  return (
    <li>
      <MenuLink to={to} replace={replace} className={styles.entry}>
        <EntryContent {...entry} />
      </MenuLink>
    </li>
  );
}

interface MenuActionProps extends EntryProps {
  readonly onPress: () => void;
}

/** An entry that triggers an action. */
export function MenuAction({ onPress, ...entry }: MenuActionProps) {
  return (
    <button type="button" className={styles.entry} onClick={onPress}>
      <EntryContent {...entry} />
    </button>
  );
}

/** A value at the end of an entry. */
export function MenuValue({ children }: { readonly children: ReactNode }) {
  return <span className={styles.value}>{children}</span>;
}

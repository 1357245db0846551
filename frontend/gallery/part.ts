import type { ReactNode } from "react";

/** One component, or a few that belong together, in all states. */
export interface Part {
  /** Names the part's address (`?part=`) and its kept pictures. */
  readonly name: string;
  readonly content: ReactNode;
  /** The part is shown alone, because it covers the page or is a page. */
  readonly alone?: boolean;
}

export const worlds = ["ajua", "maneno", "dash"] as const;

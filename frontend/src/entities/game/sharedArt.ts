import type { CSSProperties } from "react";
import { sharedElement, useSharedElement } from "@/ui/useSharedElement";

const NAME = "game-art";

/** The card that the details were opened from: a game may be on a page more than once, and only one card may move. */
let opened: string | null = null;

/**
 * The style of a card's art, which moves to the details and back, and the function to call when the card is pressed.
 */
export function useSharedArt(card: string, path: string): [CSSProperties | undefined, () => void] {
  const shared = useSharedElement(NAME, path);
  const press = () => {
    opened = card;
  };
  return [opened === card ? shared : undefined, press];
}

/** The style of the art on the details. */
export const sharedArt: CSSProperties = sharedElement(NAME);

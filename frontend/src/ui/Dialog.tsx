import * as Primitive from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { t } from "@/lib/i18n/i18n";
import { IconButton } from "./Button";
import styles from "./Dialog.module.css";

interface DialogProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: string;
  /**
   * A dialog for edits and confirmations, a sheet from the bottom for choices, a drawer from the side for the menu, and
   * the whole screen for a picture.
   */
  readonly shape?: "dialog" | "sheet" | "drawer" | "screen";
  readonly children: ReactNode;
}

interface Opener {
  readonly element: Element | null;
}

/** The opener of the newest dialog; null once that has returned the focus. */
let newest: Opener | null = null;

/** Open while rendered. Traps the focus; closes on Escape, on a press outside and, by `useOverlay`, on the back gesture. */
export function Dialog({ onClose, title, description, shape = "dialog", children }: DialogProps) {
  const box = useRef<HTMLDivElement>(null);
  // The element to return the focus to. Radix does not know it, because a history entry opens the dialog. It is read
  // before Radix moves the focus, and after a fallback that stood in for the dialog has returned the focus.
  const opener = useRef<Opener | null>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    // A dialog that replaces another one returns the focus to where that one would have.
    const isReplacing = activeElement === document.body && newest !== null;
    opener.current ??= isReplacing ? newest : { element: activeElement };
    newest = opener.current;
  }, []);
  return (
    <Primitive.Root open onOpenChange={(open) => open || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.scrim} />
        <Primitive.Content
          ref={box}
          onOpenAutoFocus={(event) => {
            // Focus the first field, which opens the phone's keyboard; without a field Radix focuses the first button.
            const field = box.current?.querySelector<HTMLElement>("input, select, textarea");
            if (!field) return;
            event.preventDefault();
            field.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The opener of a dialog that was replaced serves the next one.
            if (document.querySelector("[role=dialog]") === null) newest = null;
            const element = opener.current?.element;
            if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
          }}
          className={`${styles.box} ${styles[shape]}`}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className={styles.head}>
            <Primitive.Title className={styles.title}>{title}</Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label={t("ui.close")}>
                <X />
              </IconButton>
            </Primitive.Close>
          </div>
          {description ? (
            <Primitive.Description className={styles.description}>{description}</Primitive.Description>
          ) : null}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aMessage } from "@/test/messages";
import { Bubble } from "./Bubble";

test.each([false, true])(
  "a message has its own time, whether it continues a group or not: %s",
  (isContinued) => {
    const at = new Date(2026, 10, 22, 10, 42);
    render(
      <Bubble
        message={aMessage(1, { createdAt: at.toISOString() })}
        writer={null}
        isOwn={false}
        reader={null}
        isContinued={isContinued}
        now={at}
        onOpenPicture={() => {}}
        onMention={undefined}
      />,
    );
    const time = screen.getByText("10:42");
    expect(time).toHaveAttribute("datetime", at.toISOString());
    expect(time.closest(".visually-hidden") !== null).toBe(isContinued);
  },
);

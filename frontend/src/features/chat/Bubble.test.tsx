import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aMessage } from "@/test/messages";
import type { Message } from "./api";
import { Bubble } from "./Bubble";

const at = new Date(2026, 10, 22, 10, 42);

interface Shown {
  readonly isContinued?: boolean;
  readonly onMore?: () => void;
}

/** Shows a message of a writer whose name is not known. */
function show(message: Partial<Message>, { isContinued = false, onMore }: Shown = {}) {
  render(
    <Bubble
      message={aMessage(1, { createdAt: at.toISOString(), ...message })}
      writer={null}
      isOwn={false}
      reader={null}
      isContinued={isContinued}
      now={at}
      onOpenPicture={() => {}}
      onMention={undefined}
      onMore={onMore}
    />,
  );
}

test.each([false, true])(
  "a message has its own time, whether it continues a group or not: %s",
  (isContinued) => {
    show({}, { isContinued });
    const time = screen.getByText("10:42");
    expect(time).toHaveAttribute("datetime", at.toISOString());
    expect(time.closest(".visually-hidden") !== null).toBe(isContinued);
  },
);

test("a writer who is not known yet is Unknown, and the button against the message names both", () => {
  show({}, { onMore: () => {} });
  expect(screen.getByText("Unknown")).toBeVisible();
  expect(screen.getByRole("button", { name: "Report or block Unknown, 10:42" })).toBeInTheDocument();
});

test("a video can be played and downloaded", () => {
  show({ chatType: "VIDEO", message: "/media/1.mp4" });
  expect(document.querySelector("video")).toHaveAttribute("preload", "none");
  const link = screen.getByRole("link", { name: "Download video" });
  expect(link).toHaveAttribute("href", "/media/1.mp4");
});

test("a document has its text and a link", () => {
  show({ chatType: "DOCUMENT", message: "/media/1.pdf" });
  expect(screen.getByText("This user sent a document.")).toBeVisible();
  const link = screen.getByRole("link", { name: "Download document" });
  expect(link).toHaveAttribute("href", "/media/1.pdf");
});

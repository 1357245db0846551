import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { aMessage, messagesBetween } from "@/test/messages";
import type { Message } from "./api";
import { useFollow } from "./useFollow";
import type { Outgoing } from "./useSend";

const HEIGHT = 600;
const LENGTH = 5_000;

function anOutgoing(id: string, isFailed = false): Outgoing {
  return { id, text: id, chatType: "TEXT", file: null, progress: 0, isFailed, problem: null, after: 0 };
}

/** Opens a list, and counts how often it was scrolled to its end. */
function open(messages: readonly Message[], outgoing: readonly Outgoing[] = []) {
  const rowsOf = (messages: readonly Message[], outgoing: readonly Outgoing[]) => ({
    messages,
    outgoing,
    ownId: "me",
    count: messages.length + outgoing.length,
  });
  const scrolls: number[] = [];
  const handle = {
    scrollSize: LENGTH,
    viewportSize: HEIGHT,
    scrollToIndex: (index: number) => void scrolls.push(index),
  };
  const hook = renderHook(
    (rows: ReturnType<typeof rowsOf>) => {
      const follow = useFollow(rows);
      follow.list.current = handle;
      return follow;
    },
    { initialProps: rowsOf(messages, outgoing) },
  );
  return {
    scrolls,
    show: (messages: readonly Message[], outgoing: readonly Outgoing[] = []) =>
      hook.rerender(rowsOf(messages, outgoing)),
    scrollUp: () => act(() => hook.result.current.onScroll(1_000)),
    scrollDown: () => act(() => hook.result.current.onScroll(LENGTH - HEIGHT)),
    unseen: () => hook.result.current.unseen,
  };
}

test("the list begins at its end, and follows while it is there", () => {
  const { scrolls, show, unseen } = open(messagesBetween(1, 5));
  expect(scrolls).toEqual([4]);
  show(messagesBetween(1, 8));
  expect(scrolls).toEqual([4, 7]);
  expect(unseen()).toBe(0);
});

test("the list follows though a message that was not sent is its last row", () => {
  const failed = anOutgoing("o1", true);
  const { scrolls, show } = open(messagesBetween(1, 5), [failed]);
  show(messagesBetween(1, 6), [failed]);
  expect(scrolls).toEqual([5, 6]);
});

test("every message of others that comes below the screen is counted, until the end is reached", () => {
  const { scrolls, show, scrollUp, scrollDown, unseen } = open(messagesBetween(1, 5));
  scrollUp();
  show(messagesBetween(1, 8));
  expect(unseen()).toBe(3);
  show(messagesBetween(1, 9));
  expect(unseen()).toBe(4);
  scrollDown();
  expect(unseen()).toBe(0);
  scrollUp();
  expect(unseen()).toBe(0);
  expect(scrolls).toEqual([4]);
});

test("neither a removed message nor an older page is a new message", () => {
  const { scrolls, show, scrollUp, unseen } = open(messagesBetween(51, 55));
  scrollUp();
  show(messagesBetween(51, 54));
  show(messagesBetween(1, 54));
  expect(unseen()).toBe(0);
  expect(scrolls).toEqual([4]);
});

test("a message that the player sends is shown, and its confirmation leaves the list where it is", () => {
  const { scrolls, show, scrollUp, unseen } = open(messagesBetween(1, 5));
  scrollUp();
  const sent = anOutgoing("o1");
  show(messagesBetween(1, 5), [sent]);
  expect(scrolls).toEqual([4, 5]);
  scrollUp();
  show([...messagesBetween(1, 5), aMessage(6, { userId: "me" })]);
  expect(scrolls).toEqual([4, 5]);
  expect(unseen()).toBe(0);
});

test("a failed message that is discarded or sent again leaves the list where it is", () => {
  const all = messagesBetween(1, 5);
  const { scrolls, show, scrollUp } = open(all, [anOutgoing("o1", true), anOutgoing("o2", true)]);
  scrollUp();
  show(all, [anOutgoing("o1", true)]);
  show(all, [anOutgoing("o1")]);
  show(all);
  show(all, [anOutgoing("o1", true)]);
  expect(scrolls).toEqual([6]);
});

import { act, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mountToaster } from "@/app/toaster";
import type { Kind, Toaster } from "@/lib/toast";

let toaster: Toaster;

const standing = () => screen.queryAllByRole("alert").map((each) => each.textContent);

function say(kind: Kind, message: string): void {
  act(() => toaster.show(kind, message));
}

/** Ends the exit animations, which do not end by themselves in jsdom. */
function settle(): void {
  for (const each of document.querySelectorAll(".Toastify__toast")) fireEvent.animationEnd(each);
  act(() => vi.advanceTimersByTime(1_000));
}

function closeAll(): void {
  while (standing().length > 0) {
    for (const button of screen.getAllByRole("button", { name: "close" })) fireEvent.click(button);
    settle();
  }
}

beforeAll(() => {
  act(() => {
    toaster = mountToaster();
  });
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  closeAll();
  vi.useRealTimers();
});
// The other test files of this worker share the document.
afterAll(() => document.querySelector(".Toastify")?.parentElement?.remove());

describe("toasts", () => {
  test("are limited to two, and a third replaces the oldest", () => {
    for (const word of ["one", "two", "three"]) say("info", word);
    settle();
    expect(standing()).toEqual(["three", "two"]);
  });

  test("show a repeated message once, and again after it was closed", () => {
    say("success", "Saved");
    say("success", "Saved");
    expect(standing()).toEqual(["Saved"]);
    fireEvent.click(screen.getByRole("button", { name: "close" }));
    say("success", "Saved");
    settle();
    expect(standing()).toEqual(["Saved"]);
  });

  test("let an error replace the oldest toast that is not an error", () => {
    say("error", "The line is lost");
    say("info", "A message");
    say("error", "That was refused");
    settle();
    expect(standing()).toEqual(["That was refused", "The line is lost"]);
  });

  test("let later messages replace an error", () => {
    say("error", "That was not right");
    say("success", "You are in");
    say("info", "Something is missing");
    settle();
    expect(standing()).toEqual(["Something is missing", "You are in"]);
  });

  test("show the newest two of a burst of errors", () => {
    for (const word of ["one", "two", "three", "four", "five"]) say("error", word);
    settle();
    settle();
    expect(standing()).toEqual(["five", "four"]);
  });

  test("lose their errors, and nothing else, when clearErrors is called", () => {
    say("error", "Wrong email or password.");
    say("info", "A message");
    act(() => toaster.clearErrors());
    say("success", "You are in");
    settle();
    expect(standing()).toEqual(["You are in", "A message"]);
  });

  test("lose queued errors as well", () => {
    for (const word of ["one", "two"]) say("info", word);
    say("error", "refused");
    act(() => toaster.clearErrors());
    settle();
    settle();
    expect(standing()).toEqual(["two"]);
  });

  test("let an error replace messages of a burst", () => {
    for (const word of ["one", "two", "three", "four"]) say("info", word);
    say("error", "refused");
    settle();
    settle();
    expect(standing()).toEqual(["refused", "four"]);
  });
});

import { act, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mountToaster } from "@/app/toaster";
import type { Kind, Toaster } from "@/lib/toast";

let toaster: Toaster;

const standing = () => screen.queryAllByRole("alert").map((each) => each.textContent);

function say(kind: Kind, message: string): void {
  act(() => toaster.show(kind, message));
}

/** Lets what is on its way out have gone: no animation ends by itself here. */
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
// Other files of this worker look at the same document.
afterAll(() => document.querySelector(".Toastify")?.parentElement?.remove());

describe("toasts", () => {
  test("stand two at most, and a third takes the oldest's place", () => {
    for (const word of ["one", "two", "three"]) say("info", word);
    settle();
    expect(standing()).toEqual(["three", "two"]);
  });

  test("say once what is said twice, and again what is said after it went", () => {
    say("success", "Saved");
    say("success", "Saved");
    expect(standing()).toEqual(["Saved"]);
    fireEvent.click(screen.getByRole("button", { name: "close" }));
    say("success", "Saved");
    settle();
    expect(standing()).toEqual(["Saved"]);
  });

  test("let an error take the place of the oldest that is none", () => {
    say("error", "The line is lost");
    say("info", "A word");
    say("error", "That was refused");
    settle();
    expect(standing()).toEqual(["That was refused", "The line is lost"]);
  });

  test("keep no word from being read because of an error before it", () => {
    say("error", "That was not right");
    say("success", "You are in");
    say("info", "Something is missing");
    settle();
    expect(standing()).toEqual(["Something is missing", "You are in"]);
  });

  test("show the newest of errors that come in a burst", () => {
    for (const word of ["one", "two", "three", "four", "five"]) say("error", word);
    settle();
    settle();
    expect(standing()).toEqual(["five", "four"]);
  });

  test("lose their errors once it is tried again, and nothing else", () => {
    say("error", "Wrong email or password.");
    say("info", "A word");
    act(() => toaster.clearErrors());
    say("success", "You are in");
    settle();
    expect(standing()).toEqual(["You are in", "A word"]);
  });

  test("lose errors that did not stand yet as well", () => {
    for (const word of ["one", "two"]) say("info", word);
    say("error", "refused");
    act(() => toaster.clearErrors());
    settle();
    settle();
    expect(standing()).toEqual(["two"]);
  });

  test("let an error overtake the words of a burst", () => {
    for (const word of ["one", "two", "three", "four"]) say("info", word);
    say("error", "refused");
    settle();
    settle();
    expect(standing()).toEqual(["refused", "four"]);
  });
});

import { act, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mountToaster } from "@/app/toaster";
import type { Toaster, ToastKind } from "@/lib/toast";

let toaster: Toaster;

const visible = () => screen.queryAllByRole("alert").map((each) => each.textContent);

function show(kind: ToastKind, message: string): void {
  act(() => toaster.show(kind, message));
}

/** Ends the exit animations, which do not end by themselves in jsdom. */
function finishAnimations(): void {
  for (const each of document.querySelectorAll(".Toastify__toast")) fireEvent.animationEnd(each);
  act(() => vi.advanceTimersByTime(1_000));
}

function closeAll(): void {
  while (visible().length > 0) {
    for (const button of screen.getAllByRole("button", { name: "close" })) fireEvent.click(button);
    finishAnimations();
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
    for (const message of ["one", "two", "three"]) show("info", message);
    finishAnimations();
    expect(visible()).toEqual(["three", "two"]);
  });

  test("stand at the top right", () => {
    show("info", "Hello");
    const container = screen.getByRole("alert").closest(".Toastify__toast-container");
    expect(container).toHaveClass("Toastify__toast-container--top-right");
  });

  test("close by themselves after 5 s", () => {
    show("info", "Hello");
    finishAnimations();
    // The library takes the time from an animation of the progress bar, which is hidden.
    const bar = screen.getByRole("progressbar", { hidden: true });
    expect(bar).toHaveStyle({ animationDuration: "5000ms" });
    expect(visible()).toEqual(["Hello"]);
    // React listens to the prefixed event, because jsdom has no AnimationEvent.
    fireEvent(bar, new Event("webkitAnimationEnd", { bubbles: true }));
    finishAnimations();
    expect(visible()).toEqual([]);
  });

  test("show a repeated message once, and again after it was closed", () => {
    show("success", "Saved");
    show("success", "Saved");
    expect(visible()).toEqual(["Saved"]);
    fireEvent.click(screen.getByRole("button", { name: "close" }));
    show("success", "Saved");
    finishAnimations();
    expect(visible()).toEqual(["Saved"]);
  });

  test("let an error replace the oldest toast that is not an error", () => {
    show("error", "The line is lost");
    show("info", "A message");
    show("error", "That was refused");
    finishAnimations();
    expect(visible()).toEqual(["That was refused", "The line is lost"]);
  });

  test("let later messages replace an error", () => {
    show("error", "That was not right");
    show("success", "You are in");
    show("info", "Something is missing");
    finishAnimations();
    expect(visible()).toEqual(["Something is missing", "You are in"]);
  });

  test("show the newest two of a burst of errors", () => {
    for (const message of ["one", "two", "three", "four", "five"]) show("error", message);
    finishAnimations();
    finishAnimations();
    expect(visible()).toEqual(["five", "four"]);
  });

  test("lose their errors, and nothing else, when clearErrors is called", () => {
    show("error", "Wrong email or password.");
    show("info", "A message");
    act(() => toaster.clearErrors());
    show("success", "You are in");
    finishAnimations();
    expect(visible()).toEqual(["You are in", "A message"]);
  });

  test("lose queued errors as well", () => {
    for (const message of ["one", "two"]) show("info", message);
    show("error", "refused");
    act(() => toaster.clearErrors());
    finishAnimations();
    finishAnimations();
    expect(visible()).toEqual(["two"]);
  });

  test("let an error replace messages of a burst", () => {
    for (const message of ["one", "two", "three", "four"]) show("info", message);
    show("error", "refused");
    finishAnimations();
    finishAnimations();
    expect(visible()).toEqual(["refused", "four"]);
  });
});

import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { expect, test, vi } from "vitest";
import { Fault } from "@/lib/http/fault";
import { lazyOverlay } from "./LazyOverlay";

interface Props {
  readonly onClose: () => void;
}
const lost = () => new TypeError("Importing a module script failed.");
const Sheet = () => <p>Choose a method</p>;

test("an overlay shows a box while its code is loading, and can be closed before it is there", async () => {
  const onClose = vi.fn();
  let arrive: (component: ComponentType<Props>) => void = () => {};
  const Overlay = lazyOverlay<Props>(
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  render(<Overlay onClose={onClose} />);
  expect(screen.getByRole("dialog", { name: "Loading" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  arrive(Sheet);
  expect(await screen.findByText("Choose a method")).toBeVisible();
});

test("an overlay whose code did not arrive offers Retry, which imports it again", async () => {
  const load = vi
    .fn<() => Promise<ComponentType<Props>>>()
    .mockRejectedValueOnce(lost())
    .mockResolvedValueOnce(Sheet);
  const Overlay = lazyOverlay(load);
  render(<Overlay onClose={() => {}} />);
  expect(await screen.findByText("This part did not load")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Choose a method")).toBeVisible();
});

test("an overlay that crashed on our side shows the trace id, which can be copied", async () => {
  const user = userEvent.setup();
  vi.spyOn(console, "error").mockImplementation(() => {});
  const Broken = () => {
    throw new Fault("Not now.", { code: "INTERNAL", status: 500, traceId: "4bf92f35" });
  };
  const Overlay = lazyOverlay<Props>(async () => Broken);
  render(<Overlay onClose={() => {}} />);
  expect(await screen.findByText("4bf92f35")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Copied" })).toBeVisible());
  expect(await navigator.clipboard.readText()).toBe("4bf92f35");
});

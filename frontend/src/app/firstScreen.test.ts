import { createMemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { afterFirstScreen } from "@/app/firstScreen";
import { paths } from "@/app/paths";
import { eventually } from "@/test/eventually";

test("runs once, after the first screen has loaded", async () => {
  let arrive = () => {};
  const screen = new Promise<{ Component: () => null }>((resolve) => {
    arrive = () => resolve({ Component: () => null });
  });
  const router = createMemoryRouter([{ path: "*", lazy: () => screen }]);
  const run = vi.fn();
  afterFirstScreen(router, run);
  expect(run).not.toHaveBeenCalled();
  arrive();
  await eventually(() => expect(run).toHaveBeenCalledOnce());
  await router.navigate(paths.offline);
  expect(run).toHaveBeenCalledOnce();
});

test("runs at once when the first screen needs no loading", () => {
  const run = vi.fn();
  afterFirstScreen(createMemoryRouter([{ path: paths.home }]), run);
  expect(run).toHaveBeenCalledOnce();
});

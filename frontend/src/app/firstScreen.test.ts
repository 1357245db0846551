import { createMemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { afterFirstScreen } from "@/app/firstScreen";
import { paths } from "@/app/paths";

test("what can wait runs once, when the first screen has come", async () => {
  let arrive = () => {};
  const screen = new Promise<{ Component: () => null }>((resolve) => {
    arrive = () => resolve({ Component: () => null });
  });
  const router = createMemoryRouter([{ path: "*", lazy: () => screen }]);
  const run = vi.fn();
  afterFirstScreen(router, run);
  expect(run).not.toHaveBeenCalled();
  arrive();
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
  await router.navigate(paths.offline);
  expect(run).toHaveBeenCalledOnce();
});

test("where the first screen came with the app, nothing waits for another", () => {
  const run = vi.fn();
  afterFirstScreen(createMemoryRouter([{ path: paths.home }]), run);
  expect(run).toHaveBeenCalledOnce();
});

import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { toast } from "@/lib/toast";
import { holdUpdates } from "@/lib/updates";
import { offer, watchInstallPrompt } from "@/pwa/offers";
import { OfferBanner } from "./OfferBanner";

afterEach(() => act(() => offer({ update: null, install: null })));

function show(path: string) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <OfferBanner />
    </MemoryRouter>,
  );
}
const offered = () => screen.queryByRole("region", { name: "A new version is ready" });

test("a new version is offered once no payment is open, and comes on a tap", async () => {
  const update = vi.fn(async () => true);
  const release = holdUpdates();
  show(paths.wallet);
  act(() => offer({ update }));
  expect(offered()).not.toBeInTheDocument();
  act(release);
  expect(offered()).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Update now" }));
  expect(update).toHaveBeenCalledOnce();
});

test("a new version that another tab's payment keeps away says so", async () => {
  const info = vi.spyOn(toast, "info").mockImplementation(() => {});
  show(paths.wallet);
  act(() => offer({ update: async () => false }));
  await userEvent.click(screen.getByRole("button", { name: "Update now" }));
  expect(info).toHaveBeenCalledWith("A payment is open in another tab. Finish it first, then update.");
});

test("a new version that is put off is not offered again in this visit", async () => {
  show(paths.wallet);
  act(() => offer({ update: async () => true }));
  await userEvent.click(screen.getByRole("button", { name: "Later" }));
  expect(offered()).not.toBeInTheDocument();
});

function browserOffersInstall() {
  const prompt = vi.fn(async () => ({ outcome: "dismissed" }));
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  return { prompt, event };
}

test("'Add to home screen' shows when the browser offers it, and hides before the browser asks", async () => {
  watchInstallPrompt();
  show(paths.dashboard);
  expect(screen.queryByRole("button", { name: "Add to home screen" })).not.toBeInTheDocument();
  const { prompt, event } = browserOffersInstall();
  expect(event.defaultPrevented).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Add to home screen" }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "Add to home screen" })).not.toBeInTheDocument();
});

test("'Add to home screen' does not interrupt a screen with something to do", () => {
  show(paths.amount);
  act(() => offer({ install: async () => "accepted" }));
  expect(screen.queryByRole("region")).not.toBeInTheDocument();
});

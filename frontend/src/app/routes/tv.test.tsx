import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { queryClient } from "@/app/data/client";
import { tvItemPath } from "@/app/gamePaths";
import { QueryProvider } from "@/app/layouts/DataLayout";
import { paths } from "@/app/paths";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { renderRoutes } from "@/test/render";
import { Component as Tv } from "./tv";
import { Component as TvItem } from "./tv-item";

const FAILED = "Sorry, it seems we're having trouble connecting to the server. Please try again later.";
const item = (id: string, title: string, video: string, primary = false) => ({
  id,
  title,
  channelUrl: `https://www.youtube.com/watch?v=${video}`,
  primary,
  createdAt: "2026-11-20T10:00:00.000Z",
});
const items = [
  item("t1", "The run of the week", "dQw4w9WgXcQ", true),
  item("t2", "How Achieng won", "aaaaaaaaaaa"),
];

function open(
  answer: () => { statusCode: number; statusMessage?: string; payload?: unknown },
  at: string = paths.tv,
) {
  stubGateway({ "GET /playon-tv/list": answer });
  return renderRoutes(
    [
      { path: paths.tv, Component: Tv },
      { path: paths.tvItem, Component: TvItem },
    ],
    [at],
  );
}
const all = () => ({ statusCode: 200, payload: items });
const embedded = () => document.querySelector("iframe")?.getAttribute("src") ?? null;

afterEach(() => vi.unstubAllGlobals());

test("the primary video plays in its place, after a tap alone", async () => {
  open(all);
  const primary = await screen.findByRole("button", { name: "Play The run of the week" });
  expect(embedded()).toBeNull();
  await userEvent.click(primary);
  expect(embedded()).toContain("https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?");
});

test("Watch now shows a video full screen, and closing it leads back to the list", async () => {
  const request = vi.fn(() => Promise.resolve());
  Object.assign(document.documentElement, { requestFullscreen: request });
  const router = open(all);
  expect(await screen.findAllByText("20 November 2026")).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Watch now: How Achieng won" }));
  expect(request).toHaveBeenCalledOnce();
  await waitFor(() => expect(router.state.location.pathname).toBe(tvItemPath("t2")));
  expect(embedded()).toContain("/embed/aaaaaaaaaaa?");
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.tv));
  Reflect.deleteProperty(document.documentElement, "requestFullscreen");
});

test("leaving the browser's full screen closes the video, once", async () => {
  const router = open(all, tvItemPath("t2"));
  await screen.findByRole("button", { name: "Play How Achieng won" });
  fireEvent(document, new Event("fullscreenchange"));
  fireEvent.keyDown(window, { key: "Escape" });
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.tv));
});

test("a link to a video loads nothing of it before a tap", async () => {
  open(all, tvItemPath("t2"));
  const play = await screen.findByRole("button", { name: "Play How Achieng won" });
  expect(embedded()).toBeNull();
  await userEvent.click(play);
  expect(embedded()).toContain("/embed/aaaaaaaaaaa?");
});

test("a link to a video that is gone leads to the list", async () => {
  const router = open(all, tvItemPath("t9"));
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.tv));
});

test("an empty list and a failed one say that the server cannot be reached, and Retry asks again", async () => {
  let answer: ReturnType<typeof all> | { statusCode: number; statusMessage: string } = {
    statusCode: 400,
    statusMessage: "Out of order",
  };
  open(() => answer);
  expect(await screen.findByText(FAILED)).toBeVisible();
  answer = { statusCode: 200, payload: [] };
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText(FAILED)).toBeVisible();
  answer = all();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("button", { name: "Play The run of the week" })).toBeVisible();
});

test("a list that failed shows its reason as a toast, once, and the text in place of the videos", async () => {
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  onTestFinished(() => queryClient.clear());
  stubGateway({ "GET /playon-tv/list": () => ({ statusCode: 400, statusMessage: "Out of order" }) });
  const page = (
    <QueryProvider>
      <Tv />
    </QueryProvider>
  );
  renderRoutes([{ path: paths.tv, element: page }], [paths.tv]);
  expect(await screen.findByText(FAILED)).toBeVisible();
  expect(error).toHaveBeenCalledExactlyOnceWith("Out of order");
});

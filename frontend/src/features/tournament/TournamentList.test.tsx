import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { stubGateway } from "@/test/gateway";
import { renderPage } from "@/test/render";
import { TournamentList } from "./TournamentList";

afterEach(() => vi.unstubAllGlobals());

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const cup = (name: string, starts: number, ends: number) => ({
  id: name,
  name,
  description: "Best of three.",
  gameId: "g1",
  starts: hours(starts),
  ends: hours(ends),
});

test("tournaments stand by stage: what is on with its time left, what comes, what is over", async () => {
  stubGateway({
    "GET /tournaments": () => ({
      statusCode: 200,
      payload: [cup("Friday Dash Cup", -1, 2.5), cup("Ajua League", 30.5, 40), cup("Ajua Masters", -9, -8)],
    }),
  });
  renderPage(<TournamentList home="/dashboard" />);
  const ongoing = await screen.findByRole("region", { name: "Ongoing" });
  expect(within(ongoing).getByText("1 LIVE")).toBeVisible();
  expect(within(ongoing).getByRole("timer")).toHaveAccessibleName(/^Ends in 2 h/);
  expect(screen.getByRole("region", { name: "Upcoming" })).toHaveTextContent(
    /Ajua League.*Starts in 1 d 6 h/,
  );
  expect(screen.getByRole("region", { name: "Expired" })).toHaveTextContent(/Ajua Masters.*Ended/);
});

test("without tournaments the screen says what will come", async () => {
  stubGateway({ "GET /tournaments": () => ({ statusCode: 200, payload: [] }) });
  renderPage(<TournamentList home="/dashboard" />);
  expect(await screen.findByText("The next tournament will appear here.")).toBeVisible();
});

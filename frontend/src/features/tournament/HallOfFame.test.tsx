import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { HallOfFame } from "./HallOfFame";

const entry = (id: string, members: readonly string[]) => ({
  id,
  title: `Cup ${id}`,
  description: "A night to remember.",
  members,
  createdAt: "2026-11-15T18:00:00.000Z",
});
const member = (id: string) => ({ id, username: `name_${id}`, name: null, profilePic: null });

beforeEach(() => saveSession(aSession()));
afterEach(() => vi.unstubAllGlobals());

function open(entries: readonly object[], members: Parameters<typeof stubGateway>[0] = {}) {
  const seen = stubGateway({
    "GET /hall-of-fame": () => ({ statusCode: 200, payload: entries }),
    ...members,
  });
  renderPage(<HallOfFame />);
  return seen;
}

test("all members of all entries come by one call", async () => {
  const seen = open([entry("1", ["a", "b"]), entry("2", ["b", "c"])], {
    "GET /users/public?ids=a,b,c": () => ({ statusCode: 200, payload: ["a", "b", "c"].map(member) }),
  });
  expect(await screen.findByRole("heading", { name: "Cup 1" })).toBeVisible();
  expect(await screen.findByText("name_a · name_b")).toBeVisible();
  expect(screen.getByText("name_b · name_c")).toBeVisible();
  expect(screen.getAllByText("15 November 2026")).toHaveLength(2);
  expect(seen.filter(({ path }) => path.startsWith("/users"))).toHaveLength(1);
});

test("members beyond a hundred come by further calls", async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `m${index}`);
  const seen = open([entry("1", ids)], {
    [`GET /users/public?ids=${ids.slice(0, 100).join(",")}`]: () => ({ statusCode: 200, payload: [] }),
    "GET /users/public?ids=m100": () => ({ statusCode: 200, payload: [member("m100")] }),
  });
  expect(await screen.findByText("name_m100")).toBeVisible();
  expect(seen.filter(({ path }) => path.startsWith("/users"))).toHaveLength(2);
});

test("members that could not be fetched are logged, and the entries stay", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  open([entry("1", ["a"])], { "GET /users/public?ids=a": () => ({ statusCode: 400, statusMessage: "No" }) });
  expect(await screen.findByRole("heading", { name: "Cup 1" })).toBeVisible();
  await waitFor(() => expect(log).toHaveBeenCalled());
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an empty hall has the specification's text", async () => {
  open([]);
  expect(await screen.findByText("Oops! There's nothing here. Maybe check back later?")).toBeVisible();
});

test("a hall that could not be fetched says why in its place, and Retry fetches it", async () => {
  let isOut = true;
  open([], {
    "GET /hall-of-fame": () =>
      isOut
        ? { statusCode: 400, statusMessage: "Out of order" }
        : { statusCode: 200, payload: [entry("1", [])] },
  });
  expect(await screen.findByRole("alert")).toHaveTextContent("Out of order");
  isOut = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "Cup 1" })).toBeVisible();
});

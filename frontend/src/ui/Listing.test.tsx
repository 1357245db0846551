import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Listing, Steps } from "./Listing";

const refetch = vi.fn();
const waiting = {
  data: undefined,
  error: null,
  isSuccess: false,
  isFetching: true,
  dataUpdatedAt: 0,
  refetch,
};
const failed = { ...waiting, error: new Error("The line was lost."), isFetching: false };
const empty = { title: "Nothing yet", text: "It will appear here.", world: "ajua" } as const;

function listing(query: Parameters<typeof Listing<string>>[0]["query"], more?: () => void) {
  return (
    <Listing
      query={query}
      skeleton={<p>grey boxes</p>}
      empty={empty}
      more={more && { label: "Load More", busy: false, onLoad: more }}
    >
      {(names) => (
        <Steps>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </Steps>
      )}
    </Listing>
  );
}

test("a list that is on its way shows its skeleton as a status", () => {
  render(listing(waiting));
  expect(screen.getByRole("status", { name: "Loading" })).toHaveTextContent("grey boxes");
});

test("a list that failed says why, and Retry fetches it again", async () => {
  render(listing(failed));
  expect(screen.getByRole("alert")).toHaveTextContent("We could not load this");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("an empty list says so, with a button to look again", () => {
  render(listing({ ...waiting, data: [], isSuccess: true, isFetching: false }));
  expect(screen.getByText("Nothing yet")).toBeVisible();
  expect(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
});

test("content that could not be fetched again stays, marked as stale", () => {
  render(listing({ ...failed, data: ["Ajua"] }));
  expect(screen.getByRole("listitem")).toHaveTextContent("Ajua");
  expect(screen.getByRole("status")).toBeVisible();
});

test("further pages are loaded by a button", async () => {
  const more = vi.fn();
  render(listing({ ...waiting, data: ["Ajua"], isSuccess: true, isFetching: false }, more));
  await userEvent.click(screen.getByRole("button", { name: "Load More" }));
  expect(more).toHaveBeenCalledOnce();
});

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Stage, StagePage } from "./Stage";

test("the character is decoration, and the words say what happened", () => {
  const { container } = render(
    <Stage pose="look" world="maneno" title="No Notifications Yet" text="They appear here." />,
  );
  expect(screen.getByText("No Notifications Yet")).toBeVisible();
  expect(screen.queryByRole("heading")).toBeNull();
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.querySelector("img")).toHaveAttribute("height", "300");
});

test("a page's message is its heading, with what to do below", () => {
  render(
    <StagePage pose="sleep" world="ajua" title="Connection Lost">
      <button type="button">Back</button>
    </StagePage>,
  );
  expect(screen.getByRole("main")).toContainElement(screen.getByRole("button", { name: "Back" }));
  expect(screen.getByRole("heading", { name: "Connection Lost" })).toBeVisible();
});

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Stage } from "./Stage";

test("the character is decoration, and the words say what happened", () => {
  const { container } = render(
    <Stage pose="look" world="maneno" title="No Notifications Yet" text="They appear here." page />,
  );
  expect(screen.getByRole("heading", { name: "No Notifications Yet" })).toBeVisible();
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.querySelector("img")).toHaveAttribute("height", "240");
});

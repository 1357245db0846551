import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { Tabs } from "./Tabs";

const tabs = [
  { id: "board", label: "Board" },
  { id: "awards", label: "Awards" },
] as const;

function Page() {
  const [selected, setSelected] = useState<"board" | "awards">("board");
  return (
    <Tabs label="Tournament" tabs={tabs} selected={selected} onSelect={setSelected}>
      the {selected}
    </Tabs>
  );
}

test("a tab shows its panel, by tap and by the arrow keys", async () => {
  render(<Page />);
  expect(screen.getByRole("tabpanel", { name: "Board" })).toHaveTextContent("the board");
  await userEvent.click(screen.getByRole("tab", { name: "Awards" }));
  expect(screen.getByRole("tabpanel", { name: "Awards" })).toHaveTextContent("the awards");
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tab", { name: "Board" })).toHaveFocus();
  expect(screen.getByRole("tabpanel")).toHaveTextContent("the board");
});

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { AmountEntry } from "./AmountEntry";

const enter = vi.fn();

function Entry() {
  const [amount, setAmount] = useState(0);
  return <AmountEntry type="TOP-UP" amount={amount} onChange={setAmount} onEnter={enter} />;
}

const amount = () => screen.getByLabelText("Amount").textContent;

test("digits, backspace and quick amounts set the amount", async () => {
  const user = userEvent.setup();
  render(<Entry />);
  for (const digit of ["1", "0", "5"]) await user.click(screen.getByRole("button", { name: digit }));
  expect(amount()).toBe("105");
  await user.click(screen.getByRole("button", { name: "Delete the last digit" }));
  expect(amount()).toBe("10");
  await user.click(screen.getByRole("button", { name: "1,000" }));
  expect(amount()).toBe("1,000");
});

test("the keyboard enters digits, and its decimal key does nothing", async () => {
  const user = userEvent.setup();
  render(<Entry />);
  await user.keyboard("25.0{Backspace}7");
  expect(amount()).toBe("257");
  await user.keyboard("{Enter}");
  expect(enter).toHaveBeenCalledOnce();
  // Enter on a focused button presses that button.
  screen.getByRole("button", { name: "50" }).focus();
  await user.keyboard("{Enter}");
  expect(amount()).toBe("50");
  expect(enter).toHaveBeenCalledOnce();
});

test("a digit that would exceed the limit is refused with a message", async () => {
  const user = userEvent.setup();
  render(<Entry />);
  expect(screen.getByText("From KES 1.00 to KES 250,000.00")).toBeVisible();
  await user.keyboard("250001");
  expect(amount()).toBe("25,000");
  expect(screen.getByText("The most you can top up at once is KES 250,000.00")).toBeVisible();
  await user.keyboard("0");
  expect(amount()).toBe("250,000");
  expect(screen.getByText("From KES 1.00 to KES 250,000.00")).toBeVisible();
});

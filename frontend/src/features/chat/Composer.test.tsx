import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { provideToaster } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { aSession } from "@/test/players";
import { Composer, type ComposerHandle } from "./Composer";
import { FILE_MAX_BYTES } from "./messages";

const shown: string[] = [];

beforeEach(() => {
  shown.length = 0;
  saveSession(aSession());
  provideToaster(async () => ({ show: (_, message) => shown.push(message), clearErrors: () => {} }));
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});

function open() {
  const sent: [string, File | null][] = [];
  const { container } = render(
    <Composer
      room="lobby"
      onSend={async (text, file) => {
        sent.push([text, file]);
      }}
    />,
  );
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("no input for files");
  return { sent, input, user: userEvent.setup(), box: screen.getByPlaceholderText("Type a message") };
}

const aFile = (size: number) => {
  const file = new File(["x"], "goal.png", { type: "image/png" });
  Object.defineProperty(file, "size", { value: size });
  return file;
};

test("a mention is added apart from the text, which goes on behind it", async () => {
  const ref = createRef<ComposerHandle>();
  render(<Composer ref={ref} room="lobby" onSend={async () => {}} />);
  const box = screen.getByPlaceholderText("Type a message");
  act(() => ref.current?.insert("@amina "));
  await userEvent.keyboard("and");
  act(() => ref.current?.insert("@juma "));
  expect(box).toHaveFocus();
  expect(box).toHaveValue("@amina and @juma ");
});

test("a text is sent by the button and by Enter, and the box is empty after it", async () => {
  const { sent, user, box } = open();
  await user.type(box, "  Sasa  ");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await user.type(box, "Poa{Enter}");
  expect(sent).toEqual([
    ["Sasa", null],
    ["Poa", null],
  ]);
  expect(box).toHaveValue("");
});

test("a text that is not sent is there again after the screen was left, in its own room", async () => {
  const { unmount } = render(<Composer room="lobby" onSend={async () => {}} />);
  await userEvent.type(screen.getByPlaceholderText("Type a message"), "Haba");
  unmount();
  const other = render(<Composer room="cup" onSend={async () => {}} />);
  expect(screen.getByPlaceholderText("Type a message")).toHaveValue("");
  other.unmount();
  const back = render(<Composer room="lobby" onSend={async () => {}} />);
  expect(screen.getByPlaceholderText("Type a message")).toHaveValue("Haba");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  back.unmount();
  render(<Composer room="lobby" onSend={async () => {}} />);
  expect(screen.getByPlaceholderText("Type a message")).toHaveValue("");
});

test("nothing is sent without a text or a file", async () => {
  const { sent, user, box } = open();
  await user.click(screen.getByRole("button", { name: "Send" }));
  await user.type(box, "   {Enter}");
  expect(sent).toEqual([]);
  expect(shown).toEqual([]);
});

test("a file shows its name and size, takes the place of the text, and can be removed", async () => {
  const { sent, input, user, box } = open();
  await user.upload(input, aFile(12_800));
  expect(screen.getByText("goal.png")).toBeVisible();
  expect(screen.getByText("12.50 KB")).toBeVisible();
  expect(box).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(box).toBeEnabled();
  await user.upload(input, aFile(2 * 1024 * 1024));
  expect(screen.getByText("2.00 MB")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(sent.map(([text, file]) => [text, file?.name])).toEqual([["", "goal.png"]]);
});

test("the text box is disabled while a file is uploading, and takes no mention", async () => {
  let finish = () => {};
  const ref = createRef<ComposerHandle>();
  const onSend = () => new Promise<void>((resolve) => (finish = resolve));
  const { container } = render(<Composer ref={ref} room="lobby" onSend={onSend} />);
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  const box = screen.getByPlaceholderText("Type a message");
  const user = userEvent.setup();
  if (input) await user.upload(input, aFile(12_800));
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(screen.queryByText("goal.png")).toBeNull();
  expect(box).toBeDisabled();
  act(() => ref.current?.insert("@amina "));
  expect(box).toHaveValue("");
  await act(async () => finish());
  expect(box).toBeEnabled();
  act(() => ref.current?.insert("@amina "));
  expect(box).toHaveValue("@amina ");
});

test("a file of the limit is taken, and a larger one is dropped with the specification's text", async () => {
  const { input, user, box } = open();
  await user.upload(input, aFile(FILE_MAX_BYTES));
  expect(screen.getByText("15.00 MB")).toBeVisible();
  await user.upload(input, aFile(FILE_MAX_BYTES + 1));
  await eventually(() => expect(shown).toEqual(["File size cannot exceed 10MB"]));
  expect(box).toBeEnabled();
});

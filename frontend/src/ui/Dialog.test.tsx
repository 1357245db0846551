import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { useOverlay } from "@/lib/navigation";
import { renderPage } from "@/test/render";
import { Dialog } from "./Dialog";

function Page({ field }: { readonly field: boolean }) {
  const overlay = useOverlay();
  return (
    <>
      <button type="button" onClick={() => overlay.show("it")}>
        Open
      </button>
      {overlay.current === "it" ? (
        <Dialog title="It" onClose={overlay.hide}>
          {field ? <input aria-label="Name" /> : <p>Nothing to fill in</p>}
        </Dialog>
      ) : null}
    </>
  );
}

test.each([
  ["its first field", true, "Name"],
  ["its first button when it has no field", false, "Close"],
])("a dialog focuses %s and returns the focus to its opener", async (_what, field, name) => {
  const user = userEvent.setup();
  renderPage(<Page field={field} />);
  const opener = screen.getByRole("button", { name: "Open" });
  await user.click(opener);
  await screen.findByRole("dialog", { name: "It" });
  expect(document.activeElement).toHaveAccessibleName(name);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(opener).toHaveFocus());
  expect(screen.queryByRole("dialog")).toBeNull();
});

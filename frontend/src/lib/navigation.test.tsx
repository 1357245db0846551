import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { type Overlay, useGoBack, useOverlay } from "@/lib/navigation";
import { eventually } from "@/test/eventually";
import { renderRoutes } from "@/test/render";

describe("an overlay", () => {
  let overlay: Overlay;
  function Page() {
    overlay = useOverlay();
    return <p>{overlay.current ?? "none"}</p>;
  }
  const open = () =>
    renderRoutes(
      [
        { path: "/page", element: <Page /> },
        { path: "*", element: <p>elsewhere</p> },
      ],
      ["/before", "/page"],
    );

  test("that is shown again while it loads closes with one step back", async () => {
    open();
    act(() => overlay.show("edit"));
    expect(await screen.findByText("edit")).toBeVisible();
    act(() => overlay.show("edit"));
    act(() => overlay.hide());
    expect(await screen.findByText("none")).toBeVisible();
  });

  test("that is hidden twice at once goes back one step only", async () => {
    const router = open();
    act(() => overlay.show("edit"));
    await screen.findByText("edit");
    act(() => {
      overlay.hide();
      overlay.hide();
    });
    expect(await screen.findByText("none")).toBeVisible();
    expect(router.state.location.pathname).toBe("/page");
  });

  test("that the forward gesture reopened can be closed again", async () => {
    const router = open();
    act(() => overlay.show("edit"));
    await screen.findByText("edit");
    act(() => overlay.hide());
    await screen.findByText("none");
    await act(() => router.navigate(1));
    await screen.findByText("edit");
    act(() => overlay.hide());
    expect(await screen.findByText("none")).toBeVisible();
  });
});

describe("going back", () => {
  function Page() {
    const goBack = useGoBack("/fallback");
    return (
      <button type="button" onClick={goBack}>
        back
      </button>
    );
  }

  test.each([
    ["goes to the fallback from the first history entry, even after it was replaced", 0, "/fallback"],
    ["goes to the previous entry from a later one", 1, "/before"],
  ])("%s", async (_where, idx, place) => {
    const user = userEvent.setup();
    const router = renderRoutes(
      [
        { path: "/page", element: <Page /> },
        { path: "*", element: null },
      ],
      ["/before"],
    );
    await act(() => router.navigate("/page"));
    // Browsers' histories are numbered this way by react-router.
    window.history.replaceState({ idx }, "");
    await user.click(screen.getByRole("button"));
    await eventually(() => expect(router.state.location.pathname).toBe(place));
  });
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { currentPlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderPage, renderRoutes } from "@/test/render";
import { ProfileFields } from "./ProfileFields";

beforeEach(() => {
  saveSession(aSession());
  vi.spyOn(toast, "success").mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

test("fields show their values in words, and without one their placeholder", () => {
  renderPage(<ProfileFields player={aPlayer({ name: null, phone: null })} />);
  expect(
    within(screen.getByRole("button", { name: /^Name/ })).getByText("Not set. Click to set."),
  ).toBeVisible();
  expect(
    within(screen.getByRole("button", { name: /^Phone Number/ })).getByText("Enter number."),
  ).toBeVisible();
  expect(
    within(screen.getByRole("button", { name: /^Date of birth/ })).getByText("12 April 1996"),
  ).toBeVisible();
  expect(within(screen.getByRole("button", { name: /^Gender/ })).getByText("Female")).toBeVisible();
});

test("Okay saves the field, confirms it and closes the dialog", async () => {
  const user = userEvent.setup();
  const seen = stubGateway({
    "PUT /profile/p1": () => ({ statusCode: 200, payload: aPlayer({ username: "kamau" }) }),
  });
  renderPage(<ProfileFields player={aPlayer({ username: null })} />);
  await user.click(screen.getByRole("button", { name: /^Username/ }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Username" });
  await user.click(within(dialog).getByRole("button", { name: "Okay" }));
  expect(await within(dialog).findByText("Please enter a username.")).toBeVisible();
  expect(seen).toHaveLength(0);

  await user.type(within(dialog).getByLabelText("Username"), "kamau");
  await user.click(within(dialog).getByRole("button", { name: "Okay" }));
  // Not waitForElementToBeRemoved, which requires the dialog to be there at first: the save may already be done.
  await eventually(() => expect(dialog).not.toBeInTheDocument());
  expect(seen[0]?.body).toEqual({ username: "kamau" });
  expect(currentPlayer()?.username).toBe("kamau");
  expect(toast.success).toHaveBeenCalledWith("Your Username was updated successfully.");
});

test("a refused value shows its error under the field and keeps the dialog open", async () => {
  const user = userEvent.setup();
  const fields = { username: "That username is already taken." };
  stubGateway({
    "PUT /profile/p1": () => ({
      statusCode: 409,
      statusMessage: "Taken",
      payload: { code: "USERNAME_TAKEN", fields },
    }),
  });
  renderPage(<ProfileFields player={aPlayer()} />);
  await user.click(screen.getByRole("button", { name: /^Username/ }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Username" });
  await user.click(within(dialog).getByRole("button", { name: "Okay" }));
  expect(await within(dialog).findByText("That username is already taken.")).toBeVisible();
});

test("closing the dialog before the save is done does not navigate twice", async () => {
  const user = userEvent.setup();
  let answer: () => void = () => {};
  const saved = new Promise<void>((resolve) => {
    answer = resolve;
  });
  stubGateway({
    "PUT /profile/p1": async () => {
      await saved;
      return { statusCode: 200, payload: aPlayer({ username: "kamau" }) };
    },
  });
  const page = { path: "page", element: <ProfileFields player={aPlayer()} /> };
  const router = renderRoutes([page, { path: "*", element: null }], ["/before", "/page"]);
  await user.click(screen.getByRole("button", { name: /^Username/ }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Username" });
  await user.click(within(dialog).getByRole("button", { name: "Okay" }));
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  answer();
  await eventually(() =>
    expect(toast.success).toHaveBeenCalledWith("Your Username was updated successfully."),
  );
  expect(router.state.location.pathname).toBe("/page");
});

test("the dialog is a history entry, so back closes it", async () => {
  const user = userEvent.setup();
  const router = renderPage(<ProfileFields player={aPlayer()} />);
  await user.click(screen.getByRole("button", { name: /^Gender/ }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Gender" });
  expect(
    within(dialog)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["Choose one", "Male", "Female", "Other"]);
  await router.navigate(-1);
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
});

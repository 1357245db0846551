import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import * as navigation from "@/lib/navigation";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as NewDevice } from "./new-device";

function open() {
  return renderRoutes(
    [
      { path: paths.newDevice, Component: NewDevice },
      { path: "*", element: "another screen" },
    ],
    [paths.newDevice],
  );
}

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
});

test("'This was not me' ends every session and leads to the login", async () => {
  const hardNavigate = vi.spyOn(navigation, "hardNavigate").mockImplementation(() => {});
  stubGateway({
    "POST /auth/sign-out-everywhere": () => ({ statusCode: 200, statusMessage: "Signed out everywhere." }),
  });
  open();
  await userEvent.click(screen.getByRole("button", { name: "This was not me" }));
  await eventually(() => expect(hardNavigate).toHaveBeenCalledWith(paths.login));
  expect(currentSession()).toBeNull();
});

test("'It was me' leaves everything as it is", async () => {
  const seen = stubGateway({});
  open();
  await userEvent.click(screen.getByRole("link", { name: "It was me" }));
  expect(await screen.findByText("another screen")).toBeVisible();
  expect(seen).toHaveLength(0);
  expect(currentSession()).not.toBeNull();
});

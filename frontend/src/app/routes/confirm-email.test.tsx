import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as ConfirmEmail } from "./confirm-email";

const CONFIRM = "POST /auth/email/confirm";

function openLink(address = "/confirm-email?token=t-1") {
  const router = renderRoutes([{ path: paths.confirmEmail, element: <ConfirmEmail /> }], [address]);
  return () => router.state.location;
}

test("opening a mail's link confirms the email and removes the token from the URL", async () => {
  const seen = stubGateway({
    [CONFIRM]: () => ({ statusCode: 200, statusMessage: "Your email is confirmed." }),
  });
  const here = openLink();
  expect(await screen.findByRole("heading", { name: "Your email is confirmed." })).toBeVisible();
  expect(seen.map(({ body }) => body)).toEqual([{ token: "t-1" }]);
  expect(here().search).toBe("");
  expect(screen.getByRole("link", { name: "Log In" })).toHaveAttribute("href", "/login");
});

test("a signed-in player continues to home", async () => {
  saveSession(aSession());
  stubGateway({ [CONFIRM]: () => ({ statusCode: 200 }) });
  openLink();
  expect(await screen.findByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/dashboard");
});

test("an expired link is reported as expired", async () => {
  stubGateway({ [CONFIRM]: () => ({ statusCode: 410, payload: { code: "LINK_EXPIRED" } }) });
  openLink();
  expect(await screen.findByRole("heading", { name: "This link has expired" })).toBeVisible();
});

test("a link without a token is not sent", async () => {
  const seen = stubGateway({});
  openLink("/confirm-email");
  expect(await screen.findByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  expect(seen).toHaveLength(0);
});

test("a lost connection does not count as an expired link and can be retried", async () => {
  const user = userEvent.setup();
  stubGateway({ [CONFIRM]: () => new TypeError("Failed to fetch") });
  openLink();
  await screen.findByText("We could not reach PlayOn. Check your connection and try again.");
  stubGateway({ [CONFIRM]: () => ({ statusCode: 200 }) });
  await user.click(screen.getByRole("button", { name: "Retry" }));
  await vi.waitFor(() =>
    expect(screen.getByRole("heading", { name: "Your email is confirmed." })).toBeVisible(),
  );
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as ConfirmEmail } from "./confirm-email";

const CONFIRM = "POST /auth/email/confirm";
const REJECT = "POST /auth/email/reject";
const CONFIRMED = { statusCode: 200, statusMessage: "Your email is confirmed." };

function openLink(address = "/confirm-email?token=t-1") {
  const router = renderRoutes([{ path: paths.confirmEmail, element: <ConfirmEmail /> }], [address]);
  return () => router.state.location;
}

test("opening a mail's link sends nothing and removes the token from the URL", async () => {
  const seen = stubGateway({});
  const here = openLink();
  expect(await screen.findByRole("heading", { name: "Confirm your email" })).toBeVisible();
  expect(seen).toHaveLength(0);
  expect(here().search).toBe("");
});

test("a guest confirms the email by the password of the account", async () => {
  const user = userEvent.setup();
  const seen = stubGateway({ [CONFIRM]: () => CONFIRMED });
  openLink();
  await user.click(await screen.findByRole("button", { name: "Confirm my email" }));
  expect(await screen.findByText("Please enter your password")).toBeVisible();
  await user.type(screen.getByLabelText("Password of the account"), "jambo-kenya");
  await user.click(screen.getByRole("button", { name: "Confirm my email" }));
  expect(await screen.findByRole("heading", { name: "Your email is confirmed." })).toBeVisible();
  expect(seen.map(({ body }) => body)).toEqual([{ token: "t-1", password: "jambo-kenya" }]);
  expect(screen.getByRole("link", { name: "Log In" })).toHaveAttribute("href", "/login");
});

test("a signed-in player confirms by one press and continues to home", async () => {
  const user = userEvent.setup();
  saveSession(aSession());
  const seen = stubGateway({ [CONFIRM]: () => CONFIRMED });
  openLink();
  await user.click(await screen.findByRole("button", { name: "Confirm my email" }));
  expect(await screen.findByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/dashboard");
  expect(seen.map(({ body }) => body)).toEqual([{ token: "t-1" }]);
});

test("a player who is signed in to another account is asked for the password", async () => {
  const user = userEvent.setup();
  saveSession(aSession());
  stubGateway({ [CONFIRM]: () => ({ statusCode: 403, payload: { code: "PASSWORD_NEEDED" } }) });
  openLink();
  await user.click(await screen.findByRole("button", { name: "Confirm my email" }));
  expect(await screen.findByLabelText("Password of the account")).toBeVisible();
});

test("the owner of the address removes it from an account that someone else made", async () => {
  const user = userEvent.setup();
  const statusMessage = "No PlayOn account uses this email any more.";
  const seen = stubGateway({ [REJECT]: () => ({ statusCode: 200, statusMessage }) });
  openLink();
  await user.click(await screen.findByRole("button", { name: "This was not me" }));
  expect(seen).toHaveLength(0);
  await user.click(await screen.findByRole("button", { name: "Remove my email" }));
  expect(await screen.findByRole("heading", { name: "Your email is removed" })).toBeVisible();
  expect(screen.getByText(statusMessage)).toBeVisible();
  expect(seen.map(({ body }) => body)).toEqual([{ token: "t-1" }]);
});

test.each([
  ["Confirm my email", CONFIRM],
  ["Remove my email", REJECT],
])("an expired link is reported as expired after %s", async (button, call) => {
  const user = userEvent.setup();
  saveSession(aSession());
  stubGateway({ [call]: () => ({ statusCode: 410, payload: { code: "LINK_EXPIRED" } }) });
  openLink();
  if (call === REJECT) await user.click(await screen.findByRole("button", { name: "This was not me" }));
  await user.click(await screen.findByRole("button", { name: button }));
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
  saveSession(aSession());
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  stubGateway({ [CONFIRM]: () => new TypeError("Failed to fetch") });
  openLink();
  const confirm = await screen.findByRole("button", { name: "Confirm my email" });
  await user.click(confirm);
  const unreachable = "We could not reach PlayOn. Check your connection and try again.";
  await eventually(() => expect(error).toHaveBeenCalledWith(unreachable));
  stubGateway({ [CONFIRM]: () => CONFIRMED });
  await user.click(confirm);
  expect(await screen.findByRole("heading", { name: "Your email is confirmed." })).toBeVisible();
});

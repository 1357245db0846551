import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { queryClient } from "@/app/data/client";
import { QueryProvider } from "@/app/layouts/DataLayout";
import { paths } from "@/app/paths";
import { dropSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Feedback } from "./feedback";

const contacts = [
  { name: "Email", value: "help@playon.example" },
  { name: "Phone", value: "+254 712 345 678" },
  { name: "Twitter", value: "javascript:alert(1)" },
];

const sent: unknown[] = [];
let refusal: { statusCode: number; code: string; statusMessage: string } | null = null;

function open() {
  stubGateway({
    "GET /contact-us/list": () => ({ statusCode: 200, payload: contacts }),
    "POST /contact-us/feedback": ({ body }) => {
      sent.push(body);
      return refusal ?? { statusCode: 200, payload: null };
    },
  });
  return renderRoutes([{ path: paths.feedback, Component: Feedback }], [paths.feedback]);
}

beforeEach(() => {
  sent.length = 0;
  refusal = null;
});
afterEach(() => vi.unstubAllGlobals());

async function fill() {
  await userEvent.type(screen.getByLabelText("Email"), "wanjiru@example.com");
  await userEvent.type(screen.getByLabelText("Subject"), "Duma");
  await userEvent.type(screen.getByLabelText("Message"), "Nimeipenda.");
}

test("a player's email is filled in, and a guest's is empty", () => {
  saveSession(aSession());
  savePlayer(aPlayer({ email: "wanjiru@example.com" }));
  open();
  expect(screen.getByLabelText("Email")).toHaveValue("wanjiru@example.com");
  cleanup();
  dropSession();
  open();
  expect(screen.getByLabelText("Email")).toHaveValue("");
});

test("the ways to reach the support are links, and others are left out", async () => {
  open();
  const mail = await screen.findByRole("link", { name: /help@playon.example/ });
  expect(mail).toHaveAttribute("href", "mailto:help@playon.example");
  expect(screen.getByRole("link", { name: /712 345 678/ })).toHaveAttribute("href", "tel:+254712345678");
  expect(screen.getAllByRole("link", { name: /Email|Phone|Twitter/ })).toHaveLength(2);
});

test("contacts that could not be loaded show a toast, and the form stays", async () => {
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  onTestFinished(() => queryClient.clear());
  stubGateway({ "GET /contact-us/list": () => ({ statusCode: 400, statusMessage: "Out of order" }) });
  const page = (
    <QueryProvider>
      <Feedback />
    </QueryProvider>
  );
  renderRoutes([{ path: paths.feedback, element: page }], [paths.feedback]);
  await waitFor(() => expect(error).toHaveBeenCalledExactlyOnceWith("Out of order"));
  expect(screen.getByRole("form", { name: "Feedback" })).toBeVisible();
});

test("Send names what is missing, and sends nothing", async () => {
  open();
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("Please enter your email")).toBeVisible();
  expect(screen.getByText("Please enter a subject.")).toBeVisible();
  expect(screen.getByText("Please enter a message.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(sent).toHaveLength(0);
});

test("Send's toast is the first failing message in the order of the form, and no other", async () => {
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  open();
  const send = async () => {
    error.mockClear();
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(error).toHaveBeenCalled());
    return error.mock.calls;
  };
  expect(await send()).toEqual([["Please enter your email"]]);
  await userEvent.type(screen.getByLabelText("Email"), "wanjiru");
  expect(await send()).toEqual([["Please enter a valid email."]]);
  await userEvent.type(screen.getByLabelText("Email"), "@example.com");
  expect(await send()).toEqual([["Please enter a subject."]]);
  await userEvent.type(screen.getByLabelText("Subject"), "Duma");
  expect(await send()).toEqual([["Please enter a message."]]);
  // The first message follows the order of the form, not that of the mistakes.
  await userEvent.clear(screen.getByLabelText("Subject"));
  expect(await send()).toEqual([["Please enter a subject."]]);
});

test("Submit sends it once the dialog is confirmed, and empties the form", async () => {
  open();
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByRole("dialog", { name: "We value your feedback" })).toBeVisible();
  expect(sent).toHaveLength(0);
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(screen.getByLabelText("Message")).toHaveValue(""));
  expect(sent).toEqual([
    {
      email: "wanjiru@example.com",
      subject: "Duma",
      message: "Nimeipenda.",
      clientFeedbackId: expect.stringMatching(/^[\da-f-]{36}$/),
    },
  ]);
});

test("what was not sent stays, and is sent again under the same name", async () => {
  refusal = { statusCode: 503, code: "UNAVAILABLE", statusMessage: "Please try again." };
  open();
  await fill();
  for (const _ of [1, 2]) {
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    await userEvent.click(await screen.findByRole("button", { name: "Submit" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
  expect(screen.getByLabelText("Message")).toHaveValue("Nimeipenda.");
  expect(sent.length).toBeGreaterThanOrEqual(2);
  expect(new Set(sent.map((body) => (body as { clientFeedbackId: string }).clientFeedbackId)).size).toBe(1);
});

import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { stubPush, unstubPush } from "@/test/push";
import { renderPage } from "@/test/render";
import { NotificationSettings } from "./NotificationSettings";
import { PushOffer } from "./PushOffer";
import { refreshPush } from "./subscription";

const PATH = "/profile/notification-settings";

beforeEach(() => saveSession(aSession()));
afterEach(unstubPush);

function gateway(handlers: Parameters<typeof stubGateway>[0] = {}) {
  const seen = stubGateway({
    [`GET ${PATH}`]: () => ({
      statusCode: 200,
      payload: { muted: ["BOOSTS"], quietFrom: null, quietUntil: null },
    }),
    [`POST ${PATH}`]: () => ({ statusCode: 200 }),
    "GET /profile/push-key": () => ({ statusCode: 200, payload: { publicKey: "BAEC" } }),
    "POST /profile/device-token": () => ({ statusCode: 200 }),
    ...handlers,
  });
  return () => seen.filter(({ method, path }) => method === "POST" && path === PATH).map(({ body }) => body);
}

const toggle = (name: string) => screen.findByRole("switch", { name });

test("kinds are switched off and on, each change saved at once", async () => {
  stubPush();
  const saved = gateway();
  renderPage(<NotificationSettings />);
  expect(await toggle("Boosts from friends")).not.toBeChecked();
  await userEvent.click(await toggle("Top-ups and withdrawals"));
  await userEvent.click(await toggle("Boosts from friends"));
  await expect.poll(saved).toEqual([{ muted: ["BOOSTS", "MONEY"] }, { muted: ["MONEY"] }]);
  expect(await toggle("Boosts from friends")).toBeChecked();
});

test("a topic of a newer server stays muted when another is switched", async () => {
  stubPush();
  const saved = gateway({
    [`GET ${PATH}`]: () => ({
      statusCode: 200,
      payload: { muted: ["GAMES"], quietFrom: null, quietUntil: null },
    }),
  });
  renderPage(<NotificationSettings />);
  await userEvent.click(await toggle("Boosts from friends"));
  await expect.poll(saved).toEqual([{ muted: ["GAMES", "BOOSTS"] }]);
});

test("quiet hours begin as a night and can be moved", async () => {
  stubPush();
  const saved = gateway();
  renderPage(<NotificationSettings />);
  expect(screen.queryByLabelText("From")).toBeNull();
  await userEvent.click(await toggle("Quiet hours"));
  expect(screen.getByLabelText("From")).toHaveValue("22:00");
  for (const value of ["", "22:00", "06:30"]) {
    fireEvent.change(screen.getByLabelText("Until"), { target: { value } });
  }
  const night = { muted: ["BOOSTS"], quietFrom: "22:00" };
  await expect.poll(() => saved().at(-1)).toEqual({ ...night, quietUntil: "06:30" });
  await userEvent.click(await toggle("Quiet hours"));
  await expect.poll(() => saved().at(-1)).toEqual({ muted: ["BOOSTS"] });
});

test("the permission is asked for by a press only", async () => {
  const push = stubPush();
  gateway();
  renderPage(<NotificationSettings />);
  const here = await toggle("On this phone");
  expect(push.notification.requestPermission).not.toHaveBeenCalled();
  await userEvent.click(here);
  expect(await screen.findByText("This phone gets your notifications.")).toBeVisible();
  expect(push.notification.requestPermission).toHaveBeenCalledOnce();
});

test("the switch goes off when a refresh finds that the browser gives no subscription", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  const push = stubPush();
  gateway();
  renderPage(<NotificationSettings />);
  await userEvent.click(await toggle("On this phone"));
  expect(await screen.findByText("This phone gets your notifications.")).toBeVisible();
  push.drop();
  push.subscribe.mockRejectedValue(new DOMException("push service error", "AbortError"));
  await act(() => refreshPush(() => {}));
  expect(await toggle("On this phone")).not.toBeChecked();
  log.mockRestore();
});

test("a browser that blocks them or cannot show them says so", async () => {
  stubPush("denied");
  gateway();
  renderPage(<NotificationSettings />);
  expect(await toggle("On this phone")).toBeDisabled();
  expect(screen.getByText(/Your browser blocks them/)).toBeVisible();
});

test("the offer gives its reason, and goes once it is accepted", async () => {
  stubPush();
  gateway();
  renderPage(<PushOffer />);
  expect(screen.getByText(/Get a nudge when money lands/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Turn on" }));
  await expect.poll(() => screen.queryByRole("button", { name: "Turn on" })).toBeNull();
});

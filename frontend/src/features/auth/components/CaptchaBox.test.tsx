import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Captcha, useCaptcha } from "@/features/auth/hooks/useCaptcha";
import { Fault } from "@/lib/http/fault";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { renderPage } from "@/test/render";
import { aChallenge, challengeOf, stubCaptchaSolver } from "@/test/signIn";
import { CaptchaBox } from "./CaptchaBox";

let challenges = 0;
let captcha: Captcha;

function Page() {
  captcha = useCaptcha();
  return <CaptchaBox captcha={captcha} />;
}

beforeEach(() => {
  vi.useFakeTimers();
  challenges = 0;
  stubCaptchaSolver();
  vi.spyOn(toast, "error").mockImplementation(() => {});
  stubGateway({ "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge(`0${++challenges}`) }) });
});
afterEach(() => vi.useRealTimers());

const box = () => screen.getByRole("checkbox", { name: "I am not a robot" });
const settle = () => act(() => vi.advanceTimersByTimeAsync(0));

const taken = async () => challengeOf({ captcha: await captcha.take() });

async function tick() {
  fireEvent.click(box());
  await settle();
}

test("a ticked captcha is solved and shows its progress", async () => {
  const { solve } = stubCaptchaSolver({ paused: true });
  renderPage(<Page />);
  expect(screen.getByRole("status")).toHaveTextContent("Nothing about you is sent.");
  expect(box()).not.toBeChecked();
  await tick();
  expect(screen.getByRole("status")).toHaveTextContent("Checking that you are not a robot …");
  expect(box()).not.toBeChecked();
  await act(async () => solve());
  expect(screen.getByRole("status")).toHaveTextContent("Thank you, you are not a robot.");
  expect(box()).toBeChecked();
});

test("a captcha is fetched and solved once, however often it is ticked and taken", async () => {
  renderPage(<Page />);
  await tick();
  await tick();
  await act(async () => expect(await taken()).toBe("01"));
  expect(challenges).toBe(1);
});

test("sending solves a captcha that was not ticked before", async () => {
  renderPage(<Page />);
  await act(async () => expect(await taken()).toBe("01"));
  expect(box()).toBeChecked();
});

test("a captcha expires with the server's challenge and can be solved again", async () => {
  renderPage(<Page />);
  await tick();
  await act(() => vi.advanceTimersByTimeAsync(299_000));
  expect(box()).toBeChecked();
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(screen.getByText("CAPTCHA has expired. Please solve it again.")).toBeVisible();
  expect(toast.error).toHaveBeenCalledWith("CAPTCHA has expired. Please solve it again.");
  await expect(captcha.take()).rejects.toThrow("CAPTCHA has expired. Please solve it again.");
  fireEvent.click(screen.getByRole("button", { name: "Solve again" }));
  await settle();
  expect(box()).toBeChecked();
  await act(async () => expect(await taken()).toBe("02"));
});

test("a captcha that expired while the phone was suspended is not sent", async () => {
  renderPage(<Page />);
  await tick();
  vi.setSystemTime(Date.now() + 600_000);
  await act(async () => expect(captcha.take()).rejects.toMatchObject({ code: "CAPTCHA_EXPIRED" }));
  expect(screen.getByRole("button", { name: "Solve again" })).toBeVisible();
});

test.each([
  ["a captcha starts again after a failed send", "INVALID", "checkbox"],
  ["a captcha that the server calls expired is shown as expired", "CAPTCHA_EXPIRED", "button"],
])("%s", async (_what, code, role) => {
  renderPage(<Page />);
  await tick();
  act(() => captcha.reset(new Fault("no", { code, status: 400 })));
  const control = screen.getByRole(role);
  if (role === "checkbox") expect(control).not.toBeChecked();
  fireEvent.click(control);
  await settle();
  await act(async () => expect(await taken()).toBe("02"));
});

test("a captcha that cannot be fetched shows why and can be ticked again", async () => {
  stubGateway({ "GET /auth/captcha": () => new TypeError("Failed to fetch") });
  renderPage(<Page />);
  await tick();
  expect(toast.error).toHaveBeenCalledWith("We could not reach PlayOn. Check your connection and try again.");
  expect(box()).not.toBeChecked();
  stubGateway({ "GET /auth/captcha": () => ({ statusCode: 200, payload: aChallenge() }) });
  await tick();
  expect(box()).toBeChecked();
});

import { expect, test, vi } from "vitest";
import { isInsideAnotherApp } from "./insideApp";

const CHROME = "Mozilla/5.0 (Linux; Android 13; TECNO KI5q) AppleWebKit/537.36 (KHTML, like Gecko)";
test.each([
  [`${CHROME} Chrome/120.0.0.0 Mobile Safari/537.36`, false],
  [`${CHROME.replace(")", "; wv)")} Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36`, true],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    false,
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 [FBAN/FBIOS;FBAV/440.0]", true],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Instagram 300.0.0", true],
])("%s is inside another app: %s", (userAgent, isInside) => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  expect(isInsideAnotherApp()).toBe(isInside);
  vi.restoreAllMocks();
});

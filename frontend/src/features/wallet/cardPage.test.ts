import { afterEach, expect, test, vi } from "vitest";
import { cardPageUrl, openCardTab } from "./cardPage";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["https://checkout.paystack.com/abc", "https://checkout.paystack.com/abc"],
  // The tests' own page is on localhost, as in development.
  ["http://127.0.0.1:8090/card/abc", "http://127.0.0.1:8090/card/abc"],
  ["http://checkout.paystack.com/abc", null],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["/relative", null],
  ["", null],
  [null, null],
])("%s may be opened as %s", (url, opened) => {
  expect(cardPageUrl(url)).toBe(opened);
});

test("the tab is opened before its page is known, and cannot reach back", () => {
  const replace = vi.fn();
  const tab = { opener: window, closed: false, close: vi.fn(), location: { replace } };
  vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
  const opened = openCardTab();
  expect(tab.opener).toBeNull();
  expect(opened.show("https://checkout.paystack.com/abc")).toBe(true);
  expect(replace).toHaveBeenCalledWith("https://checkout.paystack.com/abc");
});

test("a blocked tab is reported, so that the player opens the page with a second tap", () => {
  vi.spyOn(window, "open").mockReturnValue(null);
  expect(openCardTab().show("https://checkout.paystack.com/abc")).toBe(false);
});

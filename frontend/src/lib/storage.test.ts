import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deviceStorage, tabStorage } from "./storage";

const refused = () => {
  throw new DOMException("exceeded the quota", "QuotaExceededError");
};

beforeEach(() => {
  deviceStorage.clear();
  tabStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

test("values are in the browser's storage, and each storage has its own", () => {
  deviceStorage.setItem("a", "1");
  expect(localStorage.getItem("a")).toBe("1");
  expect(tabStorage.getItem("a")).toBeNull();
  deviceStorage.removeItem("a");
  expect(localStorage.getItem("a")).toBeNull();
});

describe.each([
  ["full", ["setItem"]],
  ["blocked", ["getItem", "setItem", "removeItem", "clear"]],
] as const)("a storage that is %s", (_, methods) => {
  beforeEach(() => {
    localStorage.setItem("a", "older");
    for (const method of methods) vi.spyOn(Storage.prototype, method).mockImplementation(refused);
  });

  test("keeps values in memory", () => {
    deviceStorage.setItem("a", "1");
    expect(deviceStorage.getItem("a")).toBe("1");
    deviceStorage.removeItem("a");
    deviceStorage.setItem("b", "2");
    deviceStorage.clear();
    expect(deviceStorage.getItem("b")).toBeNull();
  });
});

test("a value that could not be stored leaves the older one, which may be the key of a payment", () => {
  localStorage.setItem("a", "older");
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(refused);
  deviceStorage.setItem("a", "1");
  expect(deviceStorage.getItem("a")).toBe("1");
  expect(localStorage.getItem("a")).toBe("older");
});

import { expect, test } from "vitest";
import { knownWorld, worldOf } from "./world";

test.each([
  ["Ajua Sunday League", "ajua"],
  ["MANENO ya Usiku", "maneno"],
  ["Friday Dash Cup", "dash"],
])("%s is in the world of %s", (name, world) => {
  expect(worldOf(name)).toBe(world);
});

test("another game always gets the same world, and none of our art", () => {
  expect(worldOf("Chess")).toBe(worldOf("Chess"));
  expect(knownWorld("Chess")).toBeNull();
});

import { fireEvent, render } from "@testing-library/react";
import { expect, test } from "vitest";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { aPlayer } from "@/test/players";

type Shown = Parameters<typeof PlayerAvatar>[0]["player"];

function show(player: Shown) {
  const { container } = render(<PlayerAvatar player={player} size={48} />);
  const picture = () => container.querySelector("img");
  const figure = () => container.querySelector("svg");
  return { container, picture, figure };
}

test("a player's picture is shown", () => {
  const { container, picture } = show(aPlayer({ profilePic: "/media/wanjiru.jpg" }));
  expect(picture()).toHaveAttribute("src", "/media/wanjiru.jpg");
  expect(container.textContent).toBe("");
});

test.each([
  ["the name", { name: "wanjiru Kamau" }, "W"],
  ["the email of a player without a name", { name: null, email: "amina@example.com" }, "A"],
])("without a picture the first letter of %s is shown", (_what, profile, letter) => {
  const { container, picture, figure } = show(aPlayer({ profilePic: null, ...profile }));
  expect(container.textContent).toBe(letter);
  expect([picture(), figure()]).toEqual([null, null]);
});

test.each([
  ["without a name and an email", aPlayer({ profilePic: null, name: null, email: null })],
  ["whose profile has not loaded", null],
])("a drawn figure stands for a player %s", (_who, player) => {
  const { container, picture, figure } = show(player);
  expect(figure()).toBeVisible();
  expect(container.textContent).toBe("");
  expect(picture()).toBeNull();
});

test("a picture that cannot be loaded is replaced by the letter", () => {
  const { container, picture } = show(aPlayer({ profilePic: "/media/gone.jpg" }));
  fireEvent.error(picture() as Element);
  expect(picture()).toBeNull();
  expect(container.textContent).toBe("W");
});

import { fireEvent, render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Avatar, filesOf } from "./Avatar";

const NAME = "0123456789abcdef0123456789abcdef";
const PICTURE = `/media/profile/p1/${NAME}.jpg`;
const THUMBNAIL = `/media/profile/p1/${NAME}-tjpg.jpg`;

test("a list shows a profile's thumbnail, and a large place the picture", () => {
  expect(filesOf(PICTURE, 48)).toEqual([THUMBNAIL, PICTURE]);
  expect(filesOf(PICTURE, 60)).toEqual([PICTURE]);
  for (const other of ["/media/chat/p1/a.jpg", "/content/room.svg", "https://x.example/me.jpg", THUMBNAIL])
    expect(filesOf(other, 36)).toEqual([other]);
});

test("a picture without a thumbnail is shown itself, and without a picture the first letter", () => {
  const { container } = render(<Avatar src={PICTURE} name="amina" size={36} />);
  const image = () => container.querySelector("img");
  const fail = () => {
    const shown = image();
    if (shown) fireEvent.error(shown);
  };
  expect(image()).toHaveAttribute("src", THUMBNAIL);
  fail();
  expect(image()).toHaveAttribute("src", PICTURE);
  fail();
  expect(image()).toBeNull();
  expect(container).toHaveTextContent("A");
});

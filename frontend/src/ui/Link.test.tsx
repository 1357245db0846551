import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderRoutes } from "@/test/render";
import { Link, MenuLink } from "@/ui/Link";

function menu() {
  return renderRoutes(
    [
      {
        path: "*",
        element: (
          <nav>
            <MenuLink to="/wallet">Wallet</MenuLink>
            <MenuLink to="/rooms">Rooms</MenuLink>
            <Link to="/amount" replace state={{ type: "TOP-UP" }}>
              Top up
            </Link>
          </nav>
        ),
      },
    ],
    ["/start", "/wallet"],
  );
}

test("a menu marks only the entry of the current page", async () => {
  const user = userEvent.setup();
  menu();
  expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Wallet");
  await user.click(screen.getByRole("link", { name: "Rooms" }));
  expect(await screen.findByRole("link", { name: "Rooms", current: "page" })).toBeVisible();
  expect(screen.getAllByRole("link", { current: "page" })).toHaveLength(1);
});

test("a link passes its state on and replaces the history entry when asked to", async () => {
  const user = userEvent.setup();
  const router = menu();
  const link = screen.getByRole("link", { name: "Top up" });
  expect(link).toHaveAttribute("href", "/amount");
  await user.click(link);
  expect(router.state.location).toMatchObject({ pathname: "/amount", state: { type: "TOP-UP" } });
  await router.navigate(-1);
  expect(router.state.location.pathname).toBe("/start");
});

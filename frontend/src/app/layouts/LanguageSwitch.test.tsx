import { useQuery, useQueryClient } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageSwitch } from "@/app/layouts/LanguageSwitch";
import { texts as swahili } from "@/app/locales/sw";
import { paths } from "@/app/paths";
import { inPlayersLanguage } from "@/app/texts";
import * as i18n from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { renderRoutes } from "@/test/render";

afterEach(() => i18n.changeLanguage("en"));

function Page() {
  return (
    <>
      <h1>{i18n.t("account.title")}</h1>
      <input aria-label="draft" />
      <ul>
        <LanguageSwitch />
      </ul>
    </>
  );
}

test("a change renders the screen again and keeps what was typed", async () => {
  i18n.addTexts("sw", swahili);
  renderRoutes([{ path: paths.home, Component: inPlayersLanguage(Page) }], [paths.home]);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("draft"), "hello");
  expect(screen.getByRole("button", { name: "English" })).toHaveAttribute("aria-pressed", "true");
  await user.click(screen.getByRole("button", { name: "Kiswahili" }));
  expect(await screen.findByRole("heading", { name: "Akaunti" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Kiswahili" })).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByRole("group", { name: "Lugha" })).toBeVisible();
  expect(screen.getByLabelText("draft")).toHaveValue("hello");
});

test("a change fetches again what has texts of the gateway", async () => {
  i18n.addTexts("sw", swahili);
  let asked = 0;
  function Details() {
    const { data } = useQuery({ queryKey: ["details"], queryFn: () => Promise.resolve(++asked) });
    return (
      <>
        <output>{data}</output>
        <LanguageSwitch />
      </>
    );
  }
  renderRoutes([{ path: paths.home, Component: Details }], [paths.home]);
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("1"));
  await userEvent.click(screen.getByRole("button", { name: "Kiswahili" }));
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("2"));
});

test("a page that began with an item of a list is fetched again, too", async () => {
  i18n.addTexts("sw", swahili);
  function Details() {
    const client = useQueryClient();
    const { data } = useQuery({
      queryKey: ["game"],
      queryFn: () => Promise.resolve("Run again"),
      initialData: () => client.getQueryData<string>(["games"]),
      staleTime: Number.POSITIVE_INFINITY,
    });
    return <output>{data}</output>;
  }
  function Screen() {
    const client = useQueryClient();
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => client.setQueryData(["games"], "Run")}>
          list
        </button>
        <button type="button" onClick={() => setOpen(!open)}>
          open or close
        </button>
        {open && <Details />}
        <LanguageSwitch />
      </>
    );
  }
  renderRoutes([{ path: paths.home, Component: Screen }], [paths.home]);
  await userEvent.click(screen.getByRole("button", { name: "list" }));
  await userEvent.click(screen.getByRole("button", { name: "open or close" }));
  expect(screen.getByRole("status")).toHaveTextContent("Run");
  await userEvent.click(screen.getByRole("button", { name: "open or close" }));
  await userEvent.click(screen.getByRole("button", { name: "Kiswahili" }));
  await screen.findByRole("group", { name: "Lugha" });
  await userEvent.click(screen.getByRole("button", { name: "open or close" }));
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("Run again"));
});

test("a language that cannot be loaded changes nothing and says why", async () => {
  vi.spyOn(i18n, "changeLanguage").mockRejectedValueOnce(new TypeError("lost"));
  const said = vi.spyOn(toast, "error").mockImplementation(() => {});
  renderRoutes([{ path: paths.home, Component: Page }], [paths.home]);
  await userEvent.click(screen.getByRole("button", { name: "Kiswahili" }));
  await act(async () => {});
  expect(said).toHaveBeenCalledWith("We could not reach PlayOn. Check your connection and try again.");
  expect(screen.getByRole("button", { name: "English" })).toHaveAttribute("aria-pressed", "true");
});

import { useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { currentPlayer, dropSession, savePlayer, saveSession } from "@/lib/session/session";
import { aPlayer, aSession } from "@/test/players";
import { QueryProvider } from "./DataLayout";

/** Shows the cached value of a key, and fetches it only when it is not cached. */
function CachedAmount({ fetched }: { readonly fetched: string }) {
  const { data } = useQuery({
    queryKey: ["amount"],
    queryFn: () => fetched,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <p>{data ?? "nothing yet"}</p>;
}

async function renderAmount(fetched: string): Promise<string | null> {
  const { container, unmount } = render(
    <QueryProvider>
      <CachedAmount fetched={fetched} />
    </QueryProvider>,
  );
  const before = container.textContent;
  await screen.findByText(before === "nothing yet" ? fetched : String(before));
  unmount();
  return before;
}

test("cached data of one player is never shown to the next", async () => {
  act(() => saveSession(aSession()));
  expect(await renderAmount("KES 100")).toBe("nothing yet");
  expect(await renderAmount("KES 200")).toBe("KES 100");
  act(() => saveSession(aSession({ accessToken: "access-2", refreshToken: "refresh-2" })));
  expect(await renderAmount("KES 200")).toBe("KES 100");

  act(() => saveSession(aSession({ uid: "p2" })));
  expect(await renderAmount("KES 300")).toBe("nothing yet");
  act(dropSession);
  expect(await renderAmount("KES 0")).toBe("nothing yet");
});

test("a profile is dropped when another player signs in", () => {
  saveSession(aSession());
  savePlayer(aPlayer());
  saveSession(aSession({ accessToken: "access-2" }));
  expect(currentPlayer()?.uid).toBe("p1");
  saveSession(aSession({ uid: "p2" }));
  expect(currentPlayer()).toBeNull();
});

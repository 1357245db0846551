import { expect, test } from "vitest";
import { practiceUrl, sessionUrl } from "./launch";

const ticket = "https://games.example/play/dash/?username=p1&tournamentId=c1#session=a%2Fb&game=dash";

test("a run keeps the server's URL as it is, with the language beside the ticket", () => {
  expect(sessionUrl(ticket, { go: false, language: "sw" })).toBe(`${ticket}&lang=sw`);
});

test("another run skips the title screen", () => {
  expect(sessionUrl(ticket, { go: true, language: "en" })).toBe(`${ticket}&lang=en&go=1`);
});

test("a practice run has no session and names the game, so that the way back finds it", () => {
  const game = { id: "dash", gameUrl: "https://games.example/play/dash/" };
  expect(practiceUrl(game, { go: false, isGuest: false, language: "en" })).toBe(
    "https://games.example/play/dash/?game=dash&lang=en",
  );
  expect(practiceUrl(game, { go: true, isGuest: true, language: "sw" })).toBe(
    "https://games.example/play/dash/?game=dash&lang=sw&guest=1#go=1",
  );
});

test.each(["javascript:alert(1)", "data:text/html,x", "http://["])("%s is not opened", (gameUrl) => {
  expect(sessionUrl(gameUrl, { go: false, language: "en" })).toBeNull();
  expect(practiceUrl({ id: "x", gameUrl }, { go: false, isGuest: false, language: "en" })).toBeNull();
});

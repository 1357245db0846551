import { describe, expect, test } from "vitest";
import { countries, currencies } from "@/test/references";
import { choiceOfCountry, choiceOfCurrency, groupChoices, isSearch, searchChoices } from "./model";
import { countryName } from "./names";

const all = countries.map(choiceOfCountry);
const names = (choices: readonly { name: string }[]) => choices.map(({ name }) => name);

describe("a search", () => {
  test.each([
    ["kenya", ["Kenya"]],
    ["KENYA ", ["Kenya"]],
    ["ken", ["Kenya"]],
    ["cote d'ivoire", ["Côte d’Ivoire"]],
    ["CÔTE DIVOIRE", ["Côte d’Ivoire"]],
    ["aland", ["Åland Islands"]],
    ["guinea bissau", ["Guinea-Bissau"]],
    ["kingdom", ["United Kingdom"]],
    ["gb", ["United Kingdom"]],
    ["GBR", ["United Kingdom"]],
    ["narnia", []],
  ])("for %s finds %j", (query, expected) => {
    expect(names(searchChoices(all, query))).toEqual(expected);
  });

  test("ranks names that begin with the query before names that contain it", () => {
    // Åland begins with "a". Uganda only ends with it.
    expect(names(searchChoices(all, "a"))).toEqual(["Åland Islands", "Guinea-Bissau", "Kenya", "Uganda"]);
    expect(names(searchChoices(all, "u"))).toEqual(["Uganda", "United Kingdom", "Guinea-Bissau"]);
  });

  test("finds a currency by its code and by a word of its name", () => {
    const choices = currencies.map(choiceOfCurrency);
    expect(names(searchChoices(choices, "ugx"))).toEqual(["Uganda Shilling"]);
    expect(names(searchChoices(choices, "shill"))).toEqual(["Kenyan Shilling", "Uganda Shilling"]);
  });

  test.each(["", "  ", "-", "’"])("of %j is empty", (query) => expect(isSearch(query)).toBe(false));
});

describe("the list without a search", () => {
  test("has the player's own choice and Kenya first, then regions and names in order, each once", () => {
    const groups = groupChoices(all, "UG", "Suggested");
    expect(groups.map(({ name, choices }) => [name, names(choices)])).toEqual([
      ["Suggested", ["Uganda", "Kenya"]],
      ["Africa", ["Côte d’Ivoire", "Guinea-Bissau"]],
      ["Europe", ["Åland Islands", "United Kingdom"]],
    ]);
  });

  test("has no suggestions when none apply", () => {
    expect(groupChoices([], null, "Suggested")).toEqual([]);
    const [, , , europe] = all;
    expect(groupChoices(europe ? [europe] : [], null, "Suggested").map(({ name }) => name)).toEqual([
      "Europe",
    ]);
  });
});

test("names come from the browser, and an unknown code is its own name", () => {
  expect(countryName("KE")).toBe("Kenya");
  expect(countryName("no code")).toBe("no code");
});

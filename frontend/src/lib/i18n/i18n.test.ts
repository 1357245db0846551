import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { formatDate, formatKes } from "@/lib/format";
import { send } from "@/lib/http/envelope";
import { addTexts, changeLanguage, loadTexts, provideCatalogue, type Translation, t } from "./i18n";
import { currentLanguage } from "./language";

const anyCatalogue = "wallet";

function provide(sw: () => Promise<{ texts: Record<string, string> }>) {
  provideCatalogue(anyCatalogue, { en: () => Promise.resolve({ texts: {} }), sw });
}

beforeEach(() => provide(() => Promise.resolve({ texts: { "wallet.title": "Pochi" } })));
afterEach(() => changeLanguage("en"));

describe("a text", () => {
  test("has its names filled in, and its numbers written as the language does", () => {
    expect(t("wallet.available", { amount: "KES 5.00" })).toBe("KES 5.00 available");
    expect(t("picker.found", { count: 1250 })).toBe("1,250 found");
  });

  test("takes the form that its count needs", () => {
    expect(t("chat.members", { count: 1 })).toBe("1 member");
    expect(t("chat.members", { count: 1250 })).toBe("1,250 members");
  });

  test("must be given its names, which the compiler checks", () => {
    // @ts-expect-error the amount is missing
    t("wallet.available");
    // @ts-expect-error a count is a number, so that its form can be chosen
    t("chat.members", { count: "2" });
    // @ts-expect-error there is no such key
    expect(t("wallet.nothing")).toBe("wallet.nothing");
  });

  test("must keep its names in another language, which the compiler checks", () => {
    type Invented = Translation<{ readonly a: "{amount} of {total}"; readonly b: "plain" }>;
    const good: Invented = { a: "{total}: {amount}", b: "wazi" };
    // @ts-expect-error the total is missing
    const lost: Invented = { a: "{amount}", b: "wazi" };
    // @ts-expect-error a key is missing
    const short: Invented = { b: "wazi" };
    expect([good, lost, short]).toHaveLength(3);
  });
});

describe("the language", () => {
  test("changes once its texts are here, is kept on the device and named in the page", async () => {
    await loadTexts(anyCatalogue);
    const change = changeLanguage("sw");
    expect(currentLanguage()).toBe("en");
    await change;
    expect(t("wallet.title")).toBe("Pochi");
    expect(localStorage.getItem("language")).toBe("sw");
    expect(document.documentElement.lang).toBe("sw");
  });

  test("stays when its texts cannot be loaded, and can be tried again", async () => {
    await loadTexts(anyCatalogue);
    vi.resetModules();
    const { changeLanguage: change, loadTexts: load, provideCatalogue: register } = await import("./i18n");
    const language = await import("./language");
    let isLost = true;
    const sw = () => (isLost ? Promise.reject(new TypeError("lost")) : Promise.resolve({ texts: {} }));
    register(anyCatalogue, { en: () => Promise.resolve({ texts: {} }), sw });
    await load(anyCatalogue);
    await expect(change("sw")).rejects.toThrow("lost");
    expect(language.currentLanguage()).toBe("en");
    isLost = false;
    await change("sw");
    expect(language.currentLanguage()).toBe("sw");
  });

  test("loads the catalogues of its own language alone", async () => {
    await changeLanguage("sw");
    // Reset the modules: a catalogue that another test has loaded would not be loaded again.
    vi.resetModules();
    const { loadTexts: load, provideCatalogue: register } = await import("./i18n");
    const en = vi.fn(() => Promise.resolve({ texts: {} }));
    const sw = vi.fn(() => Promise.resolve({ texts: {} }));
    register(anyCatalogue, { en, sw });
    await load(anyCatalogue);
    expect(sw).toHaveBeenCalledOnce();
    expect(en).not.toHaveBeenCalled();
  });

  test("writes dates in its own words and money as in English", async () => {
    await changeLanguage("sw");
    addTexts("sw", { "money.kes": "KES {amount}" });
    expect(formatDate(new Date(2026, 10, 22))).toBe("22 Novemba 2026");
    expect(formatKes(1250)).toBe("KES 1,250.00");
  });

  test.each([
    [["sw-TZ", "en-GB"], "sw"],
    [["fr-FR", "sw"], "sw"],
    [["en-KE", "sw-KE"], "en"],
    [["fr-FR"], "en"],
  ])("is at first the phone's: %j gives %s", async (languages, expected) => {
    localStorage.clear();
    vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
    vi.resetModules();
    expect((await import("./language")).currentLanguage()).toBe(expected);
  });

  test("is asked for with every call", async () => {
    const calls = vi.fn(() => Promise.resolve(Response.json({ statusCode: 200, statusMessage: "OK" })));
    vi.stubGlobal("fetch", calls);
    await send("/games");
    await changeLanguage("sw");
    await send("/games");
    const headers = calls.mock.calls.map((call) => (call as unknown as [string, RequestInit])[1].headers);
    expect(headers.map((each) => (each as Headers).get("accept-language"))).toEqual(["en-GB", "sw-KE"]);
  });
});

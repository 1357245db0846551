import type { Language, Text } from "@sdk/types";

const english = {
  tooShort: "3 letters or more",
  notAWord: "Not in the list",
  repeated: "Already found",
  found: "Found words",
  foundNone: "Your words land here",
  hidden: "Hidden word: {n} letters",
  hiddenFound: "Hidden word found!",
  goal: "Hidden word!",
  chain: "Chain of {n}",
  time: "Time's up!",
  allFound: "Every word found!",
  missed: "The longest one you missed",
  of: "{n} of {all} words",
  longest: "Your longest: {word}",
  sources: "Words: SCOWL and the Kiswahili spelling list (LGPL)",
  play: "Play {word}",
  seconds: "{n} seconds left",
  accepted: "{word}, {n} points",
  board: "Letters. Type a word and press Enter, or tap letters that touch.",
  cell: "{letter}, row {row}, column {column}",
};

export type ManenoText = keyof typeof english;

const swahili: Record<ManenoText, string> = {
  tooShort: "Herufi 3 au zaidi",
  notAWord: "Halipo kwenye orodha",
  repeated: "Umeshalipata",
  found: "Maneno yako",
  foundNone: "Maneno yako yatatua hapa",
  hidden: "Neno lililofichwa: herufi {n}",
  hiddenFound: "Umepata neno lililofichwa!",
  goal: "Neno la siri!",
  chain: "Mfululizo wa {n}",
  time: "Muda umeisha!",
  allFound: "Umepata maneno yote!",
  missed: "Neno refu lililokupita",
  of: "Maneno {n} kati ya {all}",
  longest: "Neno lako refu: {word}",
  sources: "Maneno: SCOWL na orodha ya tahajia ya Kiswahili (LGPL)",
  play: "Cheza {word}",
  seconds: "Zimebaki sekunde {n}",
  accepted: "{word}, alama {n}",
  board: "Herufi. Andika neno kisha ubonyeze Enter, au gusa herufi zinazopakana.",
  cell: "{letter}, mstari {row}, safu {column}",
};

const texts: Record<Language, Record<ManenoText, string>> = { en: english, sw: swahili };

export function say(
  language: Language,
  key: ManenoText,
  values: Record<string, string | number> = {},
): string {
  return texts[language][key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** Praise for words of 6, 7, 8 letters and more: these are said in Kenya in any language. */
export const praises = ["Safi!", "Noma!", "Moto!"];

export const tagline: Text = {
  en: "90 seconds, 25 letters. How many words can you find?",
  sw: "Sekunde 90, herufi 25. Utapata maneno mangapi?",
};

export const gestureTexts: [Text, Text, Text] = [
  {
    en: "Drag through letters that touch, any way you like",
    sw: "Buruta kupitia herufi zinazopakana, upande wowote",
  },
  {
    en: "Let go to play the word. Longer words win more",
    sw: "Inua kidole ucheze neno. Neno refu lina alama zaidi",
  },
  {
    en: "Be quick: words in a row make a chain of bonus points",
    sw: "Harakisha: maneno yanayofuatana huongeza alama",
  },
];

export const levelNames: [Text, Text] = [
  { en: "Kiswahili words", sw: "Kiswahili" },
  { en: "English words", sw: "Kiingereza" },
];

export const keyTexts: [string, Text][] = [
  ["A – Z", { en: "Spell a word", sw: "Andika neno" }],
  ["Enter", { en: "Play it", sw: "Licheze" }],
  ["Backspace", { en: "Take a letter back", sw: "Futa herufi" }],
];

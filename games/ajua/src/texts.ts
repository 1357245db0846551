import type { Language } from "../../sdk/types";

/** `{name}` is the opponent's name. */
const en = {
  you: "You",
  opponent: "Opponent",
  yourTurn: "Your turn",
  sowing: "You sow",
  itSows: "Sowing",
  calm: "Takes it slowly",
  greedy: "Grabs the biggest catch",
  clever: "Thinks ahead",
  choose: "Choose your opponent",
  worth: "{n} points a seed",
  pick: "Hold to look ahead",
  catches: "Catches {n} seeds",
  sleeps: "No catch",
  rounds: "{n} laps, no catch",
  first: "First to {n} wins",
  myPit: "Your pit {pit}: {n} seeds",
  itsPit: "{name}'s pit {pit}: {n} seeds",
  forecast: "the last seed falls in {where}",
  mine: "your pit {pit}",
  its: "{name}'s pit {pit}",
  saidCatch: "You caught {n}.",
  saidLoss: "{name} caught {n}.",
  saidState: "You have {mine}, {name} has {its}. Your turn.",
  won: "You won!",
  close: "So close!",
  lost: "Lost this one",
  drawn: "A draw",
  seeds: "{n} seeds",
  lead: "lead of {n}",
  quick: "in {n} moves",
  missed: "Move {move} let {n} seeds go",
  missedHow: "Pit {pit} would have caught them",
  tip: "Keep a pit empty",
  tipHow: "A last seed there catches the pit across",
  empty: "This pit is empty",
};

export type TextKey = keyof typeof en;

const sw: Record<TextKey, string> = {
  you: "Wewe",
  opponent: "Mpinzani",
  yourTurn: "Zamu yako",
  sowing: "Unapanda",
  itSows: "Anapanda",
  calm: "Hana haraka",
  greedy: "Mlafi wa mbegu",
  clever: "Mjanja, huona mbele",
  choose: "Chagua mpinzani wako",
  worth: "Alama {n} kwa kila mbegu",
  pick: "Shikilia uone mbele",
  catches: "Inakamata mbegu {n}",
  sleeps: "Haikamati",
  rounds: "Mizunguko {n}, hakuna",
  first: "Mbegu {n} zinashinda",
  myPit: "Shimo lako la {pit}: mbegu {n}",
  itsPit: "Shimo la {pit} la {name}: mbegu {n}",
  forecast: "mbegu ya mwisho inaangukia {where}",
  mine: "shimo lako la {pit}",
  its: "shimo la {pit} la {name}",
  saidCatch: "Umekamata {n}.",
  saidLoss: "{name} amekamata {n}.",
  saidState: "Una {mine}, {name} ana {its}. Zamu yako.",
  won: "Umeshinda!",
  close: "Karibu sana!",
  lost: "Umeshindwa safari hii",
  drawn: "Sare",
  seeds: "mbegu {n}",
  lead: "uongozi wa {n}",
  quick: "kwa hatua {n}",
  missed: "Hatua ya {move} iliacha mbegu {n}",
  missedHow: "Shimo la {pit} lingezikamata",
  tip: "Acha shimo moja tupu",
  tipHow: "Mbegu ya mwisho hapo hukamata shimo la mkabala",
  empty: "Shimo hili ni tupu",
};

const ALL: Record<Language, Record<TextKey, string>> = { en, sw };

export type Say = (key: TextKey, values?: Record<string, string | number>) => string;

export function texts(language: Language): Say {
  const table = ALL[language];
  return (key, values = {}) =>
    table[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

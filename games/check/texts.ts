import type { Language } from "@sdk/types";

const english = {
  title: "Check this result",
  lead: "This page replays the winning runs on your phone. It does not trust PlayOn: the points follow from the rules, the seeds and the recorded taps alone.",
  loading: "Loading the runs…",
  checking: "Replaying the runs…",
  failed: "The runs did not load. Check your data and try again.",
  retry: "Retry",
  open: "The tournament is not over. Its result can be checked once the board is final.",
  notProof: "This file is not the proof of a result.",
  unknown: "There is no such tournament.",
  right: "Winning runs that your phone has replayed: {n}. All their points are right.",
  of: "{n} of",
  wrong: "Something is not right. The lines below say what.",
  nothing: "No run of this tournament is kept any more, so there is nothing to replay.",
  sealed: "The seeds fit the seal that was published with the tournament.",
  notSealed: "The seeds do not fit the seal.",
  notOrdered: "The places are not in the order of their points, or a player has two.",
  points: "{n} points",
  isRight: "right",
  isWrong: "not right",
  isNone: "no run is kept",
  seal: "Seal",
  rules: "Rules",
  details: "For experts",
  detailsText:
    "The seal is SHA-256 of the secret. Anybody could note it before the tournament began. The proof is a file: keep it, and check it again later.",
  keep: "Keep the proof",
  choose: "Choose a proof to check",
  back: "Back to PlayOn",
};

export type CheckText = keyof typeof english;

const swahili: Record<CheckText, string> = {
  title: "Kagua matokeo haya",
  lead: "Ukurasa huu unarudia michezo iliyoshinda kwenye simu yako. Hauiamini PlayOn: alama zinatokana na kanuni, mbegu na miguso iliyorekodiwa pekee.",
  loading: "Inapakia michezo…",
  checking: "Inarudia michezo…",
  failed: "Michezo haikupakiwa. Angalia data yako kisha ujaribu tena.",
  retry: "Jaribu tena",
  open: "Shindano halijaisha. Matokeo yake yanaweza kukaguliwa jedwali likishakamilika.",
  notProof: "Faili hii si uthibitisho wa matokeo.",
  unknown: "Hakuna shindano kama hilo.",
  right: "Michezo iliyoshinda ambayo simu yako imerudia: {n}. Alama zake zote ni sahihi.",
  of: "{n} kati ya",
  wrong: "Kuna kitu si sahihi. Mistari iliyo chini inasema ni nini.",
  nothing: "Hakuna mchezo wa shindano hili uliohifadhiwa tena, kwa hiyo hakuna cha kurudia.",
  sealed: "Mbegu zinalingana na muhuri uliotangazwa pamoja na shindano.",
  notSealed: "Mbegu hazilingani na muhuri.",
  notOrdered: "Nafasi hazijapangwa kwa alama, au mchezaji ana mbili.",
  points: "Alama {n}",
  isRight: "sahihi",
  isWrong: "si sahihi",
  isNone: "mchezo haujahifadhiwa",
  seal: "Muhuri",
  rules: "Kanuni",
  details: "Kwa wataalamu",
  detailsText:
    "Muhuri ni SHA-256 ya siri. Mtu yeyote angeweza kuuandika kabla ya shindano kuanza. Uthibitisho ni faili: uihifadhi, na uikague tena baadaye.",
  keep: "Hifadhi uthibitisho",
  choose: "Chagua uthibitisho wa kukagua",
  back: "Rudi PlayOn",
};

const texts: Record<Language, Record<CheckText, string>> = { en: english, sw: swahili };

export function translate(language: Language, key: CheckText, n?: number | string): string {
  return texts[language][key].replace("{n}", String(n ?? ""));
}

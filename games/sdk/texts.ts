import type { Language } from "./types";

/** The texts of the shell. `{n}` is a number. */
const english = {
  play: "Play",
  practice: "Practice",
  tournament: "Tournament",
  rankedRun: "Ranked run",
  watching: "Watching",
  watch: "Watch the run",
  watchAgain: "Watch again",
  watched: "That was the run",
  playYourself: "Play it",
  ofPoints: "of {n}",
  speed: "Speed: {n} times",
  best: "best",
  yourBest: "Your best: {n}",
  noBest: "No score yet. Set the first one!",
  howToPlay: "How to play",
  letsGo: "Let's go",
  pause: "Pause",
  paused: "Paused",
  resume: "Resume",
  restart: "Start over",
  leave: "Leave",
  leaveRanked: "If you leave, this run waits for you here, for two hours at most.",
  runWaits: "Your run waits where you left it.",
  waiting: "Waiting for the network",
  leaveLive:
    "If you leave, come back soon: this run may rest for two minutes in all. After that, open it once more to send what you have played.",
  beginsAgain: "Your run rested before its first five seconds arrived, so it begins again.",
  cut: "This run has rested for too long, so it has ended.",
  counted: "{n} points count: the rest came more than two minutes late.",
  newRun: "New run",
  elsewhere: "This run goes on in another window.",
  starting: "Starting…",
  notBegun: "The network is weak, so your run has not started. Nothing is lost: try again.",
  soundOn: "Sound is on",
  soundOff: "Sound is off",
  sound: "Sound",
  close: "Back to PlayOn",
  playAgain: "Play again",
  board: "Board",
  compete: "Play for the board",
  newBest: "New best!",
  first: "First score!",
  soClose: "So close!",
  wellPlayed: "Well played!",
  noPoints: "Better luck next time",
  points: "{n} points",
  moreThanBest: "{n} more than your best",
  lessThanBest: "{n} short of your best",
  equalsBest: "Exactly your best",
  firstScore: "Now you have a score to beat",
  rank: "You are {n}",
  onBoard: "{n} on the board",
  share: "Share",
  sending: "Checking your run…",
  retrying: "Weak network. We keep trying…",
  kept: "Your run is safe on this phone. We send it when you are online again.",
  proven: "Proven run",
  signed: "Signed result",
  claimed: "Friendly score",
  held: "Under review. Your points count once we have looked at the run.",
  notSent: "Practice run. It is not sent to any board.",
  guestResult:
    "Sign up, and your next run counts for the boards and their prizes, and you can watch your best one.",
  signUp: "Sign up",
  offlinePractice: "You are offline. Practice works, scores are not sent.",
  refused: "This run was not accepted.",
  expired: "This run took too long to reach us, so it does not count.",
  used: "This session was played already. Start a new run.",
  broken: "This link does not open a ranked run. You can practise, or start again from PlayOn.",
  brokenWatch: "This link does not open a run to watch. You can practise, or go back to PlayOn.",
  keptSent: "Your earlier run arrived: {n} points.",
  keptRefused: "Your earlier run was not accepted.",
  loadFailed: "The game did not load. Check your data and try again.",
  retry: "Retry",
  yourScore: "Your score",
  level: "Level",
  keys: "Keys",
  language: "Badili lugha iwe Kiswahili",
};

export type ShellText = keyof typeof english;

const swahili: Record<ShellText, string> = {
  play: "Cheza",
  practice: "Mazoezi",
  tournament: "Shindano",
  rankedRun: "Mchezo wa alama",
  watching: "Unatazama",
  watch: "Tazama mchezo",
  watchAgain: "Tazama tena",
  watched: "Mchezo ndio huo",
  playYourself: "Cheza",
  ofPoints: "kati ya {n}",
  speed: "Kasi: mara {n}",
  best: "bora",
  yourBest: "Alama zako bora: {n}",
  noBest: "Bado huna alama. Weka za kwanza!",
  howToPlay: "Jinsi ya kucheza",
  letsGo: "Twende",
  pause: "Simamisha",
  paused: "Umesimamisha",
  resume: "Endelea",
  restart: "Anza upya",
  leave: "Ondoka",
  leaveRanked: "Ukiondoka, mchezo huu utakusubiri hapa, kwa saa mbili tu.",
  runWaits: "Mchezo wako unakusubiri ulipouacha.",
  waiting: "Tunasubiri mtandao",
  leaveLive:
    "Ukiondoka, rudi mapema: mchezo huu unaweza kusimama kwa dakika mbili tu kwa jumla. Baada ya hapo, ufungue tena ili kutuma ulichocheza.",
  beginsAgain: "Mchezo wako ulisimama kabla ya sekunde tano za kwanza kufika, kwa hiyo unaanza upya.",
  cut: "Mchezo huu ulisimama kwa muda mrefu mno, kwa hiyo umeisha.",
  counted: "Alama {n} zinahesabiwa: zilizobaki zilichelewa kwa zaidi ya dakika mbili.",
  newRun: "Mchezo mpya",
  elsewhere: "Mchezo huu unaendelea kwenye dirisha lingine.",
  starting: "Unaanza…",
  notBegun: "Mtandao ni dhaifu, kwa hiyo mchezo wako haujaanza. Hujapoteza chochote: jaribu tena.",
  soundOn: "Sauti imewashwa",
  soundOff: "Sauti imezimwa",
  sound: "Sauti",
  close: "Rudi PlayOn",
  playAgain: "Cheza tena",
  board: "Jedwali",
  compete: "Shindania nafasi",
  newBest: "Rekodi mpya!",
  first: "Alama za kwanza!",
  soClose: "Karibu kabisa!",
  wellPlayed: "Umecheza vizuri!",
  noPoints: "Bahati njema wakati ujao",
  points: "Alama {n}",
  moreThanBest: "{n} zaidi ya alama zako bora",
  lessThanBest: "Zimebaki {n} kufikia bora zako",
  equalsBest: "Sawa na alama zako bora",
  firstScore: "Sasa una alama za kushinda",
  rank: "Uko nafasi ya {n}",
  onBoard: "Nafasi ya {n} kwenye jedwali",
  share: "Shiriki",
  sending: "Tunakagua mchezo wako…",
  retrying: "Mtandao ni dhaifu. Tunaendelea kujaribu…",
  kept: "Mchezo wako umehifadhiwa kwenye simu. Tutautuma ukirudi mtandaoni.",
  proven: "Umethibitishwa",
  signed: "Umetiwa sahihi",
  claimed: "Alama za kirafiki",
  held: "Unakaguliwa. Alama zitahesabiwa tukishautazama mchezo.",
  notSent: "Mazoezi. Alama hazitumwi popote.",
  guestResult:
    "Jisajili, na mchezo wako ujao utahesabiwa kwenye majedwali na kwa zawadi zake, na utaweza kutazama mchezo wako bora.",
  signUp: "Jisajili",
  offlinePractice: "Huna mtandao. Unaweza kufanya mazoezi, alama hazitumwi.",
  refused: "Mchezo huu haukukubaliwa.",
  expired: "Mchezo huu umechelewa kutufikia, kwa hiyo hauhesabiwi.",
  used: "Nafasi hii imeshachezwa. Anza mchezo mpya.",
  broken: "Kiungo hiki hakifungui mchezo wa alama. Fanya mazoezi, au anza tena kutoka PlayOn.",
  brokenWatch: "Kiungo hiki hakifungui mchezo wa kutazama. Fanya mazoezi, au rudi PlayOn.",
  keptSent: "Mchezo wako wa awali umefika: alama {n}.",
  keptRefused: "Mchezo wako wa awali haukukubaliwa.",
  loadFailed: "Mchezo haukufunguka. Angalia data yako kisha ujaribu tena.",
  retry: "Jaribu tena",
  yourScore: "Alama zako",
  level: "Kiwango",
  keys: "Vitufe",
  language: "Change the language to English",
};

const texts: Record<Language, Record<ShellText, string>> = { en: english, sw: swahili };

export function translate(language: Language, key: ShellText, n?: string | number): string {
  return texts[language][key].replace("{n}", String(n ?? ""));
}

export function formatNumber(value: number): string {
  return value.toLocaleString("en-GB");
}

/** 1st, 2nd, 11th; Swahili writes the number without an ending. */
export function ordinal(rank: number, language: Language): string {
  if (language === "sw") return formatNumber(rank);
  const tens = rank % 100;
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][rank % 10] ?? "th");
  return formatNumber(rank) + ending;
}

/** Chooses Swahili if the link, the player's choice or the phone says so. */
export function chooseLanguage(
  wanted: string | null | undefined,
  kept: string | null | undefined,
  phone: readonly string[],
): Language {
  for (const code of [wanted, kept, ...phone]) {
    if (code?.startsWith("sw")) return "sw";
    if (code?.startsWith("en")) return "en";
  }
  return "en";
}

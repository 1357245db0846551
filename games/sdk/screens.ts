import confettiUrl from "./art/confetti.svg?url";
import cheerUrl from "./art/duma-cheer.svg?url";
import sulkUrl from "./art/duma-sulk.svg?url";
import waveUrl from "./art/duma-wave.svg?url";
import { button, h, icon, link, round } from "./dom";
import type { ReportState } from "./report";
import { drawShareCard } from "./shareCard";
import { formatNumber, ordinal, type ShellText, translate } from "./texts";
import type { Game, Language, Result } from "./types";
import { verdictOf } from "./verdict";

export interface ScreenContext {
  game: Game;
  language: Language;
  reducedMotion: boolean;
  soundOn: boolean;
  /** The URL of the way back. */
  backUrl: string;
  toggleSound(): void;
}

const say = (context: ScreenContext, key: ShellText, n?: string | number): string =>
  translate(context.language, key, n);

export interface TitleOptions {
  mode: "practice" | "ranked" | "watch";
  /** What the large button says. */
  action: "play" | "resume" | "starting" | "watch";
  inTournament: boolean;
  best: number;
  level: number;
  notice: string | null;
  /** The URL of the app's page that starts a ranked run, if the game's id is known. */
  competeUrl: string | null;
  onPlay(level: number): void;
  /** Gives up the run that waits. */
  onNewRun(): void;
  onHowTo(): void;
  onLanguage(): void;
}

export function titleScreen(context: ScreenContext, options: TitleOptions): HTMLElement {
  const { game, language } = context;
  let level = options.level;
  const levels = options.mode === "practice" && game.levels ? game.levels : [];
  const chooser = h("div", { class: "levels", role: "group", "aria-label": say(context, "level") });
  for (const entry of levels) {
    const choice = h(
      "button",
      { type: "button", "aria-pressed": String(entry.level === level) },
      entry.name[language],
    );
    choice.addEventListener("click", () => {
      level = entry.level;
      for (const other of chooser.children) other.setAttribute("aria-pressed", String(other === choice));
    });
    chooser.append(choice);
  }
  const mode = h(
    "span",
    { class: "pill" },
    icon(options.mode === "watch" ? "play" : options.mode === "ranked" ? "trophy" : "star"),
    say(
      context,
      options.mode === "watch"
        ? "watching"
        : options.mode === "practice"
          ? "practice"
          : options.inTournament
            ? "tournament"
            : "rankedRun",
    ),
  );
  return h(
    "main",
    { class: `screen title ${game.art ? "still" : "live"}` },
    h("div", { class: "texture" }),
    h(
      "div",
      { class: "top" },
      h("a", { class: "round", href: context.backUrl, "aria-label": say(context, "close") }, icon("x")),
      h("span", { class: "grow" }),
      mode,
      soundButton(context),
    ),
    game.art && h("img", { class: "art", src: game.art, alt: "", width: 400, height: 300 }),
    h("span", { class: "grow" }),
    h("h1", {}, game.title),
    h("p", { class: "tagline" }, game.tagline[language]),
    options.notice && h("p", { class: "notice", role: "status" }, options.notice),
    h(
      "div",
      { class: "facts" },
      h(
        "span",
        { class: "pill" },
        icon("star", options.best > 0),
        options.best > 0 ? say(context, "yourBest", formatNumber(options.best)) : say(context, "noBest"),
      ),
    ),
    levels.length > 0 && chooser,
    h(
      "div",
      { class: "acts" },
      h(
        "button",
        {
          type: "button",
          class: "btn go big",
          "data-focus": true,
          "aria-disabled": options.action === "starting" && "true",
          onclick: () => options.onPlay(level),
        },
        icon("play", true),
        say(context, options.action),
      ),
    ),
    h(
      "div",
      { class: "acts minor" },
      button(say(context, "howToPlay"), options.onHowTo, { kind: "bare" }),
      // In a tournament a run that is given up is lost, so it is only finished.
      options.action === "resume" &&
        !options.inTournament &&
        button(say(context, "newRun"), options.onNewRun, { kind: "bare" }),
      options.competeUrl && options.mode === "practice"
        ? link(say(context, "compete"), options.competeUrl, { kind: "bare" })
        : null,
      h(
        "button",
        {
          type: "button",
          class: "btn bare",
          lang: language === "en" ? "sw" : "en",
          "aria-label": say(context, "language"),
          onclick: options.onLanguage,
        },
        language === "en" ? "Kiswahili" : "English",
      ),
    ),
  );
}

/** The screen of a game that did not load. */
export function failureScreen(context: ScreenContext): HTMLElement {
  const retry = button(say(context, "retry"), () => location.reload(), { kind: "go" });
  retry.dataset.focus = "";
  return h(
    "main",
    { class: "screen" },
    h("div", { class: "top" }, h("a", { class: "btn", href: context.backUrl }, say(context, "close"))),
    h(
      "div",
      { class: "dialog" },
      h("h2", {}, context.game.title),
      h("p", { class: "small" }, say(context, "loadFailed")),
      retry,
    ),
  );
}

export function soundButton(context: ScreenContext): HTMLButtonElement {
  const element = round(
    say(context, context.soundOn ? "soundOn" : "soundOff"),
    context.soundOn ? "soundOn" : "soundOff",
    () => {
      context.toggleSound();
      const label = say(context, context.soundOn ? "soundOn" : "soundOff");
      element.setAttribute("aria-label", label);
      element.title = label;
      element.replaceChildren(icon(context.soundOn ? "soundOn" : "soundOff"));
    },
  );
  return element;
}

export function tutorialScreen(context: ScreenContext, onDone: () => void): HTMLElement {
  const list = h("ol", { class: "gestures" });
  for (const gesture of context.game.gestures)
    list.append(
      h(
        "li",
        {},
        h("span", { html: gesture.picture, "aria-hidden": "true" }),
        gesture.text[context.language],
      ),
    );
  const done = button(say(context, "letsGo"), onDone, { kind: "go", icon: "play", filled: true });
  done.dataset.focus = "";
  return h(
    "div",
    { class: "screen veil", role: "dialog", "aria-modal": "true", "aria-label": say(context, "howToPlay") },
    h("div", { class: "dialog" }, h("h2", {}, say(context, "howToPlay")), list, keyList(context), done),
  );
}

/** Lists the keys, only on a device that probably has a keyboard. */
function keyList(context: ScreenContext): HTMLElement | null {
  if (!context.game.keys || !matchMedia("(hover: hover) and (pointer: fine)").matches) return null;
  const list = h("dl", { class: "keys", "aria-label": say(context, "keys") });
  for (const [key, text] of context.game.keys)
    list.append(h("dt", {}, key), h("dd", {}, text[context.language]));
  return list;
}

export interface PauseOptions {
  mode: "practice" | "ranked" | "watch";
  /** Whether the run may rest for so long only. */
  live: boolean;
  onResume(): void;
  onRestart(): void;
  onHowTo(): void;
}

export function pauseScreen(context: ScreenContext, options: PauseOptions): HTMLElement {
  const resume = button(say(context, "resume"), options.onResume, { kind: "go", icon: "play", filled: true });
  resume.dataset.focus = "";
  return h(
    "div",
    { class: "screen veil", role: "dialog", "aria-modal": "true", "aria-label": say(context, "paused") },
    h(
      "div",
      { class: "dialog" },
      h("h2", {}, say(context, "paused")),
      resume,
      options.mode === "practice" && button(say(context, "restart"), options.onRestart, { icon: "again" }),
      options.mode !== "watch" && button(say(context, "howToPlay"), options.onHowTo, { icon: "help" }),
      link(say(context, "leave"), context.backUrl, { icon: "leave" }),
      options.mode === "ranked" &&
        h("p", { class: "small" }, say(context, options.live ? "leaveLive" : "leaveRanked")),
    ),
  );
}

export interface ResultOptions {
  mode: "practice" | "ranked" | "watch";
  score: number;
  /** The best score before this run. */
  best: number;
  own: Result;
  againUrl: string | null;
  boardUrl: string | null;
  competeUrl: string | null;
  /** Whether the player has no account. */
  guest: boolean;
  onAgain(): void;
  /** Shares the result; null where the game has the window for itself. */
  onShare: ((points: number, picture: Blob | null) => void) | null;
}

export interface ResultScreen {
  element: HTMLElement;
  /** Whether the run is a new best that the shell celebrates with a sound. */
  celebrates: boolean;
  show(state: ReportState): void;
}

export function resultScreen(context: ScreenContext, options: ResultOptions): ResultScreen {
  const { score, own } = options;
  const watching = options.mode === "watch";
  const offline = !navigator.onLine;
  /** The points that count, and their place on the board, once the app has answered. */
  const counted: { points: number; rank: number | null } = { points: score, rank: null };
  const { celebrates, mood, ribbon, line } = verdictOf(options, context.language);
  const total = h("p", {
    class: "total",
    "aria-label": `${say(context, "yourScore")} ${formatNumber(score)}`,
  });
  countUp(total, score, context.reducedMotion);
  const comparison = h("p", { class: "line" }, line);
  const standing = h("section", { class: "standing", role: "status" });
  const again = options.againUrl
    ? link(say(context, "playAgain"), options.againUrl, { kind: "go", icon: "again" })
    : button(say(context, watching ? "watchAgain" : "playAgain"), options.onAgain, {
        kind: "go",
        icon: "again",
      });
  again.dataset.focus = "";
  const side = options.boardUrl
    ? link(say(context, "board"), options.boardUrl, { icon: "trophy" })
    : options.competeUrl && options.mode !== "ranked" && !offline
      ? link(
          say(context, watching ? "playYourself" : options.guest ? "signUp" : "compete"),
          options.competeUrl,
          { icon: watching ? "play" : "trophy" },
        )
      : null;
  const { onShare } = options;
  let isSharing = false;
  const share = async (): Promise<void> => {
    if (isSharing) return;
    isSharing = true;
    const { points, rank } = counted;
    const isWhole = points === score;
    const picture = drawShareCard({
      world: context.game.world,
      title: context.game.title,
      ribbon: isWhole ? ribbon : say(context, "wellPlayed"),
      isBest: isWhole && celebrates,
      points: formatNumber(points),
      place: rank === null ? null : say(context, "onBoard", ordinal(rank, context.language)),
      mascot: element.querySelector<HTMLImageElement>(".mascot"),
      site: new URL(context.backUrl).host,
    });
    onShare?.(points, await picture.catch(() => null));
    isSharing = false;
  };
  const shareButton =
    onShare && !watching && score > 0 ? round(say(context, "share"), "share", () => void share()) : null;
  const element = h(
    "main",
    { class: "screen result" },
    mood !== "sulk" && h("div", { class: "rays" }),
    h("div", { class: "texture" }),
    celebrates && confetti(),
    h(
      "div",
      { class: "top" },
      h("a", { class: "round", href: context.backUrl, "aria-label": say(context, "close") }, icon("x")),
      h("span", { class: "grow" }),
      h("span", { class: "pill trust", hidden: true }),
      shareButton,
    ),
    h("img", {
      class: "mascot",
      src: { cheer: cheerUrl, sulk: sulkUrl, wave: waveUrl }[mood],
      alt: "",
      width: 240,
      height: 240,
    }),
    h("p", { class: `ribbon ${celebrates ? "best" : ""}` }, ribbon),
    total,
    !watching && comparison,
    standing,
    own.card && h("div", { class: "own" }, own.card),
    h("div", { class: "acts" }, side, again),
  );
  const trust = element.querySelector<HTMLElement>(".trust");

  const write = (kind: string, ...parts: (Node | string)[]): void => {
    standing.className = `standing ${kind}`;
    standing.replaceChildren(...parts);
  };
  if (options.mode === "practice")
    write(
      "quiet",
      icon("star"),
      h("span", {}, say(context, offline ? "offlinePractice" : options.guest ? "guestResult" : "notSent")),
    );
  else if (watching) standing.hidden = true;
  else write("pending", icon("clock"), h("span", {}, say(context, "sending")));

  return {
    element,
    celebrates,
    show(state) {
      if (state.kind === "sending")
        write(
          "pending",
          icon("clock"),
          h("span", {}, say(context, state.attempt > 1 ? "retrying" : "sending")),
        );
      else if (state.kind === "kept") write("quiet", icon("clock"), h("span", {}, say(context, "kept")));
      else if (state.kind === "refused") {
        shareButton?.remove();
        const known: Record<string, ShellText> = { SESSION_EXPIRED: "expired", SESSION_USED: "used" };
        write(
          "quiet",
          icon("x"),
          h("span", {}, state.message || say(context, known[state.code] ?? "refused")),
        );
      } else {
        const { points, rank, trust: level } = state.standing;
        counted.points = points;
        // The place is that of the player's best run.
        counted.rank = level !== "HELD" && points === state.standing.best ? rank : null;
        // The server counts a part of a run that rested too long.
        if (points < score) comparison.textContent = say(context, "counted", formatNumber(points));
        if (level === "HELD") write("quiet", icon("clock"), h("span", {}, say(context, "held")));
        else if (rank === null)
          write(
            "quiet",
            icon("shield"),
            h(
              "span",
              {},
              say(context, level === "PROVEN" ? "proven" : level === "SIGNED" ? "signed" : "claimed"),
            ),
          );
        else {
          const place = h("b", { class: "num" }, ordinal(rank, context.language));
          const [before = "", after = ""] = say(context, "rank", "\u0001").split("\u0001");
          write(
            "ranked",
            icon("trophy"),
            h("span", { class: "grow" }, before, place, after),
            h("span", { class: "num" }, formatNumber(state.standing.best)),
          );
        }
        // Without a rank the line above already shows the trust.
        if (trust && rank !== null && level !== "HELD") {
          trust.hidden = false;
          trust.replaceChildren(
            icon("shield"),
            say(context, level === "PROVEN" ? "proven" : level === "SIGNED" ? "signed" : "claimed"),
          );
        }
      }
    },
  };
}

function countUp(element: HTMLElement, score: number, reducedMotion: boolean): void {
  if (reducedMotion || score <= 0) {
    element.textContent = formatNumber(score);
    return;
  }
  const DURATION = 900;
  let start = 0;
  const frame = (now: number): void => {
    start ||= now;
    const part = Math.min((now - start) / DURATION, 1);
    element.textContent = formatNumber(Math.round(score * (1 - (1 - part) ** 3)));
    if (part < 1) requestAnimationFrame(frame);
  };
  element.textContent = "0";
  requestAnimationFrame(frame);
}

/** 36 pieces in the brand's shapes, spread around the character and clear of the words. */
function confetti(): HTMLElement {
  const box = h("div", { class: "confetti", "aria-hidden": "true" });
  box.style.setProperty("--confetti", `url("${confettiUrl}")`);
  for (let index = 0; index < 36; index++) {
    const piece = h("i");
    const shape = index % 10;
    const across = (index * 61) % 92;
    // The pill at the top right stays readable.
    const top = Math.max((index * 37) % 46, across > 50 ? 15 : 0);
    // From the ribbon down, keep the pieces beside the words.
    piece.style.left = `${top < 20 ? across : across % 2 ? 2 + (across % 18) : 76 + (across % 17)}%`;
    piece.style.top = `${top}%`;
    piece.style.backgroundPositionX = `${shape * -22}px`;
    piece.style.transform = `rotate(${(index * 41) % 360}deg) scale(${0.6 + ((index * 7) % 6) / 10})`;
    piece.style.animationDelay = `${(index * 23) % 320}ms`;
    box.append(piece);
  }
  return box;
}

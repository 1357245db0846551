/** What a game's page tells the app's page around it. README.md, "Inside the app", has the messages. */
type FromGame =
  | { playon: "open" }
  | { playon: "keep"; key: string; text: string | null }
  | { playon: "run" }
  | { playon: "over" }
  | { playon: "back" }
  | { playon: "share"; points: number; picture: Blob | null }
  | { playon: "leave"; url: string };

/** What the phone keeps for a game, as text by key. */
export type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * The app's page around a game. The app keeps for the game what the game would put into local storage: browsers keep a frame's own storage
 * for a while only, or not at all.
 */
export class AppFrame {
  private constructor(
    private readonly origin: string,
    private readonly texts: Map<string, string>,
  ) {
    window.addEventListener("message", (message) => this.heard(message));
  }

  /** Asks the app at `origin` for what it keeps for the game. Returns null where the game has the window for itself. */
  static open(origin: string): Promise<AppFrame | null> {
    if (window.parent === window) return Promise.resolve(null);
    return new Promise((resolve) => {
      const heard = (message: MessageEvent): void => {
        if (message.source !== window.parent || message.origin !== origin) return;
        if (message.data?.playon !== "opened") return;
        window.removeEventListener("message", heard);
        resolve(new AppFrame(origin, new Map(Object.entries(message.data.kept))));
      };
      window.addEventListener("message", heard);
      say(origin, { playon: "open" });
    });
  }

  readonly kept: Kept = {
    getItem: (key) => this.texts.get(key) ?? null,
    setItem: (key, text) => {
      this.texts.set(key, text);
      say(this.origin, { playon: "keep", key, text });
    },
    removeItem: (key) => {
      this.texts.delete(key);
      say(this.origin, { playon: "keep", key, text: null });
    },
  };

  /** Is called when the player pressed Back during a run. */
  onBack: () => void = () => {};

  private heard({ source, origin, data }: MessageEvent): void {
    if (source !== window.parent || origin !== this.origin) return;
    if (data?.playon === "back") this.onBack();
    // Another window of the app has written for the same game.
    if (data?.playon !== "kept") return;
    if (data.text === null) this.texts.delete(data.key);
    else this.texts.set(data.key, data.text);
  }

  /** Tells the app that a run begins or goes on: Back pauses it first. */
  run(): void {
    say(this.origin, { playon: "run" });
  }

  /** Asks the app to go back, because Back has no run to pause. */
  back(): void {
    say(this.origin, { playon: "back" });
  }

  /** Tells the app that the run is over: the session in the page's address is used up. */
  over(): void {
    say(this.origin, { playon: "over" });
  }

  /** Asks the app to share a result, with its picture. */
  readonly share = (points: number, picture: Blob | null): void => {
    say(this.origin, { playon: "share", points, picture });
  };

  /** Asks the app to show another page of its own in the game's place. */
  leave(url: string): void {
    say(this.origin, { playon: "leave", url });
  }
}

function say(origin: string, message: FromGame): void {
  window.parent.postMessage(message, origin);
}

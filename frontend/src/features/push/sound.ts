/** Two short notes, each with its start in seconds. */
const NOTES = [
  [880, 0],
  [1174.7, 0.12],
] as const;
const NOTE_S = 0.22;
/** How late the sound may come, in milliseconds: a browser that waits for a gesture plays it at the next tap. */
const LATE_MS = 1_000;

/** The context of all chimes. An iPhone lets a context play at any time once it was started within a gesture. */
let audio: AudioContext | null = null;

function ring(audio: AudioContext): void {
  for (const [frequency, start] of NOTES) {
    const from = audio.currentTime + start;
    const gain = audio.createGain();
    gain.gain.setValueAtTime(0.12, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + NOTE_S);
    const note = audio.createOscillator();
    note.frequency.value = frequency;
    note.connect(gain).connect(audio.destination);
    note.start(from);
    note.stop(from + NOTE_S);
  }
}

/** Starts the context, calls `play` unless the browser let it wait, and lets the phone's speaker rest again. */
async function start(play: (audio: AudioContext) => void): Promise<void> {
  const asked = performance.now();
  try {
    audio ??= new AudioContext();
    await audio.resume();
    if (performance.now() - asked < LATE_MS) play(audio);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await audio.suspend();
  } catch {
    // A phone without sound still shows the toast.
  }
}

/** Lets chimes sound after the player's first tap. */
export function allowChimes(): void {
  window.addEventListener("click", () => void start(() => {}), { once: true });
}

/** Plays the sound of a notification. */
export function playChime(): void {
  void start(ring);
}

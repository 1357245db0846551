/** Two short notes, each with its start in seconds. */
const NOTES = [
  [880, 0],
  [1174.7, 0.12],
] as const;
const NOTE_S = 0.22;

/** Plays the sound of a notification. Silent where the browser has not seen a gesture yet. */
export function playChime(): void {
  try {
    const audio = new AudioContext();
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
    setTimeout(() => void audio.close(), 1_000);
  } catch {
    // A phone without sound still shows the toast.
  }
}

// Makes words/english.txt and words/swahili.txt from the unpacked Debian packages `scowl` and `hunspell-sw`:
//   node tools/select.mjs DIRECTORY-OF-SCOWL sw_TZ.dic
// The lists are committed; this script documents how they were made, and can make them again.
import { readFileSync, writeFileSync } from "node:fs";

const [scowl, dictionary] = process.argv.slice(2);
const here = (name) => new URL(`../words/${name}`, import.meta.url);
const lines = (text) => text.split(/\s+/).filter(Boolean);
const kept = (name) => lines(readFileSync(here(name), "utf8").replace(/^#.*$/gm, ""));

const SHORTEST = 3;
const LONGEST_HIDDEN = 9;
// English: the largest SCOWL size of a common word, and the longest words of each size.
const COMMON = 40;
const LONGEST_COMMON = 8;
const LONGEST_RARE = 6;
// Swahili: verbs have endless longer forms; from this length on, forms with a subject and a tense in front are left out, and infinitives
// that contain more than the verb.
const LONGEST_SWAHILI = 7;
const VERB_FORMS_FROM = 7;
const VERB_FORM = /^(a|wa|ni|u|tu|m|i|li|ya|ki|vi|zi|ku|pa|yu|ha|hawa|si)(li|na|ta|me|ka|nge|ki|po|sipo)/;

function save(name, words, hidden, refused) {
  const all = new Set(words.filter((word) => word.length >= SHORTEST && word.length <= LONGEST_HIDDEN));
  for (const word of hidden) if (word.length <= LONGEST_HIDDEN) all.add(word);
  for (const word of refused) all.delete(word);
  const sorted = [...all].sort();
  writeFileSync(here(name), `${sorted.join("\n")}\n`);
  console.log(name, sorted.length);
}

// English: the everyday sizes of SCOWL, British and American spellings, without names and abbreviations; of the longer words only the
// commonest.
function english() {
  const words = [];
  for (const kind of ["english", "british", "british_z", "american"]) {
    for (const size of [10, 20, 35, 40, 50]) {
      const longest = size <= COMMON ? LONGEST_COMMON : LONGEST_RARE;
      words.push(
        ...lines(readFileSync(`${scowl}/${kind}-words.${size}`, "latin1")).filter(
          (word) => /^[a-z]+$/.test(word) && word.length <= longest,
        ),
      );
    }
  }
  return words;
}

// Swahili: the spelling list contains cut words and foreign ones; Swahili syllables are open, so the syllables of a word decide.
const DIGRAPHS = { ch: "C", sh: "S", th: "T", dh: "D", gh: "Q", kh: "X", ny: "N" };
function soundsSwahili(word) {
  if (!/^[a-z]*[aeiou]$/.test(word) || /[qx]|c(?!h)|(.)\1\1|([^aeiou])\2|[aeiou]{4}/.test(word)) return false;
  const sounds = word.replace(/ch|sh|th|dh|gh|kh|ny/g, (pair) => DIGRAPHS[pair]);
  for (const { 0: run, index } of sounds.matchAll(/[^aeiou]+/g)) {
    let rest = run.length > 1 ? run.replace(/[wy]$/, "") : run;
    if (rest.length > 1) rest = rest.replace(/^[mn]/, "");
    if (rest.length < 2) continue;
    const loan = index > 0 && word.length >= 5 && rest.length === 2 && /^[lrsfkbtdhmngzTSDQX]/.test(rest);
    if (!loan) return false;
  }
  return true;
}

function swahili() {
  const short = kept("short-swahili.txt");
  const words = lines(readFileSync(dictionary, "latin1"))
    .slice(1)
    .map((line) => line.split("/")[0]);
  const listed = new Set(words);
  const isVerbForm = (word) => VERB_FORM.test(word) || (word.startsWith("ku") && !listed.has(word.slice(2)));
  const fits = (word) =>
    word.length <= LONGEST_SWAHILI &&
    soundsSwahili(word) &&
    !(word.length >= VERB_FORMS_FROM && isVerbForm(word));
  return [...words.filter((word) => word.length > SHORTEST && fits(word)), ...short];
}

save("english.txt", english(), kept("hidden-english.txt"), kept("refused-english.txt"));
save("swahili.txt", swahili(), kept("hidden-swahili.txt"), kept("refused-swahili.txt"));

/** The colours that the canvas draws with. Ajua's world is a lake at night, as the shell's own screens are. */
export const LAKE = {
  mat: "#14646a",
  far: "#08303a",
  zigzag: "rgb(147 236 210 / .09)",
};

/** The colour of the dotted way of the seeds. */
export const PATH = "#fff1d6";

/** Body, shade, rim and shine of a seed, in three kinds that differ only for variety. */
export const SEED_COLOURS: readonly [string, string, string, string][] = [
  ["#ffb224", "#d98a06", "#9a5e00", "#ffdf9a"],
  ["#fff1d6", "#e3c998", "#a3865a", "#ffffff"],
  ["#ff6b5e", "#d8443a", "#932019", "#ffb3a8"],
];

export const WOOD = {
  edge: "#4a210a",
  edgeLow: "#35170b",
  theirs: "#a65b20",
  theirsDeep: "#8f4a17",
  mine: "#d98a35",
  mineDeep: "#c47726",
  rim: "#f0ab52",
  grain: "rgb(74 33 10 / .16)",
  carve: "#6b3413",
  hollow: "#45200b",
  hollowDeep: "#2a1105",
  theirsLip: "#7d4015",
  mineLip: "#f6cf92",
  theirsInk: "#fff6e4",
  mineInk: "#3a1a06",
};

export const CATCH = "#3ddc97";
export const LOSS = "#ff6b5e";

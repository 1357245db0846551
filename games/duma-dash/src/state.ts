/** The layout of the rules' state: i32 words (rules/index.ts). */
export const TICK = 0;
export const DISTANCE = 1;
export const Y = 2;
export const VY = 3;
export const SPEED = 4;
export const SLIDE = 5;
export const LIVES = 6;
export const SAFE = 7;
export const SCORE = 8;
export const CHAIN = 9;
export const EVENTS = 10;
export const MISS_POINTS = 11;
export const JUMPS = 12;
export const MANGO_COUNT = 13;
export const EVENT_AT = 14;

export const EVENT_JUMP = 1;
export const EVENT_DOUBLE = 2;
export const EVENT_LAND = 4;
export const EVENT_SLIDE = 8;
export const EVENT_HIT = 16;
export const EVENT_MISS = 32;
export const EVENT_MANGO = 64;

export const HEADER = 20;
export const OBSTACLES = 10;
export const OBSTACLE_WORDS = 6;
export const MANGOES = 32;
export const MANGO_WORDS = 3;
export const MANGO_START = HEADER + OBSTACLES * OBSTACLE_WORDS;
export const WORDS = MANGO_START + MANGOES * MANGO_WORDS;

export const MOUND = 1;
export const TALL_MOUND = 2;
export const LOG = 3;
export const NESTS = 4;
export const BIRD = 5;
export const WATER = 6;

export const INPUT_JUMP = 1;
export const INPUT_SLIDE = 2;
export const SLIDE_TICKS = 40;
export const SAFE_TICKS = 80;
/** Distance that a bird flies per tick, in 1/256 units. */
export const BIRD_SPEED = 300;
export const LAST_TICK = 10_800;

import { drawDuma, FALLING, gallop, HURT, type Pose, RISING, SLIDING, TUCKED } from "./duma";
import * as things from "./things";
import { type Picture, picture } from "./things";

export const GALLOP_FRAMES = 10;
/** Units of the screen per unit of the character's art. */
const DUMA = 0.47;
export const DUMA_WIDTH = 130;
export const DUMA_HEIGHT = 112;

export interface Sprites {
  gallop: Picture[];
  rising: Picture;
  falling: Picture;
  tucked: Picture;
  sliding: Picture;
  hurt: Picture;
  mound: Picture;
  tallMound: Picture;
  log: Picture;
  nests: Picture;
  birdUp: Picture;
  birdDown: Picture;
  water: Picture;
  mango: Picture;
  shadow: Picture;
}

/** The runner at a gallop, which is all that the title shows. */
export type TitleSprites = Pick<Sprites, "gallop" | "shadow">;

export function makeTitleSprites(scale: number): TitleSprites {
  return {
    gallop: Array.from({ length: GALLOP_FRAMES }, (_, index) => duma(gallop(index / GALLOP_FRAMES), scale)),
    shadow: picture(80, 14, scale, (ctx) => {
      ctx.fillStyle = "rgb(10 4 20 / 34%)";
      ctx.beginPath();
      ctx.ellipse(0, -7, 38, 6, 0, 0, 7);
      ctx.fill();
    }),
  };
}

const duma = (pose: Pose, scale: number): Picture =>
  picture(DUMA_WIDTH, DUMA_HEIGHT, scale, (ctx) => {
    ctx.scale(DUMA, DUMA);
    ctx.translate(-112, -206);
    drawDuma(ctx, pose);
  });

/** Draws the other sprites, once per scale of device pixels per unit. */
export function makeSprites(title: TitleSprites, scale: number): Sprites {
  return {
    ...title,
    rising: duma(RISING, scale),
    falling: duma(FALLING, scale),
    tucked: duma(TUCKED, scale),
    sliding: duma(SLIDING, scale),
    hurt: duma(HURT, scale),
    mound: picture(56, 48, scale, things.mound),
    tallMound: picture(62, 96, scale, things.tallMound),
    log: picture(124, 50, scale, things.log),
    nests: picture(NESTS_WIDTH, NESTS_HEIGHT, scale, (ctx) => {
      ctx.translate(0, -NESTS_BELOW);
      things.nests(ctx);
    }),
    birdUp: picture(80, 64, scale, (ctx) => things.bird(ctx, 1)),
    birdDown: picture(80, 64, scale, (ctx) => things.bird(ctx, -1)),
    water: picture(200, 60, scale, (ctx) => things.water(ctx, 196)),
    mango: picture(28, 28, scale, things.mango),
  };
}

export const NESTS_WIDTH = 200;
export const NESTS_HEIGHT = 324;
/** Height of the picture below the nests: the trunk down to the ground. */
export const NESTS_BELOW = 46;

import type { Host, Result, RunInfo, Text, View } from "@sdk/types";
import { dawn, livesLeft, mangoes, misses, nearMiss, seconds, yourBest } from "../texts";
import { Effects } from "./effects";
import { Ghost } from "./ghost";
import { Scene } from "./scene";
import {
  DUMA_HEIGHT,
  DUMA_WIDTH,
  GALLOP_FRAMES,
  makeSprites,
  makeTitleSprites,
  NESTS_BELOW,
  NESTS_HEIGHT,
  NESTS_WIDTH,
  type Sprites,
  type TitleSprites,
} from "./sprites";
import * as S from "./state";
import { label, type Picture } from "./things";
import { listenForGestures } from "./touch";

/** Units across the screen, and the runner's place on it. */
const ACROSS = 400;
const PLACE = 92;
/** A phone with few cores or little memory paints 44 % fewer pixels, which hardly shows on a moving picture. */
const isSmallPhone =
  (navigator.hardwareConcurrency ?? 8) <= 4 ||
  ((navigator as { deviceMemory?: number }).deviceMemory ?? 8) <= 3;
const MAX_PIXEL_RATIO = isSmallPhone ? 1.5 : 2;
/** The canvas is only as high as the action, above the ground and below it. A slow phone paints half the screen less. */
const ABOVE = 326;
const UNDER = 44;
/** Frame time in s that counts as slow. A run with many slow frames makes the next one draw fewer pixels. */
const SLOW_FRAME = 0.021;
const SLOW_SHARE = 0.25;
const GROUND_PART = 0.745;
/** Units per gallop. */
const STRIDE = 128;

// zzfx parameter lists.
const JUMP_SOUND = [0.7, 0, 260, 0.01, 0.03, 0.12, 1, 1.6, 9];
const DOUBLE_SOUND = [0.7, 0, 380, 0.01, 0.04, 0.14, 1, 1.6, 12];
const SLIDE_SOUND = [0.5, 0, 120, 0.02, 0.08, 0.16, 4, 1.2, -1, 0, 0, 0, 0, 1.2];
const HIT_SOUND = [1, 0, 90, 0.01, 0.05, 0.3, 4, 1.8, -3, 0, 0, 0, 0, 3];
const MISS_SOUND = [0.8, 0, 620, 0.01, 0.06, 0.2, 1, 1.3, 6, 0, 210, 0.05];
const LAND_SOUND = [0.3, 0, 80, 0, 0.02, 0.06, 4, 1.5];

const HEART =
  '<svg viewBox="-14 -13 28 26"><path d="M0 10C-14 1-11-10-4-9-1.5-8.5 0-6 0-5 0-6 1.5-8.5 4-9 11-10 14 1 0 10Z"/></svg>';

export class DashView implements View {
  private readonly box = document.createElement("div");
  private readonly scene = new Scene();
  private readonly canvas = document.createElement("canvas");
  private readonly ctx = this.canvas.getContext("2d", { desynchronized: false });
  private readonly effects = new Effects();
  private readonly ghost: Ghost;
  private titleSprites: TitleSprites | null = null;
  /** The sprites are drawn before the first run, not before the title. */
  private sprites: Sprites | null = null;
  private ghostLabel: Picture | null = null;

  private state = new Int32Array(S.WORDS);
  private run: RunInfo | null = null;
  private scale = 1;
  private pixelRatio = 1;
  private height = 700;
  private groundY = 500;
  private above = ABOVE;
  private maxPixelRatio = MAX_PIXEL_RATIO;
  private frames = 0;
  private slowFrames = 0;
  private readonly hearts = document.createElement("p");

  private stretch = 0;
  private flip = 0;
  private dead = -1;
  private wander = 0;
  private drawnDistance = 0;
  private clock = 0;
  private misses = 0;
  /** The near misses of a run that goes on, as its replay found them. */
  private earlierMisses = 0;
  private mangoPitch = 0;
  private mangoAt = 0;
  private shownLives = 3;
  private keyHeld = false;

  constructor(private readonly host: Host) {
    this.box.className = "dash";
    this.canvas.className = "dash-canvas";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Duma Dash");
    this.box.append(this.scene.element, this.canvas);
    this.hearts.className = "dash-hearts";
    this.hearts.setAttribute("role", "img");
    this.hearts.innerHTML = HEART.repeat(3);
    host.root.append(this.box, this.hearts);
    this.ghost = new Ghost(host);
    listenForGestures(host.root, {
      jump: () => host.press(S.INPUT_JUMP),
      slide: () => host.press(S.INPUT_SLIDE),
    });
    this.resize();
    window.addEventListener("resize", () => this.resize());
  }

  private resize(): void {
    const width = this.box.clientWidth || 360;
    const height = this.box.clientHeight || 640;
    this.scale = width / ACROSS;
    this.height = height / this.scale;
    this.groundY = Math.round(this.height * GROUND_PART);
    this.pixelRatio = Math.min(window.devicePixelRatio || 1, this.maxPixelRatio);
    const pixels = this.scale * this.pixelRatio;
    this.above = Math.min(ABOVE, this.groundY);
    this.canvas.width = Math.round(width * this.pixelRatio);
    this.canvas.height = Math.round((this.above + UNDER) * pixels);
    this.canvas.style.height = `${(this.above + UNDER) * this.scale}px`;
    this.canvas.style.top = `${(this.groundY - this.above) * this.scale}px`;
    this.placeHearts();
    this.titleSprites = makeTitleSprites(pixels);
    this.sprites = null;
    if (this.run) this.prepare();
    this.scene.resize(width, height, this.scale, this.groundY * this.scale, this.pixelRatio);
    this.draw(0, 0);
  }

  /** Places the hearts right below the score plate, which is lower without a best score. */
  private placeHearts(): void {
    const plate = document.querySelector(".plate")?.getBoundingClientRect();
    this.hearts.style.top = `${(plate?.bottom ?? 70) + 10}px`;
  }

  private prepare(): void {
    const pixels = this.scale * this.pixelRatio;
    if (!this.sprites && this.titleSprites) {
      this.sprites = makeSprites(this.titleSprites, pixels);
      this.effects.resize(pixels);
    }
    this.ghostLabel = label(yourBest[this.host.language], pixels);
    for (let points = 25; points <= 60; points += 5) this.effects.prepare(this.missText(points));
  }

  // The run.

  replayed(run: RunInfo): void {
    if (run.steps === 1) this.earlierMisses = 0;
    const state = new Int32Array(run.rules.memory.buffer, run.rules.state(), S.WORDS);
    if ((state[S.EVENTS] ?? 0) & S.EVENT_MISS) this.earlierMisses++;
  }

  start(run: RunInfo): void {
    if (this.frames > 300 && this.slowFrames / this.frames > SLOW_SHARE && this.pixelRatio > 1) {
      this.maxPixelRatio = this.pixelRatio > 1.5 ? 1.5 : 1;
      this.resize();
    }
    this.frames = 0;
    this.slowFrames = 0;
    this.run = run;
    this.state = new Int32Array(run.rules.memory.buffer, run.rules.state(), S.WORDS);
    this.stretch = 0;
    this.flip = 0;
    this.dead = -1;
    this.misses = run.steps > 0 ? this.earlierMisses : 0;
    this.shownLives = -1;
    this.showHearts();
    this.hearts.hidden = false;
    this.effects.clear();
    this.prepare();
    this.scene.setTime(0, true);
    this.ghost.start(run);
    this.box.classList.remove("dash-hit", "dash-flash", "dash-title");
    this.placeHearts();
  }

  private at(index: number): number {
    return this.state[index] ?? 0;
  }

  private missText(points: number): string {
    return `${nearMiss[this.host.language]} +${points}`;
  }

  stepped(): void {
    const events = this.at(S.EVENTS);
    const place = this.groundY;
    const feet = place - this.at(S.Y) / 256;
    if (events & S.EVENT_JUMP) {
      this.stretch = 1;
      this.effects.dust(PLACE - 20, place - 4, 4, 120);
      this.host.sound(JUMP_SOUND);
    }
    if (events & S.EVENT_DOUBLE) {
      this.stretch = 0.8;
      this.flip = 1;
      this.effects.sparks(PLACE, feet, 6, 90);
      this.host.sound(DOUBLE_SOUND);
    }
    if (events & S.EVENT_LAND) {
      this.stretch = -1;
      this.flip = 0;
      this.effects.dust(PLACE, place - 4, 6, 160);
      this.host.sound(LAND_SOUND);
    }
    if (events & S.EVENT_SLIDE) {
      this.effects.dust(PLACE + 10, place - 4, 5, 220);
      this.host.sound(SLIDE_SOUND);
    }
    if (this.at(S.SLIDE) > 0 && this.at(S.JUMPS) === 0 && this.at(S.TICK) % 4 === 0)
      this.effects.dust(PLACE + 24, place - 3, 1, 200);
    if (events & S.EVENT_MANGO) {
      this.mangoPitch = this.at(S.TICK) - this.mangoAt < 40 ? Math.min(this.mangoPitch + 1, 10) : 0;
      this.mangoAt = this.at(S.TICK);
      this.effects.sparks(PLACE + 22, feet - 34, 4, 70);
      this.host.sound([
        0.5,
        0,
        520 * 1.0595 ** (this.mangoPitch * 2),
        0.005,
        0.02,
        0.09,
        1,
        1.8,
        0,
        0,
        160,
        0.04,
      ]);
    }
    if (events & S.EVENT_MISS) {
      this.misses++;
      this.effects.sparks(PLACE + 14, feet - 20, 10, 150);
      this.effects.say(
        this.missText(this.at(S.MISS_POINTS)),
        PLACE + 70,
        Math.max(Math.min(feet - 130, place - 150), place - ABOVE + 46),
      );
      this.host.sound(MISS_SOUND);
      this.host.vibrate(12);
    }
    if (events & S.EVENT_HIT) this.onHit(feet);
    this.ghost.step();
  }

  private onHit(feet: number): void {
    this.stretch = -1.4;
    this.effects.sparks(PLACE + 20, feet - 36, 12, 200);
    this.effects.dust(PLACE, this.groundY - 4, 8, 120);
    this.host.sound(HIT_SOUND);
    this.host.vibrate([40, 30, 60]);
    this.showHearts();
    const lives = this.at(S.LIVES);
    this.host.announce(livesLeft[lives]?.[this.host.language] ?? "");
    if (this.host.reducedMotion) return;
    this.box.classList.remove("dash-hit", "dash-flash");
    requestAnimationFrame(() => this.box.classList.add("dash-hit", "dash-flash"));
  }

  frame(alpha: number, seconds: number): void {
    if (!this.run) return;
    if (this.dead >= 0) this.dead += seconds;
    this.frames++;
    if (seconds > SLOW_FRAME) this.slowFrames++;
    this.draw(alpha, seconds);
  }

  /** Draws the scene behind the title: a run without end and without danger. */
  attract(seconds: number): void {
    this.wander += seconds * 210;
    this.run = null;
    this.box.classList.add("dash-title");
    this.hearts.hidden = true;
    this.draw(0, seconds);
  }

  key(code: string, down: boolean): boolean {
    if (code === "Space" || code === "ArrowUp" || code === "KeyW") {
      if (down && !this.keyHeld) this.host.press(S.INPUT_JUMP);
      this.keyHeld = down;
      return true;
    }
    if (code === "ArrowDown" || code === "KeyS") {
      if (down && !this.keyHeld) this.host.press(S.INPUT_SLIDE);
      this.keyHeld = down;
      return true;
    }
    return false;
  }

  ended(): Promise<void> {
    this.dead = 0;
    return new Promise((resolve) => setTimeout(resolve, this.host.reducedMotion ? 400 : 1300));
  }

  result(): Result {
    const card = document.createElement("dl");
    card.className = "dash-facts";
    const facts: [number, Text][] = [
      [Math.round(this.at(S.TICK) / 60), seconds],
      [this.misses, misses],
      [this.at(S.MANGO_COUNT), mangoes],
    ];
    for (const [value, name] of facts) {
      const fact = card.appendChild(document.createElement("div"));
      fact.appendChild(document.createElement("dt")).textContent = name[this.host.language];
      fact.appendChild(document.createElement("dd")).textContent = String(value);
    }
    return this.at(S.LIVES) > 0 ? { card, ribbon: dawn[this.host.language], mood: "cheer" } : { card };
  }

  // Drawing. World x is units; the runner stands at PLACE.

  private draw(alpha: number, seconds: number): void {
    const { ctx, sprites, titleSprites } = this;
    if (!ctx || !titleSprites) return;
    this.clock += seconds;
    const playing = this.run !== null && sprites !== null;
    const now = this.at(S.DISTANCE);
    const speed = this.at(S.SPEED);
    const still = this.dead >= 0 || this.run?.over === true;
    // The state is that of the last tick; the drawn position is interpolated between it and the tick before.
    const distance = playing ? (now - (still ? 0 : speed * (1 - alpha))) / 256 : this.wander;
    const y = playing ? this.heightAt(alpha, still) : 0;
    const scroll = Math.max(0, distance - this.drawnDistance);
    this.drawnDistance = distance;
    this.scene.move(distance);
    this.scene.setTime(playing ? this.at(S.TICK) / 60 : 40);

    const pixels = this.scale * this.pixelRatio;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.setTransform(pixels, 0, 0, pixels, 0, (this.above - this.groundY) * pixels);
    if (playing && sprites) {
      this.drawWater(ctx, sprites, distance);
      this.ghost.draw(ctx, sprites, this.ghostLabel, distance, this.groundY, PLACE, pixels);
      this.drawMangoes(ctx, sprites, distance);
    }
    this.drawRunner(ctx, titleSprites, sprites, distance, y, seconds);
    if (playing && sprites) this.drawObstacles(ctx, sprites, distance, alpha, still);
    this.effects.draw(ctx, seconds, scroll);
  }

  private heightAt(alpha: number, still: boolean): number {
    const y = this.at(S.Y);
    if (still || this.at(S.JUMPS) === 0) return y / 256;
    return Math.max(0, y - this.at(S.VY) * (1 - alpha)) / 256;
  }

  private drawWater(ctx: CanvasRenderingContext2D, sprites: Sprites, distance: number): void {
    for (let slot = 0; slot < S.OBSTACLES; slot++) {
      const at = S.HEADER + slot * S.OBSTACLE_WORDS;
      if (this.at(at) !== S.WATER) continue;
      const width = this.at(at + 2) + 10;
      const x = this.at(at + 1) / 256 - distance + PLACE - 5;
      if (x < ACROSS && x + width > 0) ctx.drawImage(sprites.water, x, this.groundY - 30, width, 60);
    }
  }

  private drawObstacles(
    ctx: CanvasRenderingContext2D,
    sprites: Sprites,
    distance: number,
    alpha: number,
    still: boolean,
  ): void {
    for (let slot = 0; slot < S.OBSTACLES; slot++) {
      const at = S.HEADER + slot * S.OBSTACLE_WORDS;
      const kind = this.at(at);
      if (kind === 0 || kind === S.WATER) continue;
      const width = this.at(at + 2);
      const high = this.at(at + 4);
      const x = this.at(at + 1) / 256 - distance + PLACE;
      if (x > ACROSS + 90 || x + width < -90) continue;
      const ground = this.groundY;
      if (kind === S.MOUND) ctx.drawImage(sprites.mound, x - 8, ground - high - 5, width + 16, high + 9);
      else if (kind === S.TALL_MOUND)
        ctx.drawImage(sprites.tallMound, x - 9, ground - high - 5, width + 18, high + 9);
      else if (kind === S.LOG) ctx.drawImage(sprites.log, x - 8, ground - high - 14, width + 16, high + 18);
      else if (kind === S.NESTS) {
        const bottom = ground - this.at(at + 3) - 2 + NESTS_BELOW;
        const across = (NESTS_WIDTH * (width + 16)) / 88;
        ctx.drawImage(sprites.nests, x + (width - across) / 2, bottom - NESTS_HEIGHT, across, NESTS_HEIGHT);
      } else {
        const forward = still ? 0 : (S.BIRD_SPEED / 256) * (1 - alpha);
        const beat = Math.floor(this.clock * 7) & 1;
        const middle = ground - (this.at(at + 3) + high) / 2 + Math.sin(this.clock * 6) * 2;
        ctx.drawImage(beat ? sprites.birdUp : sprites.birdDown, x + forward - 17, middle - 34, 80, 64);
      }
    }
  }

  private drawMangoes(ctx: CanvasRenderingContext2D, sprites: Sprites, distance: number): void {
    for (let slot = 0; slot < S.MANGOES; slot++) {
      const at = S.MANGO_START + slot * S.MANGO_WORDS;
      if (this.at(at) !== 1) continue;
      const x = this.at(at + 1) - distance + PLACE;
      if (x < -20 || x > ACROSS + 20) continue;
      const y = this.groundY - this.at(at + 2) + Math.sin(this.clock * 5 + slot) * 2.5;
      ctx.drawImage(sprites.mango, x - 14, y - 14, 28, 28);
    }
  }

  private drawRunner(
    ctx: CanvasRenderingContext2D,
    title: TitleSprites,
    sprites: Sprites | null,
    distance: number,
    y: number,
    seconds: number,
  ): void {
    const playing = this.run !== null && sprites !== null;
    const ground = this.groundY;
    const shade = Math.max(0.35, 1 - y / 260);
    ctx.globalAlpha = shade;
    ctx.drawImage(title.shadow, PLACE - 42 * shade, ground - 4, 84 * shade, 12);
    ctx.globalAlpha = 1;

    // Squash and stretch decay to zero.
    this.stretch *= Math.max(0, 1 - seconds * 9);
    if (this.flip > 0) this.flip = Math.max(0, this.flip - seconds * 2.6);

    const jumps = playing ? this.at(S.JUMPS) : 0;
    const sliding = playing && this.at(S.SLIDE) > 0 && jumps === 0;
    const hurt = playing && (this.dead >= 0 ? this.at(S.LIVES) === 0 : this.at(S.SAFE) > S.SAFE_TICKS - 26);
    const beat = Math.floor((distance / STRIDE) * GALLOP_FRAMES) % GALLOP_FRAMES;
    let image = title.gallop[beat < 0 ? 0 : beat];
    if (!sprites) {
      // On the title only the gallop is drawn.
    } else if (hurt) image = sprites.hurt;
    else if (sliding) image = sprites.sliding;
    else if (jumps > 0)
      image = this.flip > 0 ? sprites.tucked : this.at(S.VY) > -300 ? sprites.rising : sprites.falling;
    if (!image) return;
    // After a hit the runner flickers while it is invulnerable.
    if (playing && this.dead < 0 && this.at(S.SAFE) > 0 && !hurt && (this.at(S.TICK) >> 2) & 1)
      ctx.globalAlpha = 0.4;

    let tall = 1 + this.stretch * 0.16;
    let wide = 1 - this.stretch * 0.12;
    if (sliding) {
      tall *= 0.74;
      wide *= 1.08;
    }
    ctx.save();
    let up = y;
    let turn = this.flip > 0 && !this.host.reducedMotion ? (1 - this.flip) * Math.PI * 2 : 0;
    if (this.dead >= 0 && this.at(S.LIVES) === 0 && !this.host.reducedMotion) {
      // After the last hit the runner tumbles up, down and to rest.
      const part = Math.min(this.dead / 0.7, 1);
      up = Math.max(0, y * (1 - part)) + Math.sin(part * Math.PI) * 90;
      turn = part * Math.PI * 2;
    }
    if (turn !== 0) {
      ctx.translate(PLACE, ground + 5 - up - 42);
      ctx.rotate(turn);
      ctx.translate(0, 42);
    } else ctx.translate(PLACE, ground + 5 - up);
    ctx.scale(wide, tall);
    ctx.drawImage(image, -DUMA_WIDTH / 2, -DUMA_HEIGHT, DUMA_WIDTH, DUMA_HEIGHT);
    ctx.restore();
    ctx.globalAlpha = 1;
  }

  private showHearts(): void {
    const lives = this.at(S.LIVES);
    if (lives === this.shownLives) return;
    for (let index = 0; index < 3; index++) {
      const heart = this.hearts.children[index];
      heart?.classList.toggle("lost", index >= lives);
      heart?.classList.toggle("beat", index === lives && lives < this.shownLives);
    }
    this.shownLives = lives;
    this.hearts.setAttribute("aria-label", `${lives} / 3`);
  }
}

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Chance } from "./types";

/** The account of a bot, as the file stores it. */
export interface Account {
  email: string;
  password: string;
  /** Empty until the profile has a username. */
  username: string;
  /** The client address of its calls, on a mesh of this machine. */
  address: string;
  skill: number;
  refreshToken: string;
  /** Ids of tournaments in which the account has a score. */
  played: string[];
}

const SAVE_EVERY = 2000;

/** The accounts of the bots; stored in a file that only its owner can read, if one was named. */
export class Accounts {
  readonly all: Account[] = [];
  private changed = false;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(private readonly file: string | null) {
    if (!file) return;
    if (existsSync(file)) this.all = JSON.parse(readFileSync(file, "utf8")) as Account[];
    this.timer = setInterval(() => this.save(), SAVE_EVERY);
  }

  /** Returns the first `count` accounts; creates those that are missing. */
  take(count: number, chance: Chance): Account[] {
    while (this.all.length < count) this.all.push(newAccount(chance));
    return this.all.slice(0, count);
  }

  touch(): void {
    this.changed = true;
  }

  save(): void {
    if (!this.file || !this.changed) return;
    this.changed = false;
    const fresh = `${this.file}.new`;
    writeFileSync(fresh, JSON.stringify(this.all, null, 1), { mode: 0o600 });
    renameSync(fresh, this.file);
  }

  close(): void {
    clearInterval(this.timer);
    this.save();
  }
}

function newAccount(chance: Chance): Account {
  return {
    email: `player.${randomBytes(8).toString("hex")}@example.com`,
    password: randomBytes(15).toString("base64url"),
    username: "",
    address: loopbackAddress(chance),
    // Most people are neither very bad nor very good.
    skill: Math.round(((chance() + chance() + chance()) / 3) * 1000) / 1000,
    refreshToken: "",
    played: [],
  };
}

/**
 * A loopback address of its own for each bot, because limits apply per address, and all of 127.0.0.0/8 is this machine. Not .0 and .255,
 * which some network stacks reserve.
 */
export function loopbackAddress(chance: Chance): string {
  const part = (from: number, to: number): number => from + Math.floor(chance() * (to - from + 1));
  return `127.${part(1, 254)}.${part(0, 255)}.${part(1, 254)}`;
}

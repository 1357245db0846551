import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Chance } from "./types";

/** An account that a bot made, as the file keeps it. */
export interface Account {
  email: string;
  password: string;
  /** Empty until the profile has one. */
  username: string;
  /** Where its calls come from, on a mesh of this machine. */
  address: string;
  skill: number;
  refreshToken: string;
  /** Ids of tournaments in which it has a score. */
  played: string[];
}

const SAVE_EVERY = 2000;

/** The accounts of the bots, in a file that only its owner may read where one was named. */
export class Accounts {
  readonly all: Account[] = [];
  private changed = false;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(private readonly file: string | null) {
    if (!file) return;
    if (existsSync(file)) this.all = JSON.parse(readFileSync(file, "utf8")) as Account[];
    this.timer = setInterval(() => this.save(), SAVE_EVERY);
  }

  /** The first so many; makes those that are missing. */
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

/** Limits are per address, and all of 127.0.0.0/8 is this machine. Not .0 and .255, which some network stacks reserve. */
export function loopbackAddress(chance: Chance): string {
  const part = (from: number, to: number): number => from + Math.floor(chance() * (to - from + 1));
  return `127.${part(1, 254)}.${part(0, 255)}.${part(1, 254)}`;
}

import { pbkdf2Sync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Accounts, loopbackAddress } from "../bots/accounts";
import { solveCaptcha } from "../bots/captcha";
import { chanceOf } from "../bots/chance";
import { Gateway, Refused } from "../bots/gateway";
import { limit } from "../bots/limit";
import { usernames } from "../bots/names";
import { Player } from "../bots/player";

describe("the addresses of bots", () => {
  it("are this machine's", () => {
    const chance = chanceOf(1);
    for (let count = 0; count < 1000; count++) {
      const parts = loopbackAddress(chance).split(".").map(Number);
      expect(parts).toHaveLength(4);
      expect(parts[0]).toBe(127);
      for (const part of parts) expect(part).toBeLessThan(256);
      expect(parts[3]).toBeGreaterThan(0);
      expect(parts[3]).toBeLessThan(255);
    }
  });
});

describe("a captcha", () => {
  it("is solved as the app's widget does", async () => {
    const parameters = {
      algorithm: "PBKDF2/SHA-256",
      cost: 5,
      keyLength: 32,
      keyPrefix: "",
      nonce: "73e8b26f34a59a341f005d40e8e080a4",
      salt: "1b11b7fec420420b520d0a344d6d5371",
    };
    const password = Buffer.concat([Buffer.from(parameters.nonce, "hex"), Buffer.from([0, 0, 1, 7])]);
    const key = pbkdf2Sync(password, Buffer.from(parameters.salt, "hex"), 5, 32, "sha256").toString("hex");
    parameters.keyPrefix = key.slice(0, 32);
    const payload = await solveCaptcha({ parameters, signature: "ab" });
    const { challenge, solution } = JSON.parse(Buffer.from(payload, "base64").toString());
    expect(challenge).toEqual({ parameters, signature: "ab" });
    expect(solution).toMatchObject({ counter: 263, derivedKey: key });
  });
});

describe("accounts", () => {
  const folder = mkdtempSync(join(tmpdir(), "playon-bots-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are kept in a file for their owner alone, and are the same at the next start", () => {
    const file = join(folder, "bots.json");
    const first = new Accounts(file);
    const made = first.take(3, chanceOf(1));
    first.touch();
    first.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.new`)).toBe(false);
    expect(readFileSync(file, "utf8")).toContain(made[0]?.password);
    const second = new Accounts(file);
    expect(second.take(3, chanceOf(2))).toEqual(made);
    second.close();
  });
});

describe("a player", () => {
  const session = { uid: "u1", accessToken: "a", refreshToken: "r2" };

  /** Returns a player whose gateway gives these replies, and the calls that were made. */
  const playerOf = (answers: Record<string, unknown>): { player: Player; calls: string[] } => {
    const calls: string[] = [];
    const call = async (path: string): Promise<unknown> => {
      calls.push(path);
      const answer = answers[path];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const accounts = new Accounts(null);
    const [account] = accounts.take(1, chanceOf(1));
    if (!account) throw new Error("no account");
    const context = {
      gateway: { call } as unknown as Gateway,
      accounts,
      signUps: limit(1),
      names: usernames(chanceOf(1)),
    };
    return { player: new Player(account, context), calls };
  };
  const challenge = {
    parameters: {
      algorithm: "PBKDF2/SHA-256",
      cost: 1,
      keyLength: 32,
      keyPrefix: "",
      nonce: "00",
      salt: "00",
    },
  };

  it("signs up once, and gets a username", async () => {
    const { player, calls } = playerOf({ "/auth/captcha": challenge, "/auth/sign-up": session });
    await Promise.all([player.open(), player.open()]);
    await player.open();
    expect(calls).toEqual(["/auth/captcha", "/auth/sign-up", "/auth/login", "/profile/u1"]);
    expect(player.account).toMatchObject({ refreshToken: "r2", username: expect.stringMatching(/^.{3,}$/) });
  });

  it("continues with what is kept: the refresh token, then the password", async () => {
    const { player, calls } = playerOf({
      "/auth/refresh": new Refused(401, "INVALID_REFRESH_TOKEN", "No."),
      "/auth/sign-in": session,
    });
    Object.assign(player.account, { username: "otieno7", refreshToken: "r1", played: ["t1"] });
    await player.open();
    expect(calls).toEqual(["/auth/refresh", "/auth/sign-in"]);
    expect(player.account).toMatchObject({ username: "otieno7", refreshToken: "r2", played: ["t1"] });
  });

  it("signs in where it had signed up before the tool was stopped", async () => {
    const { player, calls } = playerOf({
      "/auth/captcha": challenge,
      "/auth/sign-up": new Refused(409, "EMAIL_TAKEN", "No."),
      "/auth/sign-in": session,
    });
    await player.open();
    expect(calls.slice(1)).toEqual(["/auth/sign-up", "/auth/sign-in", "/auth/login", "/profile/u1"]);
  });
});

describe("a call", () => {
  it("is sent again when the gateway is busy, and fails with the gateway's reason", async () => {
    const statuses = [503, 422];
    const addresses: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      addresses.push(request.socket.remoteAddress);
      response.writeHead(statuses.shift() ?? 500);
      response.end(JSON.stringify({ statusMessage: "No.", payload: { code: "OTHER_POINTS" } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const gateway = new Gateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1);
    const sent = gateway.call("/scores", { method: "POST", body: {}, address: "127.9.8.7" });
    await expect(sent).rejects.toEqual(new Refused(422, "OTHER_POINTS", "No."));
    expect(addresses).toEqual(["127.9.8.7", "127.9.8.7"]);
    expect(gateway.again).toBe(1);
    server.close();
  });
});

// Stops and restarts processes of the running mesh. `cargo xtask` keeps a record `<name>.pid` of each in RUN_DIR.
import { spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PLAYON_URL } from "./browser.mjs";
import { eventually } from "./sandbox.mjs";

const RUN_DIR = process.env.RUN_DIR;

/**
 * Returns when a process started, in clock ticks since boot; null when it has ended (proc(5): state 3, threads 20,
 * start 22).
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "X" || fields[0] === "Z" ? null : fields[19];
  } catch {
    return null;
  }
}

function nulSeparated(file) {
  return readFileSync(file, "utf8").split("\0").slice(0, -1);
}

/** Returns a running process with the data that starts it again unchanged. */
function read(name) {
  const record = join(RUN_DIR, `${name}.pid`);
  const fields = Object.fromEntries(
    readFileSync(record, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );
  const pid = Number(fields.pid);
  // Pids are reused: never signal a process that is not ours.
  if (startOf(pid) !== fields.started) throw new Error(`${name} does not run`);
  const link = (of) => readlinkSync(`/proc/${pid}/${of}`);
  const environment = nulSeparated(`/proc/${pid}/environ`).map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return {
    name,
    record,
    fields,
    pid,
    program: link("exe"),
    folder: link("cwd"),
    log: link("fd/1"),
    arguments: nulSeparated(`/proc/${pid}/cmdline`).slice(1),
    environment: Object.fromEntries(environment),
  };
}

function start({ record, fields, program, folder, log, arguments: args, environment }) {
  const output = openSync(log, "a");
  // The process gets its own group, as xtask starts it: Ctrl-C in the terminal must not reach it.
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", output, output],
  });
  child.unref();
  const next = { ...fields, pid: child.pid, started: startOf(child.pid) };
  const text = Object.entries(next)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
  writeFileSync(`${record}.draft`, text);
  renameSync(`${record}.draft`, record);
}

/** Returns the processes of a service and its replicas: `svc-wallet`, `svc-wallet-2`. */
function processesOf(service) {
  if (!RUN_DIR) throw new Error("RUN_DIR is not set: `cargo xtask env` prints it");
  const names = readdirSync(RUN_DIR)
    .filter((file) => new RegExp(`^${service}(-\\d+)?\\.pid$`).test(file))
    .map((file) => file.slice(0, -".pid".length));
  if (names.length === 0) throw new Error(`${service} has no record in ${RUN_DIR}`);
  return names.map(read);
}

/** Waits until the gateway reports every service as serving. */
export async function meshIsComplete() {
  await eventually("every service serves", async () => (await fetch(`${PLAYON_URL}/statusz`)).ok);
}

/** Runs `during` while no process of a service runs. The service is started again even after an error. */
export async function without(service, during) {
  const killed = processesOf(service);
  for (const { pid } of killed) process.kill(pid, "SIGKILL");
  try {
    for (const { name, pid, fields } of killed)
      await eventually(`${name} has ended`, async () => startOf(pid) !== fields.started);
    await during();
  } finally {
    killed.forEach(start);
  }
}

/** Runs `during` while the processes of a service are stopped: they accept connections, and reply to nothing. */
export async function whilePaused(service, during) {
  const paused = processesOf(service);
  for (const { pid } of paused) process.kill(pid, "SIGSTOP");
  try {
    await during();
  } finally {
    for (const { pid } of paused) process.kill(pid, "SIGCONT");
  }
}

/** Processes that share a state, or are killed at work: covers src/state/state.ts and file-lock.ts. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { partName, openState } from "../../../src/state";
import { isDead, thisProcess } from "../../../src/state/file-lock";
import { temporaryFolder } from "../../support/temp-folder";
import { stateKey } from "../../support/state-key";

const folder = temporaryFolder();
const path = () => join(folder(), "state.json");
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Run {
  readonly child: ChildProcess;
  /** What it printed so far. */
  readonly lines: readonly string[];
  readonly ended: Promise<unknown>;
  /** Resolves when it has printed so many lines. */
  printed(count: number): Promise<void>;
}

function run(mode: string, name = "a", key?: string): Run {
  const main = join(__dirname, "../../support/state-main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, mode, path(), name], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...(key !== undefined && { STATE_KEY: key }) },
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  const printed = async (count: number) => {
    while (lines.length < count) await once(reader, "line");
  };
  return { child, lines, ended: Promise.all([once(child, "exit"), once(reader, "close")]), printed };
}

/** The start of a process, read without our own code. */
async function startedOf(pid: string): Promise<string> {
  return (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /s, "").split(" ")[19] ?? "";
}

async function kept(key?: string): Promise<string[]> {
  const state = openState({ path: path(), ...(key !== undefined && { key }) });
  const part = await state.part(partName("https://storage.example", "acme-platform", "tenancy"));
  return part.tokens.list().map(({ name }) => name);
}

test("runs at the same time wait for each other, and none undoes what another has kept", async () => {
  const runs = ["a", "b", "c"].map((name) => run("keep", name));
  await Promise.all(runs.map(({ ended }) => ended));
  expect((await kept()).sort()).toEqual(runs.flatMap(({ lines }) => lines.slice(1)).sort());
  expect(await kept()).toHaveLength(60);
  expect(await readdir(folder())).toEqual(["state.json"]);
});

test("a run that holds the lock is named to the others, and the next one takes over when it is killed", async () => {
  const holder = run("hold");
  await holder.printed(1);
  await expect(openState({ path: path() }).lock({ timeout: 0 })).rejects.toMatchObject({
    code: "TENANCY_STATE_LOCKED",
    message: expect.stringContaining(`process ${holder.child.pid}`) as string,
  });
  holder.child.kill("SIGKILL");
  await holder.ended;
  const state = openState({ path: path() });
  await state.lock({ timeout: 0 });
  await state.unlock();
});

test("a process that has ended and was not yet collected by its parent is dead", async () => {
  // The shell turns into `sleep`, which knows nothing of the child that it had as a shell.
  const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(parent);
  const [pid] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
  const { started } = thisProcess();
  while (!isDead({ pid: Number(pid), started: await startedOf(pid) })) await sleep(10);
  expect(isDead({ pid: process.pid, started })).toBe(false);
});

test.each([undefined, stateKey("open sesame, please")])(
  "a run killed at any moment leaves a whole state, with all that it said was kept (key: %p)",
  async (key) => {
    for (let round = 0; round < 5; round += 1) {
      const churn = run("churn", `round${round}`, key);
      await churn.printed(2 + 7 * round);
      churn.child.kill("SIGKILL");
      await churn.ended;
      const names = await kept(key);
      expect(names).toEqual(expect.arrayContaining(churn.lines.slice(1)));
    }
    const state = openState({ path: path(), ...(key !== undefined && { key }) });
    await state.lock({ timeout: 0 });
    await state.unlock();
    expect(await readdir(folder())).toEqual(["state.json"]);
  },
);

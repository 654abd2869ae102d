/** The simulator in a process of its own: covers src/lib/simulator and test/support/simulator-main.ts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basic, serviceClient } from "../support/service-client";
import { type SimulatorProcess, startSimulatorProcess } from "../support/simulator-process";

const folder = mkdtempSync(join(tmpdir(), "simulator-"));
afterAll(() => rmSync(folder, { recursive: true }));

const systemOf = ({ baseUrl, username, password }: SimulatorProcess) =>
  serviceClient(baseUrl, basic(username, password));

describe("the simulator as a process", () => {
  test("loses nothing that it answered for when it is killed", async () => {
    const dataFile = join(folder, "killed");
    const first = await startSimulatorProcess({ dataFile });
    const create = systemOf(first);
    const made: string[] = [];
    let isKilled = false;
    const creating = Array.from({ length: 8 }, async (_, worker) => {
      for (let number = 0; !isKilled; number += 1) {
        const name = `acme-${worker}-${number}`;
        const reply = await create("POST", "/account", { name }).catch(() => undefined);
        if (reply?.status === 201) made.push(name);
      }
    });
    while (made.length < 100) await new Promise(setImmediate);
    const killed = first.stop("SIGKILL");
    isKilled = true;
    await Promise.all(creating);
    expect(await killed).toBeNull();

    const second = await startSimulatorProcess({ dataFile });
    const names = (await systemOf(second)("GET", "/account")).list.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(made));
    expect(await second.stop()).toBe(0);
  });

  test("prints where it is and who may use it, and ends cleanly when it is told to", async () => {
    const simulator = await startSimulatorProcess();
    expect(simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await systemOf(simulator)("GET", "/account")).status).toBe(200);
    expect(await simulator.stop("SIGINT")).toBe(0);
  });
});

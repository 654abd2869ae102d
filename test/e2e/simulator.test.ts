/** The simulator in a process of its own: covers src/lib/simulator and test/support/simulator-main.ts. */
import { basic, serviceClient } from "../support/service-client";
import { type SimulatorProcess, startSimulatorProcess } from "../support/simulator-process";

const systemOf = ({ baseUrl, username, password }: SimulatorProcess) =>
  serviceClient(baseUrl, basic(username, password));

describe("the simulator as a process", () => {
  test("prints where it is and who may use it, and ends cleanly when it is told to", async () => {
    const simulator = await startSimulatorProcess();
    expect(simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await systemOf(simulator)("GET", "/account")).status).toBe(200);
    expect(await simulator.stop("SIGINT")).toBe(0);
  });
});

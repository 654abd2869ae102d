/** Answers that a test asks for: covers src/lib/simulator/server.ts, besides its own source. */
import { simulators } from "../../support/simulators";

const start = simulators();

describe("a fault", () => {
  test("answers a status instead of doing the work, once", async () => {
    const { simulator, system } = await start();
    const fault = simulator.fail({ method: "POST", path: "/api/account", status: 503, retryAfter: 7 });
    const create = () => system("POST", "/account", { name: "acme" });
    expect((await system("GET", "/account")).status).toBe(200);
    expect(await create()).toMatchObject({
      status: 503,
      headers: { "retry-after": "7" },
      body: { status: 503 },
    });
    expect(fault.strikes).toBe(1);
    expect((await create()).status).toBe(201);
  });

  test("answers a gateway's HTML after the work is done", async () => {
    const { simulator, system } = await start();
    simulator.fail({
      path: "/api/account",
      status: 504,
      body: "<html>Gateway Time-out</html>",
      when: "after",
    });
    const reply = await system("POST", "/account", { name: "acme" });
    expect(reply).toMatchObject({ status: 504, text: "<html>Gateway Time-out</html>" });
    expect(reply.headers["content-type"]).toBe("text/html");
    expect((await system("GET", "/account")).list).toHaveLength(2);
  });

  test("resets the connection, before the work or after it", async () => {
    const { simulator, system } = await start();
    for (const [when, count] of [
      ["before", 1],
      ["after", 2],
    ] as const) {
      simulator.fail({ method: "POST", reset: true, when });
      await expect(system("POST", "/account", { name: when })).rejects.toThrow(
        /ECONNRESET|other side closed/,
      );
      expect((await system("GET", "/account")).list).toHaveLength(count);
    }
    expect(simulator.requests.map(({ status }) => status)).toEqual([undefined, 200, undefined, 200]);
  });

  test("cuts an answer in two", async () => {
    const { simulator, system } = await start();
    simulator.fail({ path: "/api/account", truncate: true });
    await expect(system("GET", "/account")).rejects.toThrow(/terminated|other side closed|aborted/);
    expect((await system("GET", "/account")).status).toBe(200);
  });

  test("never answers, until the simulator is closed", async () => {
    const { simulator, system } = await start();
    simulator.fail({ hang: true });
    const hanging = expect(system("GET", "/account")).rejects.toThrow(/ECONNRESET|other side closed/);
    while (simulator.requests.length === 0) await new Promise(setImmediate);
    await simulator.close();
    await hanging;
  });

  test("waits, and then lets the service answer as ever", async () => {
    const { simulator, system } = await start();
    simulator.fail({ delay: 20 });
    expect((await system("GET", "/account")).status).toBe(200);
  });

  test("changes an answer: a list that is too short, a member that is not what was asked", async () => {
    const { simulator, system } = await start();
    simulator.fail({ method: "GET", alter: (list) => (list as unknown[]).slice(1) });
    expect((await system("GET", "/account")).list).toEqual([]);
    simulator.fail({ method: "POST", alter: (record) => ({ ...(record as object), uuid: "other" }) });
    expect((await system("POST", "/account", { name: "acme" })).body.uuid).toBe("other");
  });

  test("strikes only the requests that look as it says", async () => {
    const { simulator, system } = await start();
    const isAcme = (body: unknown) => (body as { name?: string } | undefined)?.name === "acme";
    simulator.fail({ where: ({ body }) => isAcme(body), status: 500 });
    expect((await system("POST", "/account", { name: "globex" })).status).toBe(201);
    expect((await system("POST", "/account", { name: "acme" })).status).toBe(500);
  });

  test("strikes for a while, however many requests come", async () => {
    const { simulator, system } = await start();
    const fault = simulator.fail({ path: "/api/account", status: 503, lasts: 150 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await system("GET", "/account")).status);
    expect(statuses).toEqual([503, 503, 503]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await system("GET", "/account")).status).toBe(200);
    expect(fault.strikes).toBe(3);
  });

  test("lets the first ones go through, strikes as often as it is told, and can be removed", async () => {
    const { simulator, system } = await start();
    simulator.fail({ path: /^\/api\/account/, status: 500, skip: 1, times: 2 });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await system("GET", "/account")).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
    simulator.fail({ status: 500, times: Infinity }).remove();
    simulator.fail({ status: 500 });
    simulator.clearFaults();
    expect((await system("GET", "/account")).status).toBe(200);
  });
});

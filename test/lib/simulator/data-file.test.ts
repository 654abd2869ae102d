/** A service on disk: covers src/lib/simulator/store.ts and json.ts, besides its own source. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../../../src/lib/simulator";
import { simulators } from "../../support/simulators";

const start = simulators();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simulator-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a data file", () => {
  test("brings back every record, token and tombstone", async () => {
    const dataFile = join(folder, "data");
    const first = await start({ dataFile });
    const acme = await first.account("acme", { primary_contact: { first_name: "Ada" } });
    await first.system("PATCH", `/account/${acme.id}`, '{"limits":{"vss_num":9007199254740993}}');
    const gone = await first.account("gone");
    await first.system("DELETE", `/account/${gone.id}`);
    const token = (await first.as("acme")("POST", "/authorization")).body.access_token;
    const login = { grant_type: "password", username: "acme", password: "secret" };
    const session = (await first.anyone("POST", "/oauth2/token", login)).body.access_token;
    const accounts = (await first.system("GET", "/account")).text;
    await first.simulator.close();

    for (let restart = 0; restart < 2; restart += 1) {
      const again = await start({ dataFile });
      expect((await again.system("GET", "/account")).text).toBe(accounts);
      expect(accounts).toContain("9007199254740993");
      expect((await again.withToken(token)("GET", "/account")).status).toBe(200);
      expect((await again.withToken(session)("GET", "/account")).status).toBe(200);
      expect((await again.system("GET", `/account/${gone.serial}`)).status).toBe(410);
      await again.simulator.close();
    }
    const last = await start({ dataFile });
    expect(Number((await last.account("new")).id.split(":")[2])).toBeGreaterThan(
      Number(gone.id.split(":")[2]),
    );
  });

  test.each(["notes of mine", "notes of mine\n", "[]\n", '{"format":"tenancy-simulator"', "{}", "\n"])(
    "that is none of a simulator's is refused, and left as it is: %p",
    async (text) => {
      const dataFile = join(folder, "notes");
      await writeFile(dataFile, text);
      await writeFile(`${dataFile}.new`, text);
      await expect(startSimulator({ dataFile })).rejects.toThrow(/notes is not a data file of the simulator/);
      for (const file of [dataFile, `${dataFile}.new`]) expect(await readFile(file, "utf8")).toBe(text);
    },
  );

  test("takes the place of no other file while it is made", async () => {
    const dataFile = join(folder, "data");
    await writeFile(`${dataFile}.new`, "notes of mine");
    const { simulator } = await start({ dataFile });
    await simulator.close();
    expect(await readFile(`${dataFile}.new`, "utf8")).toBe("notes of mine");
    expect((await readdir(folder)).sort()).toEqual(["data", "data.new"]);
  });

  test("is its owner's alone to read, and holds no password and no token", async () => {
    const dataFile = join(folder, "data");
    const { account, as } = await start({ dataFile, systemUser: { password: "canary-1" } });
    await account("acme", { password: "canary-2" });
    const token = (await as("acme", "canary-2")("POST", "/authorization")).body.access_token;
    expect((await stat(dataFile)).mode & 0o777).toBe(0o600);
    const text = await readFile(dataFile, "utf8");
    expect(text).not.toContain("canary");
    expect(text).not.toContain(token.slice(2));
  });

  test("keeps the system user's password until another is asked for", async () => {
    const dataFile = join(folder, "data");
    const first = await start({ dataFile, systemUser: { username: "root", password: "first" } });
    await first.simulator.close();
    const kept = await startSimulator({ dataFile });
    expect(kept).toMatchObject({ username: "root", password: "" });
    await kept.close();
    const renewed = await start({ dataFile, systemUser: { password: "second" } });
    expect((await renewed.as("root", "second")("GET", "/account")).status).toBe(200);
    expect((await renewed.as("root", "first")("GET", "/account")).status).toBe(401);
  });

  test("takes many writes at once", async () => {
    const dataFile = join(folder, "data");
    const first = await start({ dataFile });
    await Promise.all(Array.from({ length: 50 }, (_, index) => first.account(`acme-${index}`)));
    await first.simulator.close();
    expect((await (await start({ dataFile })).system("GET", "/account")).list).toHaveLength(51);
  });
});

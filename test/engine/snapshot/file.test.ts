/** Which files are read as snapshots, and which are refused: covers src/engine/snapshot/file.ts. */
import { partName } from "../../../src/state";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Sealer } from "../../../src/state";
import { snapshotRecords } from "../../../src/engine";
import { demandFitKey, readSnapshot, snapshotText } from "../../../src/engine/snapshot/file";
import { parseJson, stringifyJson, type ObjectValue } from "../../../src/lib/values";
import { findings } from "../../support/projects";
import { temporaryFolder } from "../../support/temp-folder";
import { stateKey } from "../../support/state-key";

const folder = temporaryFolder();
const path = () => join(folder(), "live.json");

const NOW = new Date("2026-03-02T12:00:00.000Z");
const KEY = stateKey("a key of sixteen characters and more");

const JANE = { record: { id: "user_profile:1:2", login: "jane@acme" }, left_out: ["sms"] };
const SERVICE = {
  origin: "https://storage.example",
  caller: { name: "system", username: "system", rights: null, record: {}, own_token: null },
  accounts: [{ record: { id: "account:1:2", name: "acme" }, left_out: [] }],
  profiles: [JANE],
  others: { hosts: [{ record: { id: "host:1:1" }, left_out: [] }] },
  usage: { "account:1:2": { vss_num: 3 } },
  managed: [{ stack: "prod", provider: "tenancy", ids: ["account:1:2"] }],
  state: { parts: [] },
  unlisted: [],
};

const documentWith = (service: ObjectValue = {}, more: ObjectValue = {}): ObjectValue => ({
  taken_at: NOW.toISOString(),
  full: true,
  services: [{ ...SERVICE, ...service }],
  ...more,
});

/** A snapshot's text, as a release would write it that takes another document. */
async function textOf(document: ObjectValue = documentWith(), key?: string): Promise<string> {
  return snapshotText(document as never, key);
}

async function read(
  text: string,
  options: { key?: string; maxAge?: string } = {},
  now = NOW,
  environment = {},
) {
  await writeFile(path(), text);
  return readSnapshot({ file: path(), ...options }, environment, now);
}

/** What is told of a text that is refused: code, summary and advice. */
async function toldOf(...args: Parameters<typeof read>): Promise<string> {
  const [finding] = await findings(read(...args));
  return `${finding?.code} ${finding?.summary} ${finding?.detail ?? ""}`.replaceAll(folder(), "");
}

describe("a snapshot", () => {
  test("holds its services", async () => {
    const file = await read(await textOf());
    expect(file.takenAt).toBe(NOW.toISOString());
    const service = file.service("https://storage.example");
    expect(service).toEqual(SERVICE);
  });

  test("says which services and stacks it holds where it lacks one", async () => {
    const file = await read(await textOf());
    expect(() => file.service("https://other.example")).toThrow(/https:\/\/other\.example/);
    const [service] = file.services;
    expect(() => file.partOf(partName("https://x.example", "initech", "tenancy"), service!)).toThrow(
      /initech/,
    );
  });

  test("may hold no counters", async () => {
    expect((await read(await textOf(documentWith({ usage: null })))).services[0]?.usage).toBeNull();
  });

  test("gives its records, as the API shows them, to whoever fills another service with them", async () => {
    const now = { taken_at: new Date().toISOString() };
    const [accounts, profiles] = [[{ id: "account:1:2", name: "acme" }], [JANE.record]];
    const origin = SERVICE.origin;
    await writeFile(path(), await textOf(documentWith({}, now)));
    expect(await snapshotRecords({ file: path() })).toEqual([
      { origin, accounts, profiles, usage: SERVICE.usage },
    ]);
    await writeFile(path(), await textOf(documentWith({ usage: null }, now), KEY));
    const environment = { TENANCY_SNAPSHOT_KEY: KEY };
    expect(await snapshotRecords({ file: path() }, { environment })).toEqual([
      { origin, accounts, profiles },
    ]);
  });
});

describe("a key", () => {
  test("hides what is in a snapshot, and opens it, given or in the environment", async () => {
    const text = await textOf(documentWith(), KEY);
    expect(text).not.toMatch(/acme|jane/);
    expect((await read(text, { key: KEY })).services).toEqual([SERVICE]);
    expect((await read(text, {}, NOW, { TENANCY_SNAPSHOT_KEY: KEY })).services).toEqual([SERVICE]);
    const both = await read(text, { key: KEY }, NOW, {
      TENANCY_SNAPSHOT_KEY: "another key, which is not asked",
    });
    expect(both.services).toEqual([SERVICE]);
  });

  test("has to be there, has to fit, and has to be for an encrypted snapshot", async () => {
    const sealed = await textOf(documentWith(), KEY);
    const plain = await textOf();
    const told = [
      await toldOf(sealed),
      await toldOf(sealed, {}, NOW, { TENANCY_SNAPSHOT_KEY: "" }),
      await toldOf(sealed, { key: stateKey("another") }),
      await toldOf(plain, { key: KEY }),
    ];
    expect(told.map((text) => text.split(" ")[0])).toEqual(told.map(() => "TENANCY_SNAPSHOT_KEY"));
    expect(told[0]).toBe(told[1]);
    expect(new Set(told).size).toBe(3);
    expect((await read(plain, {}, NOW, { TENANCY_SNAPSHOT_KEY: "" })).services).toEqual([SERVICE]);
  });

  test("that `tenancy key new` did not print encrypts nothing, and opens nothing", async () => {
    const sealed = await textOf(documentWith(), KEY);
    for (const foreign of ["correct horse battery staple", `${KEY}x`]) {
      await expect(textOf(documentWith(), foreign)).rejects.toMatchObject({ code: "TENANCY_SNAPSHOT_KEY" });
      expect(await toldOf(sealed, { key: foreign })).toContain("is mistyped, or not one that Tenancy made");
    }
    for (const fit of [KEY, undefined]) expect(() => demandFitKey(fit)).not.toThrow();
  });

  test("does not open what was altered, or damaged, after it was encrypted", async () => {
    const sealed = await textOf(documentWith(), KEY);
    expect(await toldOf(sealed.slice(0, -9), { key: KEY })).toMatch(
      /^TENANCY_SNAPSHOT_UNFIT .* its armor is not whole/,
    );
    const altered = sealed.replace(/\w(?=[^\n]*\n-----END)/, (letter) => (letter === "A" ? "B" : "A"));
    expect(await toldOf(altered, { key: KEY })).toMatch(/^TENANCY_SNAPSHOT_KEY .* was altered/);
  });
});

describe("an age", () => {
  const at = (ms: number) => new Date(NOW.getTime() + ms);
  const HOUR = 3_600_000;

  test("of up to 48 hours is fine, or of what is asked for", async () => {
    const text = await textOf();
    await expect(read(text, {}, at(48 * HOUR))).resolves.toBeDefined();
    expect(await toldOf(text, {}, at(48 * HOUR + 1))).toMatch(/^TENANCY_SNAPSHOT_UNFIT .* old /);
    await expect(read(text, { maxAge: "7d" }, at(48 * HOUR + 1))).resolves.toBeDefined();
    expect(await toldOf(text, { maxAge: "30m" }, at(HOUR))).toMatch(/^TENANCY_SNAPSHOT_UNFIT .* old /);
  });

  test("may be five minutes in the future, as clocks of two machines differ", async () => {
    const text = await textOf();
    await expect(read(text, {}, at(-300_000))).resolves.toBeDefined();
    expect(await toldOf(text, {}, at(-300_001))).toMatch(/^TENANCY_SNAPSHOT_UNFIT .* later than now/);
  });

  test("that is no duration, or no time, is refused", async () => {
    expect(await toldOf(await textOf(), { maxAge: "soon" })).toContain("--max-age soon is no duration");
    expect(await toldOf(await textOf(documentWith({}, { taken_at: "yesterday" })))).toContain(
      "taken_at is no time",
    );
  });
});

describe("a file is no snapshot", () => {
  test("where there is none, or where it cannot be read", async () => {
    const nowhere = readSnapshot({ file: join(folder(), "nowhere") }, {}, NOW);
    const [absent] = await findings(nowhere);
    expect(absent?.summary).toContain("there is no such file");
    expect(absent?.advice).toContain("`tenancy snapshot --out FILE`");
    await mkdir(path());
    const unread = readSnapshot({ file: path() }, {}, NOW);
    expect((await findings(unread))[0]?.summary).toContain("cannot be read (EISDIR)");
  });

  test.each([
    ["", "it is empty"],
    [" \n", "it is empty"],
    ['{"format": "tenancy-snap', "it is not JSON, or was cut off"],
    ["[]", "it is no snapshot of Tenancy"],
    ['{"format":"tenancy-plan","version":1}', "it is no snapshot of Tenancy"],
    ['{"format":"tenancy-snapshot"}', "its format has the version none, and this release reads 3"],
    ['{"format":"tenancy-snapshot","version":2}', "its format has the version 2, and this release reads 3"],
    ['{"format":"tenancy-snapshot","version":3}', "it was altered after it was written, or damaged"],
  ])("where it says %j", async (text, why) => {
    expect(await toldOf(text)).toMatch(/^TENANCY_SNAPSHOT_UNFIT /);
    expect(await toldOf(text)).toContain(why);
  });

  test("where a sealed state stands in its place, though the key is the same", async () => {
    const state = await new Sealer(KEY).seal(stringifyJson({ format: "tenancy-state", version: 3 }));
    expect(await toldOf(state, { key: KEY })).toContain("it is no snapshot of Tenancy");
  });

  test("where a single value of it is another one", async () => {
    const text = await textOf();
    expect(await toldOf(text.replace("jane@acme", "eve@acme"))).toContain(
      "it was altered after it was written",
    );
  });

  test.each<readonly [string, ObjectValue]>([
    ["services[0].origin", { origin: 1 }],
    ["services[0].caller", { caller: null }],
    ["services[0].caller.name", { caller: { record: {} } }],
    ["services[0].caller.record", { caller: { name: "system", record: [] } }],
    ["services[0].accounts", { accounts: {} }],
    ["services[0].accounts[0].record", { accounts: [{ record: null, left_out: [] }] }],
    ["services[0].profiles[1]", { profiles: [JANE, "joe"] }],
    ["services[0].profiles[0].left_out", { profiles: [{ record: {} }] }],
    ["services[0].others", { others: [] }],
    ["services[0].others{0}", { others: { hosts: {} } }],
    ["services[0].others{0}[0].record", { others: { hosts: [{ left_out: [] }] } }],
    ["services[0].usage", { usage: [] }],
    ["services[0].usage{0}", { usage: { "account:1:2": 3 } }],
    ["services[0].managed", { managed: {} }],
    ["services[0].managed[0].stack", { managed: [{ provider: "tenancy", ids: [] }] }],
    ["services[0].managed[0].ids", { managed: [{ stack: "prod", provider: "tenancy" }] }],
    ["services[0].managed[0].ids[0]", { managed: [{ stack: "prod", provider: "tenancy", ids: [1] }] }],
    ["services[0].state", { state: [] }],
    ["services[0].state.parts", { state: {} }],
    ["services[0].state.parts[0]", { state: { parts: [null] } }],
    ["services[0].unlisted", { unlisted: [1] }],
  ])("where a release that is none of ours has written something else as %s", async (place, service) => {
    const told = await toldOf(await textOf(documentWith(service)));
    expect(told).toMatch(/^TENANCY_SNAPSHOT_UNFIT /);
    expect(told).toContain(place);
  });

  test("where what it holds has another kind, also behind a key", async () => {
    const text = await textOf(documentWith({}, { services: {} }), KEY);
    expect(await toldOf(text, { key: KEY })).toContain("services is not a list");
    expect(await toldOf(await textOf(documentWith({}, { taken_at: 1 })))).toContain("taken_at is not");
  });
});

test("the checksum is one that other programs can make", async () => {
  const { checksum, ...members } = parseJson(await textOf()) as ObjectValue;
  const digest = createHash("sha256").update(stringifyJson(members)).digest("hex");
  expect(checksum).toBe(`sha256:${digest}`);
});

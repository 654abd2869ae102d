/** The samples on the pages about JSON: all that they show is in the output of the command. */
import { joinedPlans } from "../../src/engine/shown";
import { commandProjects } from "../support/command";
import { blocksOf } from "../support/pages";

const PAGES = ["json", "json-plans", "json-report"].map((name) => `docs/manual/reference/${name}.md`);
const start = commandProjects();

/** The samples of all pages, by the heading above them. */
function samples(): ReadonlyMap<string, readonly unknown[]> {
  const bySection = new Map<string, unknown[]>();
  for (const { section, language, text } of PAGES.flatMap(blocksOf)) {
    if (language !== "json" && language !== "jsonl") continue;
    const documents = language === "jsonl" ? linesOf(text) : [JSON.parse(text) as unknown];
    bySection.set(section, [...(bySection.get(section) ?? []), ...documents]);
  }
  return bySection;
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

/** Members whose values depend on the time, the folder, chance or the order of parallel writes. */
const VARIABLE = new Set([
  "@timestamp",
  "age_days",
  "checked_at",
  "createdAt",
  "created_at",
  "digest",
  "elapsed_seconds",
  "id",
  "made_at",
  "next_in_days",
  "place",
  "rotatesOn",
  "rotates_on",
  "serial",
  "since",
  "state",
]);

/**
 * The places where the sample shows something that the real document lacks. Each element of a list is compared with the most similar one
 * there, and of variable members only the type.
 */
function differences(sample: unknown, real: unknown, place = ""): readonly string[] {
  if (Array.isArray(sample)) {
    if (!Array.isArray(real)) return [place];
    return sample.flatMap((one, index) => {
      const found = real.map((other) => differences(one, other, `${place}[${index}]`));
      return found.sort((a, b) => a.length - b.length)[0] ?? [`${place}[${index}]`];
    });
  }
  if (typeof sample !== "object" || sample === null) {
    const isVariable = VARIABLE.has(place.slice(place.lastIndexOf(".") + 1));
    return sample === real || (isVariable && typeof sample === typeof real) ? [] : [place];
  }
  if (typeof real !== "object" || real === null) return [place];
  const members = real as Readonly<Record<string, unknown>>;
  return Object.entries(sample).flatMap(([name, value]) =>
    name in members ? differences(value, members[name], `${place}.${name}`) : [`${place}.${name}`],
  );
}

const stack = (limit: number, rights: object) => ({
  provider: { tenancy: [{ owner: "acme-platform" }] },
  resource: {
    tenancy_account: {
      acme: { name: "acme", limits_vss_num: limit, permissions: { "vss.manage_snapshots": true } },
    },
    tenancy_user_profile: {
      jane: {
        username: "jane",
        account_id: "${tenancy_account.acme.id}",
        email: "jane@acme.example",
        permissions: rights,
      },
      csi: { username: "csi", account_id: "${tenancy_account.acme.id}", permissions: {} },
    },
    tenancy_authorization: {
      csi: {
        login: "csi@acme",
        name: "kubernetes",
        login_with: "temporary_password",
        rotate_after: "90d",
      },
    },
  },
  output: { account: { value: "${tenancy_account.acme.id}" } },
});

const invalid = {
  provider: { tenancy: [{ owner: "acme-platform" }] },
  resource: { tenancy_account: { acme: { name: "acme", limits_vss_num: "many" } } },
};

/** The documents that the command prints, by the heading of their sample. */
async function printed(): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const project = await start();
  const { records, baseUrl } = project.service;
  const print = async (...words: readonly string[]) => {
    const { stdout } = await project.tenancy([...words, "--json"]);
    return linesOf(stdout.replaceAll(baseUrl, "https://storage.example"));
  };
  const printOne = async (...words: readonly string[]) => {
    const { stdout } = await project.tenancy([...words, "--json"]);
    return [JSON.parse(stdout.replaceAll(baseUrl, "https://storage.example")) as unknown];
  };
  await project.declare({ storage: invalid });
  const validated = await printOne("validate");
  await project.declare({ storage: stack(10, {}) });
  const events = await print("apply", "--yes");
  await project.write("baseline.json", (await project.tenancy(["report", "--json"])).stdout);
  records.patchProfile("jane@acme", { email: "j@old.example" });
  records.createProfile("acme", { username: "bob" });
  await project.declare({ storage: stack(20, { "vss.format_disks": true }) });
  return new Map([
    ["Events", events],
    ["Outputs", await printOne("output")],
    ["validate", validated],
    ["doctor", await printOne("doctor")],
    ["Tokens", await printOne("token", "list")],
    ["The status of the state", await printOne("state", "status")],
    ["Plans", [...(await print("plan")), JSON.parse(joinedPlans(["{}", "{}"])) as unknown]],
    ["Drift", await print("drift")],
    ["The report", await printOne("report")],
    ["Changes since a baseline", await printOne("report", "--baseline", "baseline.json")],
  ]);
}

test("each sample is a part of the command's output", async () => {
  const real = await printed();
  const shown = samples();
  expect([...shown.keys()].sort()).toEqual([...real.keys()].sort());
  for (const [section, documents] of shown)
    expect(differences(documents, real.get(section), section)).toEqual([]);
});

test("a sample with another member, value or type is found", () => {
  const real = { format: "a", version: 1, list: [{ name: "b" }, { name: "c", made_at: "x" }] };
  expect(differences({ version: 1, list: [{ name: "c", made_at: "y" }] }, real)).toEqual([]);
  expect(differences({ version: 2 }, real)).toEqual([".version"]);
  expect(differences({ other: null }, real)).toEqual([".other"]);
  expect(differences({ list: [{ name: "c", made_at: 1 }] }, real)).toEqual([".list[0].made_at"]);
  expect(differences({ list: [{ name: "d" }], format: [] }, real)).toEqual([".list[0].name", ".format"]);
});

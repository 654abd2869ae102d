/** Files that anybody may have written or damaged: the synthesized app, the project, variables, saved plans, the state. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { readProject } from "../../src/cli/project/project";
import { partName, openState } from "../../src/state";
import { close, listStacks, plan, planSaved, savePlan, validate } from "../../src/engine";
import { TenancyError } from "../../src/problems";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { diagnosticsText, paint } from "../../src/render/text";
import { jane, ORIGIN, OWNER, writeState } from "../state/samples";
import { MANIFEST, writeStack } from "../support/synthesized-app";
import {
  damaged,
  expectCleanPrototypes,
  expectPlain,
  hostile,
  mutated,
  mutations,
  tolerated,
  wounds,
  written,
  type Json,
} from "../support/hostile/values";
import { rounds } from "../support/rounds";
import { anyCharacter } from "../support/any-character";
import { stateKey } from "../support/state-key";

jest.setTimeout(rounds(600_000));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Errors of ours, whose text moves no cursor; no trace in what all objects share. */
async function expectOrderly(call: () => Promise<unknown>): Promise<void> {
  const outcome = await tolerated(call);
  if (outcome instanceof TenancyError) {
    if (outcome.code === "TENANCY_INTERNAL") throw outcome;
    expectPlain(diagnosticsText(outcome.toDiagnostics(), paint(false)));
  }
  expectCleanPrototypes();
}

/** What a file holds: an honest document with some parts changed, or with some bytes damaged. */
const contentsLike = (honest: Json): fc.Arbitrary<string | Buffer> =>
  fc.oneof(
    mutations.map((changes) => written(mutated(honest, changes))),
    wounds.map((all) => damaged(JSON.stringify(honest, null, 1), all)),
    hostile.map(written),
  );

const NESTED = [
  `${"[".repeat(90_000)}${"]".repeat(90_000)}`,
  `${'{"a":'.repeat(90_000)}1${"}".repeat(90_000)}`,
];

const STACK: { [name: string]: Json } = {
  "//": { metadata: { stackName: "prod", version: "0.21.0" }, tenancy: { removed: [{ account: "gone" }] } },
  terraform: { required_providers: { tenancy: { source: "tenancy/tenancy" } } },
  provider: { tenancy: [{ owner: "fuzz", base_url: "http://127.0.0.1:1" }] },
  variable: {
    size: {
      type: "number",
      default: 3,
      validation: [{ condition: "${var.size > 1}", error_message: "Too small." }],
    },
    names: { type: "set(string)", default: ["a", "b"] },
  },
  locals: { upper: '${[for name in var.names : upper(name) if name != "x"]}' },
  data: { tenancy_account: { system: { name: "system" } } },
  resource: {
    tenancy_account: {
      acme: {
        "//": { metadata: { path: "prod/acme" } },
        name: '${join("-", ["acme", local.upper[0]])}',
        limits_vss_num: "${var.size * 2}",
        lifecycle: { ignore_changes: ["limits_vss_num"], prevent_destroy: true },
      },
    },
    tenancy_user_profile: {
      each: {
        for_each: "${var.names}",
        username: "${each.key}",
        account_id: "${tenancy_account.acme.id}",
        permissions: { "vss.manage_targets": true },
        depends_on: ["tenancy_account.acme"],
      },
    },
    tenancy_authorization: {
      csi: { count: 2, login: "${tenancy_account.acme.name}", name: "csi-${count.index}" },
    },
    terraform_data: { note: { input: "%{ for name in var.names }${name} %{ endfor }" } },
  },
  import: [{ to: "tenancy_account.acme", id: "acme" }],
  output: { ids: { value: "${[for one in tenancy_user_profile.each : one.id]}", sensitive: true } },
};

describe("the synthesized app", () => {
  const source = () => ({ name: "prod", outdir: folder });

  test("is valid before anything is changed", async () => {
    writeStack(folder, STACK);
    await expect(validate(source())).resolves.toBeDefined();
  });

  test("is read or refused with an error of ours, whatever it holds", async () => {
    await fc.assert(
      fc.asyncProperty(contentsLike(STACK), async (contents) => {
        writeStack(folder, contents);
        await expectOrderly(() => validate(source()));
      }),
      { numRuns: rounds(500) },
    );
  });

  test.each([
    ["lists", NESTED[0] ?? ""],
    ["objects", NESTED[1] ?? ""],
  ])("is refused where it holds %s in each other without end", async (_what, text) => {
    writeStack(folder, text);
    await expect(validate(source())).rejects.toBeInstanceOf(TenancyError);
    writeStack(folder, JSON.stringify({ ...STACK, output: { deep: { value: "@" } } }).replace('"@"', text));
    await expect(validate(source())).rejects.toBeInstanceOf(TenancyError);
  });

  test.each([
    ["parentheses", `\${${"(".repeat(50_000)}1${")".repeat(50_000)}}`],
    ["templates", '${"'.repeat(50_000)],
    ["operators", `\${1${" + 1".repeat(50_000)}}`],
    ["negations", `\${${"!".repeat(50_000)}true}`],
    ["steps", `\${var.size${".a".repeat(50_000)}}`],
    ["conditionals", `\${${"true ? 1 : ".repeat(50_000)}1}`],
    ["powers", "${pow(10, 1000000000)}"],
    [
      "repetitions",
      '${join("", [for a in range(1000) : join("", [for b in range(1000) : format("%1000000s", b)])])}',
    ],
    ["a pattern that backtracks", '${regex("(a+)+$", "' + `${"a".repeat(50_000)}b` + '")}'],
  ])("is read or refused with an error of ours where an expression has endless %s", async (_what, value) => {
    writeStack(folder, { ...STACK, output: { endless: { value } } });
    await expectOrderly(() => validate(source()));
  });

  test("is read or refused with an error of ours, whatever its manifest holds", async () => {
    await fc.assert(
      fc.asyncProperty(contentsLike(MANIFEST as unknown as Json), async (contents) => {
        writeStack(folder, STACK);
        writeFileSync(join(folder, "manifest.json"), contents);
        await expectOrderly(() => listStacks(folder));
        await expectOrderly(() => validate(source()));
      }),
      { numRuns: rounds(200) },
    );
  });

  test("is read or refused with an error of ours, whatever variables it is given", async () => {
    writeStack(folder, STACK);
    const json = contentsLike({ size: 4, names: ["c"] });
    const words = fc.oneof(
      fc.string({ unit: anyCharacter }),
      wounds.map((all) => damaged('size = 4\nnames = ["c", "${d}"]\n', all)),
    );
    await fc.assert(
      fc.asyncProperty(json, words, fc.string({ unit: anyCharacter }), async (inJson, inWords, given) => {
        writeFileSync(join(folder, "terraform.tfvars.json"), inJson);
        writeFileSync(join(folder, "a.auto.tfvars"), inWords);
        const variables = { names: given };
        await expectOrderly(() => validate(source(), { projectFolder: folder, variables }));
      }),
      { numRuns: rounds(300) },
    );
  });
});

test("cdktf.json is read or refused with an error of ours, whatever it holds", async () => {
  const honest = { language: "typescript", app: "node main.js", output: "cdktf.out", context: { a: 1 } };
  await fc.assert(
    fc.asyncProperty(fc.oneof(contentsLike(honest), fc.constantFrom(...NESTED)), async (contents) => {
      writeFileSync(join(folder, "cdktf.json"), contents);
      await expectOrderly(() => readProject(folder));
    }),
    { numRuns: rounds(300) },
  );
});

describe("the state", () => {
  const path = () => join(folder, "state.json");
  const key = stateKey("correct horse battery staple");

  async function honest(sealed: boolean): Promise<string> {
    await writeState(path(), sealed ? key : undefined);
    return readFileSync(path(), "utf8");
  }

  /** Reads all that it says it holds. */
  async function read(sealed: boolean): Promise<void> {
    const part = await openState({ path: path(), ...(sealed && { key }) }).part(
      partName(ORIGIN, OWNER, "tenancy"),
    );
    part.tokens.list();
    part.intents.list();
    part.failedRevocations.list();
    part.objects.isSameValue(jane, ["sms"], "+41 79 123 45 67");
    part.objects.sentVersion(jane, ["password_wo"]);
  }

  test("is read or refused with an error of ours, whatever it holds", async () => {
    const text = await honest(false);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(contentsLike(JSON.parse(text) as Json), fc.constantFrom(...NESTED)),
        async (contents) => {
          writeFileSync(path(), contents);
          await expectOrderly(() => read(false));
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test("is refused where it is cut off, at whatever byte", async () => {
    const text = (await honest(false)).trimEnd();
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length - 1 }), async (length) => {
        writeFileSync(path(), text.slice(0, length));
        await expect(read(false)).rejects.toBeInstanceOf(TenancyError);
      }),
      { numRuns: rounds(200) },
    );
  });

  test("is refused, or as it was, where it was altered while encrypted", async () => {
    const text = await honest(true);
    await fc.assert(
      fc.asyncProperty(wounds, async (all) => {
        writeFileSync(path(), damaged(text, all));
        await expectOrderly(() => read(true));
      }),
      { numRuns: rounds(100) },
    );
  });
});

describe("a saved plan", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
    writeStack(folder, {
      provider: { tenancy: [{ owner: "fuzz" }] },
      resource: { tenancy_account: { acme: { name: "acme" } } },
    });
  });
  afterEach(() => simulator.close());

  test("writes nothing by being read, however it was altered", async () => {
    const { baseUrl, username, password } = simulator;
    const options = {
      projectFolder: folder,
      environment: { TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password },
    };
    const made = await plan({ name: "prod", outdir: folder }, options);
    const text = savePlan(made);
    await close(made);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(contentsLike(JSON.parse(text) as Json), fc.constantFrom(...NESTED)),
        async (contents) => {
          await expectOrderly(async () =>
            close(await planSaved(contents.toString(), { outdir: folder }, options)),
          );
        },
      ),
      { numRuns: rounds(200) },
    );
    expect(
      simulator.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("/token")),
    ).toEqual([]);
  });
});

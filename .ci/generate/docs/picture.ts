/** The plan in the README: what a real run prints of the README's own examples, at the service that comes with the package. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compileFunction } from "node:vm";
import * as cdktf from "cdktf";
import ts from "typescript";
import * as constructs from "../../../src/constructs";
import { apply, close, plan, type Plan } from "../../../src/engine";
import { paint, planText } from "../../../src/render/text";
import { startSimulator } from "../../../src/lib/simulator";
import type { Generator } from "../generator";

const README = "README.md";
const PLAN = /(?<=^```text\n)[^]*?(?=^```$)/m;

/** The change that is planned, as lines of the second example: what they are, and what they become. */
const CHANGE = [
  [/^ +bob: .*\n/m, ""],
  [/(?<=jane: .*)(?= \},)/, '.allow("vss.format_disks")'],
] as const;

export const picture: Generator = {
  name: "picture of a plan",
  async generate() {
    const file = resolve(__dirname, "../../..", README);
    // A copy of the sources without a README has no place for it.
    if (!existsSync(file)) return {};
    const text = readFileSync(file, "utf8");
    if (!PLAN.test(text)) throw new Error(`${README} has no place for the plan`);
    const plan = await printed(text);
    return { [README]: text.replace(PLAN, () => `${plan}\n`) };
  },
};

/** Applies the first example, then the second one in place of its constructs, and plans the change. */
async function printed(readme: string): Promise<string> {
  const [first = "", tenant = ""] = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(
    ([, block = ""]) => block,
  );
  const second = first.replace(/^const acme = [^]*(?=app\.synth)/m, () => tenant);
  const third = CHANGE.reduce((program, [before, after]) => {
    if (!before.test(program)) throw new Error(`the examples of ${README} lack ${String(before)}`);
    return program.replace(before, after);
  }, second);
  const folder = mkdtempSync(join(tmpdir(), "picture-"));
  const simulator = await startSimulator();
  const { baseUrl, username, password } = simulator;
  const environment = {
    TENANCY_BASE_URL: baseUrl,
    TENANCY_USERNAME: username,
    TENANCY_PASSWORD: password,
  };
  const planned = (program: string, name: string): Promise<Plan> => {
    const outdir = join(folder, name);
    synthesize(program, outdir);
    return plan({ name: "platform", outdir }, { environment, projectFolder: folder });
  };
  try {
    for (const [name, program] of Object.entries({ first, second })) {
      const made = await planned(program, name);
      const codes = made.warnings.map(({ code }) => code);
      if (codes.length > 0)
        throw new Error(`the ${name} example of ${README} gets warnings: ${codes.join(", ")}`);
      await apply(made);
    }
    const made = await planned(third, "third");
    await close(made);
    return planText(made, paint(false)).replaceAll(baseUrl, "https://storage.example");
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true });
  }
}

function synthesize(program: string, outdir: string): void {
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const modules: Readonly<Record<string, unknown>> = { cdktf, tenancy: constructs };
  process.env["CDKTF_OUTDIR"] = outdir;
  try {
    const run = compileFunction(outputText, ["require", "exports"]) as (
      ...values: readonly unknown[]
    ) => void;
    run((name: string) => modules[name], {});
  } finally {
    delete process.env["CDKTF_OUTDIR"];
  }
}

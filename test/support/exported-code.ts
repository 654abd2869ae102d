/** Compiles and runs exported TypeScript, as the project that it was written for would. */
import { dirname, join, resolve } from "node:path";
import { transformSync } from "@swc/core";
import * as library from "cdktf";
import type { TerraformStack } from "cdktf";
import * as ours from "tenancy";
import * as constructs from "constructs";
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import ts from "typescript";
import { exportLive } from "../../src/engine";
import { CANARY, environmentOf, type LiveLists, OWNER, serve } from "./live-services";
import { actions, type Project } from "./projects";

export type Files = ReadonlyMap<string, string>;

const ROOT = resolve(__dirname, "../..");

/** The compiler's errors under `strict`. It takes many exports at once, since reading the types of the libraries takes longest. */
export function typeErrors(exports: readonly Files[]): readonly string[] {
  const folder = join(ROOT, "test/exported");
  const sources = new Map(
    exports.flatMap((files, index) =>
      [...files].map(([name, text]) => [join(folder, String(index), name), text]),
    ),
  );
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    isolatedModules: true,
    skipLibCheck: true,
    noEmit: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    types: ["node"],
    paths: { tenancy: [join(ROOT, "src/index.ts")] },
  };
  const real = ts.createCompilerHost(options);
  const folders = new Set([...sources.keys()].flatMap((file) => [dirname(file), folder]));
  const host: ts.CompilerHost = {
    ...real,
    directoryExists: (path) => folders.has(path) || (real.directoryExists?.(path) ?? true),
    fileExists: (file) => sources.has(file) || real.fileExists(file),
    readFile: (file) => sources.get(file) ?? real.readFile(file),
    getSourceFile(file, version, ...others) {
      const text = sources.get(file);
      return text === undefined
        ? real.getSourceFile(file, version, ...others)
        : ts.createSourceFile(file, text, version);
    },
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  const files = [...sources.keys()].flatMap((file) => program.getSourceFile(file) ?? []);
  const found = [
    ...program.getOptionsDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  return found.map(
    ({ file, start, messageText }) =>
      `${file?.fileName ?? ""} ${file?.text.slice(start, (start ?? 0) + 60) ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}

interface Index {
  readonly tenants: (scope: TerraformStack, service?: object) => Record<string, unknown>;
}

/** Runs the index, with the libraries of the test. */
export function load(files: Files): Index {
  const loaded = new Map<string, { exports: unknown }>();
  const libraries: Record<string, unknown> = { cdktf: library, constructs, tenancy: ours };
  const requireFrom = (from: string) => (name: string) => {
    if (Object.hasOwn(libraries, name)) return libraries[name];
    return run(join(dirname(from), `${name}.ts`));
  };
  function run(file: string): unknown {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const source = files.get(file);
    if (source === undefined) throw new Error(`there is no ${file}`);
    const { code } = transformSync(source, {
      swcrc: false,
      configFile: false,
      module: { type: "commonjs" },
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
    });
    const module = { exports: {} };
    loaded.set(file, module);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is code, and has to run
    const evaluate = new Function("require", "module", "exports", code) as (...args: unknown[]) => void;
    evaluate(requireFrom(file), module, module.exports);
    return module.exports;
  }
  return run("index.ts") as Index;
}

/**
 * Exports a service, and plans the exported code: nothing changes, what is imported was foreign, and the code is formatted and holds no secret.
 * @returns the code
 */
export async function roundTrip(project: Project, lists: LiveLists): Promise<Files> {
  const environment = environmentOf(await serve(lists));
  const { files } = await exportLive(undefined, { environment });
  const plan = await project.plan(
    project.synthesize((stack) => void load(files).tenants(stack), { owner: OWNER }),
    { environment },
  );
  expect(actions(plan)).toEqual([]);
  for (const { claim, importId } of plan.changes)
    expect([claim, importId !== undefined]).toEqual(
      claim === "managed" ? ["managed", false] : ["imported", true],
    );
  for (const [name, text] of files) expect([name, await formatted(text)]).toEqual([name, text]);
  expect([...files.values()].join("")).not.toContain(CANARY);
  return files;
}

export function formatted(text: string): Promise<string> {
  return format(text, { parser: "typescript", plugins: [typescript, estree] });
}

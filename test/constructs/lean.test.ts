/** The generated constructs cost only what is declared: covers src/constructs/generated, as .ci/generate/lean.ts makes it. */
import { execFileSync } from "node:child_process";
import { compileFunction } from "node:vm";
import * as cdktf from "cdktf";
import * as constructs from "constructs";
import fc from "fast-check";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { lean } from "../../.ci/generate/lean";
import * as memberChecks from "../../src/constructs/members";
import { Tenant, UserProfile } from "tenancy";
import { app, Synthesized } from "./synthesized";
import { rounds } from "../support/rounds";

const library = require.resolve("cdktf").includes("/cdktn/") ? "cdktn" : "cdktf";
const written = sourcesBy(library);
const made = [...written].filter(([, source]) =>
  /extends \w+\.(TerraformResource|TerraformDataSource|TerraformProvider) /.test(source),
);

describe("a construct that costs what it declares", () => {
  test.each(made)("%s synthesizes to what the generator's own does, byte for byte", (_name, source) => {
    const own = classes(source);
    const ours = classes(lean(source));
    const [name, members] = construct(source);
    fc.assert(
      fc.property(configuration(source, members), uses(source, members), (config, calls) => {
        expect(told(ours, name, config, calls)).toEqual(told(own, name, config, calls));
      }),
      { numRuns: rounds(15) },
    );
  });
});

describe("constructs capture", () => {
  test("no stack trace for what nobody asked for", () => {
    const { stack } = new Synthesized();
    expect(
      tracesOf(() => {
        for (let user = 0; user < 10; user++)
          new UserProfile(stack, `user-${user}`, {
            username: `user-${user}`,
            accountId: "account:1:1",
            email: "",
          });
      }),
    ).toBe(0);
  });

  test("as many stack traces for a tenant of fifty users as for one of five", () => {
    const { stack } = new Synthesized();
    const users = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, user) => [`user-${user}`, { email: "a@b.example" }]),
      );
    const few = tracesOf(() => new Tenant(stack, "few", { name: "few", users: users(5) }));
    expect(tracesOf(() => new Tenant(stack, "many", { name: "many", users: users(50) }))).toBe(few);
  });
});

/** How often a stack trace is captured, as the libraries do for each reference. */
function tracesOf(work: () => void): number {
  const spy = jest.spyOn(Error, "captureStackTrace");
  try {
    work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

/** A member of a configuration: as users write it, and as the construct keeps it. */
interface Member {
  readonly name: string;
  /** Class of its reference object, if it is an object. */
  readonly reference: string | undefined;
}

type Classes = Readonly<Record<string, new (...arguments_: never[]) => object>>;
type Call = readonly ["ask" | "put" | "reset" | "input", string, unknown];

/** The construct's class in a source, and what it is configured with. */
function construct(source: string): readonly [string, readonly Member[]] {
  const name = /^export class (\w+) extends \w+\.Terraform/m.exec(source)?.[1] ?? "";
  return [name, members(source, name)];
}

function members(source: string, name: string): readonly Member[] {
  const [, body = ""] = source.split(`export class ${name} `);
  const [own = ""] = body.split(/^}$/m, 1);
  const assignments = own.matchAll(/^ +this\._(\w+)(?:\.internalValue)? = (?:config|value)\.(\w+);/gm);
  return [...assignments].map(([, kept = "", member = ""]) => ({
    name: member,
    reference: new RegExp(`private _${kept} = new (\\w+)\\(`).exec(own)?.[1],
  }));
}

function configuration(source: string, of: readonly Member[]): fc.Arbitrary<Record<string, unknown>> {
  const values = of.map((member) => [member.name, valueOf(source, member)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [] });
}

function valueOf(source: string, { reference }: Member): fc.Arbitrary<unknown> {
  const token = fc.constant({ resolve: () => "${local.it}", toString: () => "it", creationStack: [] });
  if (reference !== undefined) {
    return fc.oneof(
      { weight: 20, arbitrary: configuration(source, members(source, reference)) },
      { weight: 5, arbitrary: fc.constantFrom(undefined, {}) },
      { weight: 5, arbitrary: token },
      // A mistake that the library answers with an error.
      { weight: 1, arbitrary: fc.constant(null) },
    );
  }
  return fc.oneof(
    fc.constantFrom("text", "", 5, 0, true, false, ["a", "b"], [], { key: true }, {}),
    fc.constantFrom(undefined, null),
    token,
  );
}

/** What a program may ask of a construct that it has made. */
function uses(source: string, of: readonly Member[]): fc.Arbitrary<readonly Call[]> {
  const calls = of.map((member) =>
    fc.tuple(
      fc.constantFrom("ask", "put", "reset", "input"),
      fc.constant(member.name),
      valueOf(source, member),
    ),
  );
  return calls.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...calls), { maxLength: 4 });
}

/** Everything that can be seen of a construct, or of its failure. */
function told(from: Classes, name: string, config: object, calls: readonly Call[]): unknown {
  const stack = new cdktf.TerraformStack(app(), "it");
  const seen: unknown[] = [];
  try {
    const Construct = from[name] as unknown as new (...made: unknown[]) => Record<string, unknown>;
    const object = new Construct(stack, "it", config);
    for (const [call, member, value] of calls) seen.push(used(object, call, member, value));
    seen.push(cdktf.Testing.synth(stack), cdktf.Testing.synthHcl(stack));
  } catch (error) {
    seen.push(String(error));
  }
  return seen;
}

function used(object: Record<string, unknown>, call: Call[0], member: string, value: unknown): unknown {
  const capital = member.charAt(0).toUpperCase() + member.slice(1);
  const method = object[`${call}${capital}`];
  if (call === "ask") return cdktf.Token.isUnresolved(object[member]);
  if (call === "input") return object[`${member}Input`];
  if (typeof method === "function") method.call(object, value);
  else if (call === "put") object[member] = value;
  return undefined;
}

function classes(source: string): Classes {
  const { outputText } = transpileModule(source, {
    compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
  });
  const exports = {};
  const modules: Readonly<Record<string, unknown>> = { constructs, "../../members": memberChecks };
  const find = (id: string) => modules[id] ?? cdktf;
  (compileFunction(outputText, ["exports", "require"]) as (...found: unknown[]) => void)(exports, find);
  return exports;
}

/** The generator has to be alone in a process: it asks for programs, and sets variables. */
function sourcesBy(name: string): ReadonlyMap<string, string> {
  const program = `require("./.ci/generate/bindings.ts")
    .sourcesBy("${name}")
    .then((sources) => process.stdout.write(JSON.stringify([...sources])))`;
  const text = execFileSync(process.execPath, ["--import", "tsx", "--eval", program], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return new Map(JSON.parse(text) as [string, string][]);
}

/** Reads the blocks of a stack, one kind at a time. */
import {
  addressOf,
  compile,
  type Compiled,
  evaluate,
  type Expression,
  parseExpression,
  parseType,
  references,
} from "../lib/language";
import {
  brokenStack,
  duplicateImport,
  invalidExpression,
  unsupported,
  unsupportedProvider,
} from "../problems";
import { bare, isObject, isUnknown, type ObjectValue, type Type, UNKNOWN, type Value } from "../lib/values";
import type {
  StackImport,
  LocalBlock,
  OutputBlock,
  ProviderBlock,
  StackRemoval,
  VariableBlock,
} from "./model";
import {
  type BlockReader,
  constructPathOf,
  namedBlocks,
  namedValues,
  type Reading,
  withoutBraces,
} from "./reader";

// Top-level members: each is read here, ignored, or refused.

/** Sections that other files here read, and sections without a meaning in the absence of a state. */
const BLOCK_MEMBERS: ReadonlySet<string> = new Set([
  "//",
  "terraform",
  "provider",
  "variable",
  "locals",
  "output",
  "resource",
  "data",
  "ephemeral",
  "import",
  "moved",
]);

const OURS = /^(?:[\w.-]+\/)?tenancy\/tenancy$/;
/** Their resources are values: `null_resource`, `terraform_data`. A source of one word is HashiCorp's: CDKTF's own package writes `null`. */
const HARMLESS_PROVIDER = /^(?:null|(?:[\w.-]+\/)?hashicorp\/null|(?:terraform\.io\/)?builtin\/terraform)$/;

export function readDeclarations(reading: Reading, root: ObjectValue): void {
  for (const section of Object.keys(root)) {
    if (BLOCK_MEMBERS.has(section) || section === "module") continue;
    reading.report(unsupported.error(`"${section}" blocks`), { address: section });
  }
  for (const [name, body] of namedBlocks(reading, "module", root["module"])) {
    reading.block(`module.${name}`, constructPathOf(body)).report(unsupported.error("modules"));
  }
  const terraform = isObject(root["terraform"]) ? root["terraform"] : {};
  for (const [name, required] of namedValues(
    reading,
    "terraform.required_providers",
    terraform["required_providers"],
  )) {
    const source =
      isObject(required) && typeof required["source"] === "string" ? required["source"] : undefined;
    const sources = name === "tenancy" ? OURS : HARMLESS_PROVIDER;
    if (!sources.test(source ?? (name === "tenancy" ? "tenancy/tenancy" : `hashicorp/${name}`))) {
      reading.report(
        unsupportedProvider.error(`the provider "${name}"${source === undefined ? "" : ` (${source})`}`),
        {
          address: `provider.${name}`,
        },
      );
    }
  }
}

export function* readVariables(reading: Reading, section: Value | undefined): Generator<VariableBlock> {
  for (const [name, body] of namedBlocks(reading, "variable", section)) {
    const address = `var.${name}`;
    const reader = reading.block(address);
    const validations = reader.conditions(body["validation"], "validation");
    yield {
      kind: "variable",
      address,
      name,
      type: variableType(reader, body["type"]),
      default: defaultOf(reader, body),
      sensitive: reader.flag(body["sensitive"], ["sensitive"]),
      nullable: reader.flag(body["nullable"], ["nullable"], true),
      ephemeral: reader.flag(body["ephemeral"], ["ephemeral"]),
      validations,
      // A validation refers to its own variable, which is not a circle.
      dependencies: reader.dependencies.filter((dependency) => dependency !== address),
    };
  }
}

function variableType(reader: BlockReader, json: Value | undefined): Type | undefined {
  const text = reader.text(json, ["type"]);
  if (text === undefined) return undefined;
  try {
    return parseType(withoutBraces(text));
  } catch (error) {
    if (!invalidExpression.is(error)) throw error;
    reader.report(error, ["type"]);
    return undefined;
  }
}

function defaultOf(reader: BlockReader, body: ObjectValue): Value | undefined {
  if (body["default"] === undefined) return undefined;
  const compiled = reader.compile(body["default"], ["default"]);
  if (compiled.constant !== undefined) return compiled.constant;
  if (compiled.references.length + compiled.calls.length > 0) {
    reader.report(brokenStack.error("the default of a variable cannot refer to anything"), ["default"]);
    return null;
  }
  return bare(compiled.evaluate({ folder: ".", resolve: () => null }));
}

export function* readLocals(reading: Reading, section: Value | undefined): Generator<LocalBlock> {
  for (const [name, json] of namedValues(reading, "locals", section)) {
    const address = `local.${name}`;
    const reader = reading.block(address);
    const value = reader.compile(json, []);
    yield { kind: "local", address, name, value, dependencies: reader.dependencies };
  }
}

export function* readOutputs(reading: Reading, section: Value | undefined): Generator<OutputBlock> {
  for (const [name, body] of namedBlocks(reading, "output", section)) {
    const address = `output.${name}`;
    const reader = reading.block(address);
    if (body["value"] === undefined) reader.report(brokenStack.error(`the output "${name}" has no value`));
    const value = reader.compile(body["value"], ["value"]);
    const preconditions = reader.conditions(body["precondition"], "precondition");
    reader.dependsOn(body["depends_on"]);
    yield {
      kind: "output",
      address,
      name,
      value,
      sensitive: reader.flag(body["sensitive"], ["sensitive"]),
      ephemeral: reader.flag(body["ephemeral"], ["ephemeral"]),
      description: reader.text(body["description"], ["description"]),
      preconditions,
      dependencies: reader.dependencies,
    };
  }
}

export function* readProviders(reading: Reading, section: Value | undefined): Generator<ProviderBlock> {
  for (const [type, body] of namedBlocks(reading, "provider", section)) {
    if (type === "null" || type === "terraform") continue;
    const { "//": _comment, alias: aliasName, version: _version, ...attributes } = body;
    const alias = typeof aliasName === "string" ? `.${aliasName}` : "";
    const address = `provider.${type}${alias}`;
    const twice = reading.isDeclared(address);
    const reader = reading.block(address);
    if (type !== "tenancy") {
      reader.report(unsupportedProvider.error(`the provider "${type}"`));
      continue;
    }
    if (twice) {
      reader.report(
        brokenStack.error(`the provider configuration "${type}${alias}" is declared twice`, {
          advice: "Give one of them another alias.",
        }),
      );
    }
    yield {
      kind: "provider",
      address,
      name: `${type}${alias}`,
      body: reader.compile(attributes, []),
      dependencies: reader.dependencies,
    };
  }
}

/** Reads what our constructs `Deletion` and `Release` write into the stack's metadata. */
export function readRemoved(
  reading: Reading,
  comment: Value | undefined,
  member: "removed" | "released",
): readonly StackRemoval[] {
  const ours = isObject(comment) ? comment["tenancy"] : undefined;
  const entries = isObject(ours) ? ours[member] : undefined;
  return reading
    .anonymous({ address: member })
    .objects(entries, [])
    .map((entry) => {
      const path = typeof entry["path"] === "string" ? entry["path"] : undefined;
      const reader = reading.anonymous({
        address: member,
        ...(path !== undefined && { constructPath: path }),
      });
      const text = (name: string): string | undefined => {
        const value = reader.text(entry[name], [name]);
        if (value !== undefined && /\$\{|%\{/.test(value)) {
          reader.report(
            brokenStack.error(`"${name}" of a ${member} object must be written out, not computed`),
            [name],
          );
        }
        return value;
      };
      const removal: StackRemoval = {
        account: text("account"),
        login: text("login"),
        id: text("id"),
        serial: text("serial"),
        path,
        provider: text("provider"),
      };
      if ((removal.account === undefined) === (removal.login === undefined)) {
        reader.report(brokenStack.error(`a ${member} object needs either an account or a login`));
      }
      reading.needProvider(`provider.${removal.provider ?? "tenancy"}`, reader.where);
      return removal;
    });
}

export function readImports(reading: Reading, section: Value | undefined): readonly StackImport[] {
  const targets = new Set<string>();
  return reading
    .anonymous({ address: "import" })
    .objects(section, [])
    .flatMap((json) => {
      const target = reading.anonymous({ address: "import" }).text(json["to"], ["to"]);
      const reader = reading.anonymous({ address: target === undefined ? "import" : withoutBraces(target) });
      if (target === undefined || json["id"] === undefined) {
        reader.report(brokenStack.error(`an import block needs "to" and "id"`));
        return [];
      }
      const forEach = reader.compileOptional(json["for_each"], ["for_each"]);
      const names = { each: forEach !== undefined };
      const to = readTarget(reader, withoutBraces(target), names);
      if (typeof to?.constant === "string") {
        if (targets.has(to.constant)) reader.report(duplicateImport.error(to.constant));
        targets.add(to.constant);
      }
      return to === undefined ? [] : [{ to, id: reader.compile(json["id"], ["id"], names), forEach }];
    });
}

/** `tenancy_account.acme`, `tenancy_account.acme["eu"]`, `tenancy_account.acme[each.key]`. */
function readTarget(
  reader: BlockReader,
  text: string,
  names: { readonly each: boolean },
): Compiled | undefined {
  const expression = expressionIn(reader, text);
  if (expression === undefined) return undefined;
  const { root } = expression;
  const origin = root.kind === "traverse" ? root.from : root;
  const [step, ...more] = root.kind === "traverse" ? root.steps : [];
  if (origin.kind !== "reference" || more.length > 0 || (step && step.kind !== "index")) {
    reader.report(brokenStack.error("the target of an import must be the address of a resource"));
    return undefined;
  }
  const { reference } = origin;
  for (const dependency of references(expression)) reader.reading.use(dependency, names, reader.where);
  if (reference.kind !== "resource" || !reference.type.startsWith("tenancy_")) {
    reader.report(unsupported.error(`imports of ${addressOf(reference)}`));
    return undefined;
  }
  const address = addressOf(reference);
  if (step === undefined) return compile(address);
  const key: Expression = { text, root: step.key };
  if (step.key.kind === "literal") return compile(withKey(address, step.key.value));
  return {
    constant: undefined,
    references: references(key),
    calls: [],
    fixed: undefined,
    evaluate: (scope) => withKey(address, bare(evaluate(key, scope))),
    evaluateRest: () => ({}),
  };
}

function withKey(address: string, key: Value): Value {
  return isUnknown(key) ? UNKNOWN : `${address}[${JSON.stringify(key)}]`;
}

function expressionIn(reader: BlockReader, text: string): Expression | undefined {
  try {
    return parseExpression(text);
  } catch (error) {
    if (!invalidExpression.is(error)) throw error;
    reader.report(error, ["to"]);
    return undefined;
  }
}

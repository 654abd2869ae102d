import { DuplicateImport, InvalidExpression, BrokenStack, Unsupported } from "../../errors";
import {
  addressOf,
  bare,
  compile,
  evaluate,
  parseExpression,
  references,
  type Compiled,
  type Expression,
} from "../../expressions";
import { UNKNOWN, isUnknown, type Value } from "../../values";
import type { ImportBlock } from "../model";
import { withoutBraces, type BlockReader } from "./block-reader";
import type { Reading } from "./reading";

export function readImports(reading: Reading, section: Value | undefined): readonly ImportBlock[] {
  const targets = new Set<string>();
  return reading
    .anonymous({ address: "import" })
    .objects(section, [])
    .flatMap((json) => {
      const target = reading.anonymous({ address: "import" }).text(json["to"], ["to"]);
      const reader = reading.anonymous({ address: target === undefined ? "import" : withoutBraces(target) });
      if (target === undefined || json["id"] === undefined) {
        reader.report(new BrokenStack(`an import block needs "to" and "id"`));
        return [];
      }
      const forEach = reader.compileOptional(json["for_each"], ["for_each"]);
      const surroundings = { each: forEach !== undefined };
      const to = readTarget(reader, withoutBraces(target), surroundings);
      if (typeof to?.constant === "string") {
        if (targets.has(to.constant)) reader.report(new DuplicateImport(to.constant));
        targets.add(to.constant);
      }
      return to === undefined ? [] : [{ to, id: reader.compile(json["id"], ["id"], surroundings), forEach }];
    });
}

/** `tenancy_account.acme`, `tenancy_account.acme["eu"]`, `tenancy_account.acme[each.key]`. */
function readTarget(
  reader: BlockReader,
  text: string,
  surroundings: { readonly each: boolean },
): Compiled | undefined {
  const expression = read(reader, text);
  if (expression === undefined) return undefined;
  const { root } = expression;
  const origin = root.kind === "traverse" ? root.from : root;
  const [step, ...more] = root.kind === "traverse" ? root.steps : [];
  if (origin.kind !== "reference" || more.length > 0 || (step && step.kind !== "index")) {
    reader.report(new BrokenStack("the target of an import must be the address of a resource"));
    return undefined;
  }
  const { reference } = origin;
  for (const used of references(expression)) reader.reading.use(used, surroundings, reader.where);
  if (reference.kind !== "resource" || !reference.type.startsWith("tenancy_")) {
    reader.report(new Unsupported(`imports of ${addressOf(reference)}`));
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

function read(reader: BlockReader, text: string): Expression | undefined {
  try {
    return parseExpression(text);
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error;
    reader.report(error, ["to"]);
    return undefined;
  }
}

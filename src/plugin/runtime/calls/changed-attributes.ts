import { type ObjectValue, type Path } from "../../../values";
import { type Schema } from "../schemas/schema";
import { typeOfBlock } from "../schemas/schema-type";
import { withoutWriteOnly } from "../schemas/write-only";
import { type CallValues } from "./call-values";

/** The attributes and blocks at the root that the plan changes, judged by what core is going to compare. */
export function changedAttributes(
  schema: Schema,
  values: CallValues,
  prior: ObjectValue,
  planned: ObjectValue,
): readonly Path[] {
  const type = typeOfBlock(schema);
  if (typeof type === "string" || type[0] !== "object") return [];
  const bytes = (object: ObjectValue, name: string): string => {
    const member = withoutWriteOnly(schema, object)[name] ?? null;
    const { msgpack } = values.encode(member, type[1][name] ?? "dynamic", { unknowns: true });
    return Buffer.from(msgpack ?? []).toString("latin1");
  };
  return Object.keys(type[1])
    .filter((name) => bytes(prior, name) !== bytes(planned, name))
    .map((name) => [name]);
}

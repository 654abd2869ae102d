/** Writes tenants as HCL: a file for each, with `resource` and `import` blocks, laid out as `terraform fmt` does. */
import { nearestPreset, PRESET_NAMES, PRESETS, resources } from "../resources";
import { isKnownRight } from "../service";
import type { Attributes } from "../schema";
import { isList, isObject, type ObjectValue, type Value } from "../lib/values";
import type { ExportedRights } from "./declaration";
import type { Lines } from "./layout";
import { type LeftOut, leftOutSentence, EXPORT_MARKER, NEVER_SHOWN } from "./left-out";
import type { ExportedRecord, ExportedTenant, ExportModel } from "./model";
import { fileNames, labelKey, labels } from "./names";
import { isPlainCharacter } from "./quoted";

/** Texts of files by their names. */
export function hclFiles({ tenants, leftOut }: ExportModel): ReadonlyMap<string, string> {
  const files = fileNames(tenants.map(({ name }) => name));
  const labelsByKey = labels(
    tenants.flatMap((tenant) => [[tenant.name], ...tenant.users.map((user) => [tenant.name, user.name])]),
  );
  const labelOf = (...names: readonly string[]) => labelsByKey.get(labelKey(names)) ?? "";
  const texts = tenants.map((tenant): [string, string] => [
    `${files.get(tenant.name) ?? ""}.tf`,
    tenantFile(tenant, labelOf),
  ]);
  const inTenants = new Set(tenants.flatMap((tenant) => tenant.leftOut));
  const others = leftOut.filter((one) => !inTenants.has(one));
  return new Map([
    ...texts,
    ...(others.length === 0 ? [] : [["not-exported.tf", leftOutComment(others)] as const]),
  ]);
}

function leftOutComment(leftOut: readonly LeftOut[]): string {
  return [
    `# ${EXPORT_MARKER} ${NEVER_SHOWN}`,
    "",
    ...leftOut.map((one) => `# ${leftOutSentence(one)}`),
    "",
  ].join("\n");
}

function tenantFile(
  { name, account, users, leftOut }: ExportedTenant,
  labelOf: (...names: readonly string[]) => string,
): string {
  const label = labelOf(name);
  const accountBlocks =
    account === undefined
      ? block(`data "tenancy_account" "${label}"`, [], [["name", hclLiteral(name)]])
      : [
          ...resourceBlock("tenancy_account", label, account, [["name", hclLiteral(name)]]),
          "",
          ...importBlock("tenancy_account", label, account),
        ];
  const accountId = `${account === undefined ? "data." : ""}tenancy_account.${label}.id`;
  const userBlocks = users.flatMap((user) => [
    "",
    ...resourceBlock("tenancy_user_profile", labelOf(name, user.name), user, [
      ["username", hclLiteral(user.name)],
      ["account_id", accountId],
    ]),
    "",
    ...importBlock("tenancy_user_profile", labelOf(name, user.name), user),
  ]);
  return [
    `# ${EXPORT_MARKER} ${NEVER_SHOWN}`,
    "",
    ...leftOut.map((one) => `# ${leftOutSentence(one)}`),
    ...(leftOut.length > 0 ? [""] : []),
    ...accountBlocks,
    ...userBlocks,
    "",
  ].join("\n");
}

/** Terraform's state knows no record yet, so managed records are imported as well. */
function importBlock(type: string, label: string, { id }: ExportedRecord): Lines {
  return block(
    "import",
    [],
    [
      ["to", `${type}.${label}`],
      ["id", hclLiteral(id)],
    ],
  );
}

type Argument = readonly [name: string, value: string | Lines];

function resourceBlock(
  type: string,
  label: string,
  { attributes, rights, remarks }: ExportedRecord,
  names: readonly Argument[],
): Lines {
  const described = resources.get(type)?.description.attributes ?? {};
  const comments = [...remarks, ...(isKept(rights) ? [KEPT] : [])];
  return block(`resource "${type}" "${label}"`, comments, [
    ...names,
    ...args(attributes, described),
    ...permissionArguments(rights),
  ]);
}

/** Authoritative permissions would remove rights that this version does not know, and `keep` would be a change at import. */
function isKept(rights: ExportedRights | undefined): boolean {
  return rights !== undefined && rights.unknown.length > 0;
}

const KEPT =
  "Its permissions are therefore not declared: as they are, only a newer version of the provider can.";

function args(values: ObjectValue, attributes: Attributes): readonly Argument[] {
  return Object.entries(attributes).flatMap(([name, { shape }]): Argument[] => {
    const value = values[name];
    if (value === undefined) return [];
    return [[name, expression(value, shape.kind === "group" ? shape.attributes : {})]];
  });
}

function expression(value: Value, attributes: Attributes): string | Lines {
  if (typeof value === "string") return hclLiteral(value);
  if (isList(value)) return hclList(value.filter((one) => typeof one === "string"));
  if (isObject(value)) return ["{", ...indentLines(argumentLines(args(value, attributes))), "}"];
  return String(value);
}

function hclList(texts: readonly string[]): string {
  return `[${texts.map(hclLiteral).join(", ")}]`;
}

function permissionArguments(rights: ExportedRights | undefined): readonly Argument[] {
  if (rights === undefined) return [];
  const { vssScope, nodeScope } = rights;
  const lastDays = Object.entries(rights.lastDays).map(([right, day]): Argument => [
    hclLiteral(right),
    hclLiteral(day),
  ]);
  return [
    ...(vssScope === undefined ? [] : [["vss_scope", hclList(vssScope)] as const]),
    ...(nodeScope === undefined ? [] : [["node_scope", hclList(nodeScope)] as const]),
    ...(isKept(rights) ? [] : [["permissions", rightsMap(rights)] as const]),
    ...(isKept(rights) || lastDays.length === 0
      ? []
      : [["permissions_until", ["{", ...indentLines(argumentLines(lastDays)), "}"]] as const]),
  ];
}

/** The largest preset within the granted rights, and the further rights: a map with keys that are false would be a change at import. */
function rightsMap({ grantedRights }: ExportedRights): string | Lines {
  const contained = PRESET_NAMES.filter((name) =>
    PRESETS[name].every((right) => grantedRights.includes(right)),
  );
  const { preset, more } = nearestPreset(grantedRights, contained);
  const map = [
    "{",
    ...indentLines(argumentLines(more.map((right): Argument => [hclLiteral(right), "true"]))),
    "}",
  ];
  if (preset === "none") return more.length === 0 ? "{}" : map;
  const call = `provider::tenancy::permissions_preset("${preset}"`;
  if (more.length === 0) return `${call})`;
  // The function may take a right that it does not know for a misspelt one.
  if (!more.every(isKnownRight)) return [`merge(${call}), {`, ...map.slice(1, -1), "})"];
  return [`${call}, {`, ...map.slice(1, -1), "})"];
}

// Layout.

function block(head: string, comments: readonly string[], body: readonly Argument[]): Lines {
  return [
    `${head} {`,
    ...indentLines([...comments.map((comment) => `# ${comment}`), ...argumentLines(body)]),
    "}",
  ];
}

/** Values on one line are aligned. Longer values are separate. */
function argumentLines(arguments_: readonly Argument[]): Lines {
  const isShort = (argument: Argument): argument is readonly [string, string] =>
    typeof argument[1] === "string";
  const short = arguments_.filter(isShort);
  const width = Math.max(0, ...short.map(([name]) => name.length));
  const lines = short.map(([name, value]) => `${name.padEnd(width)} = ${value}`);
  for (const [name, value] of arguments_) {
    if (typeof value === "string") continue;
    const [first = "", ...rest] = value;
    lines.push(...(lines.length > 0 ? [""] : []), `${name} = ${first}`, ...rest);
  }
  return lines;
}

function indentLines(lines: Lines): Lines {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

const SHORT: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/** A text as a literal of HCL, in which nothing is a template. */
function hclLiteral(text: string): string {
  let literal = "";
  for (const character of text.replace(/[$%](?=\{)/g, "$&$&")) {
    const short = SHORT[character];
    const code = character.codePointAt(0) ?? 0;
    if (short !== undefined) literal += short;
    else if (isPlainCharacter(character)) literal += character;
    else literal += code > 0xffff ? `\\U${hexDigits(code, 8)}` : `\\u${hexDigits(code, 4)}`;
  }
  return `"${literal}"`;
}

function hexDigits(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

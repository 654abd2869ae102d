/** Writes tenants as TypeScript: a file for each, with a `Tenant`, and an index that puts them together. */
import { nearestPreset, PROFILE_TYPE, resources } from "../resources";
import { isKnownRight } from "../service";
import type { Attributes } from "../schema";
import { camelCase, isInteger, isList, isObject, type ObjectValue, type Value } from "../lib/values";
import {
  type ChainedCall,
  type Code,
  fits,
  propertyKey,
  laidOut,
  type Lines,
  listLines,
  type Member,
  plainCode,
} from "./layout";
import type { ExportedRights } from "./declaration";
import { type LeftOut, leftOutSentence, EXPORT_MARKER, NEVER_SHOWN } from "./left-out";
import type { ExportedRecord, ExportedTenant, ExportModel } from "./model";
import { fileNames, identifiers } from "./names";
import { textLiteral } from "./quoted";
import type { ExportedToken } from "./tokens";

/** The library that the code is written for. */
export type Library = "cdktf" | "cdktn";

const PACKAGES: Readonly<Record<Library, string>> = {
  cdktf: '"tenancy"',
  cdktn: '"tenancy/cdktn"',
};

/** Texts of files by their names. */
export function typescriptFiles(
  { tenants, leftOut }: ExportModel,
  library: Library,
): ReadonlyMap<string, string> {
  // The names differ: of several accounts with the same name in Unicode's normal form, only one is exported.
  const names = tenants.map(({ name }) => name);
  const files = fileNames(names);
  const functions = identifiers(names);
  const nameIn = (map: ReadonlyMap<string, string>, name: string) => map.get(name) ?? "";
  const inTenants = new Set(tenants.flatMap((tenant) => tenant.leftOut));
  const texts = tenants.map((tenant): [string, string] => {
    const file = nameIn(files, tenant.name);
    return [`${file}.ts`, tenantFile(tenant, nameIn(functions, tenant.name), file, library)];
  });
  const index = indexFile(
    names.map((name) => ({ file: nameIn(files, name), function: nameIn(functions, name) })),
    leftOut.filter((one) => !inTenants.has(one)),
    library,
  );
  return new Map([["index.ts", index], ...texts]);
}

// The index.

function indexFile(
  parts: readonly { readonly file: string; readonly function: string }[],
  leftOut: readonly LeftOut[],
  library: Library,
): string {
  const members = parts.map(({ function: name }): Member => {
    return { name, code: { kind: "call", callee: name, args: ["folder", "service"] } };
  });
  return joinLines([
    `// ${EXPORT_MARKER} ${NEVER_SHOWN}`,
    `import type { TenantProps } from ${PACKAGES[library]};`,
    'import { Construct } from "constructs";',
    ...parts.map((part) => `import { ${part.function} } from "./${part.file}";`),
    "",
    ...leftOut.map((one) => `// ${leftOutSentence(one)}`),
    ...(leftOut.length > 0 ? [""] : []),
    "/** Declares the tenants, in a construct of their own. */",
    ...signature("tenants"),
    '  const folder = new Construct(scope, "tenants");',
    ...laidOut("  return ", { kind: "object", members }, ";"),
    "}",
  ]);
}

function signature(name: string): Lines {
  const parameters = ["scope: Construct", 'service: Pick<TenantProps, "provider"> = {}'];
  return listLines("", `export function ${name}(`, parameters, ") {", "", "");
}

// A tenant's file.

function tenantFile(tenant: ExportedTenant, name: string, id: string, library: Library): string {
  const { account, users } = tenant;
  const body = account === undefined ? usersAlone(tenant, id) : tenantBody(account, tenant, id);
  const records = [...(account === undefined ? [] : [account]), ...users];
  const hasRights = records.some(({ rights }) => rights !== undefined);
  const hasLargeNumbers = records.some(({ attributes }) => Object.values(attributes).some(isBeyondNumbers));
  const importedNames = [...(hasRights ? ["Permissions"] : []), "Tenant", "type TenantProps"];
  return joinLines([
    `// ${EXPORT_MARKER} ${NEVER_SHOWN}`,
    ...(hasLargeNumbers ? [`import { Token } from ${textLiteral(library)};`] : []),
    ...importLines(importedNames, PACKAGES[library]),
    'import type { Construct } from "constructs";',
    "",
    ...signature(name),
    ...tenant.leftOut.map((one) => `  // ${leftOutSentence(one)}`),
    ...body,
    "  return tenant;",
    "}",
  ]);
}

function importLines(names: readonly string[], from: string): Lines {
  const whole = `import { ${names.join(", ")} } from ${from};`;
  return fits(whole) ? [whole] : ["import {", ...names.map((name) => `  ${name},`), `} from ${from};`];
}

function tenantBody(account: ExportedRecord, { users, tokens }: ExportedTenant, id: string): Lines {
  const members: Member[] = [
    { name: "...service" },
    { name: "name", code: { kind: "text", text: account.name } },
    ...declaredMembers(account, "tenancy_account"),
    ...(users.length === 0 ? [] : [{ name: "users", code: objectByName(users, userObject) }]),
    ...(tokens.length === 0 ? [] : [{ name: "tokens", code: objectByName(tokens, tokenObject) }]),
  ];
  return [
    ...laidOut(
      `  const tenant = new Tenant(scope, ${textLiteral(id)}, `,
      { kind: "object", members, comments: account.remarks },
      ");",
    ),
    ...account.resets.map((name) => `  tenant.account.reset${upperFirst(camelCase(name))}();`),
    ...importOf(account, "tenant", account.name),
    ...users.flatMap((user) => {
      const variable = { name: "user", args: [textLiteral(user.name)] };
      return statementsAfter(user, account.name, { head: "tenant", calls: [variable] });
    }),
  ];
}

/** Users or tokens by their names. */
function objectByName<T extends { readonly name: string }>(
  all: readonly T[],
  codeFor: (one: T) => Code,
): Code {
  return { kind: "object", members: all.map((one) => ({ name: propertyKey(one.name), code: codeFor(one) })) };
}

type ObjectCode = Extract<Code, { kind: "object" }>;

function userObject(user: ExportedRecord): ObjectCode {
  return { kind: "object", members: declaredMembers(user, "tenancy_user_profile"), comments: user.remarks };
}

/** The provider's defaults of `retain_previous_for` and `retain_previous`. */
const DEFAULT_RETENTION = { for: "7d", count: 1 };

/** Replaced tokens are kept for a year if the state does not know their retention. */
const UNKNOWN_RETENTION = "365d";

function tokenObject({
  username,
  replaced: replacedCount,
  retention,
  userHasPassword,
}: ExportedToken): ObjectCode {
  const isUnknown = retention === undefined && replacedCount > 0;
  const retentionToDeclare =
    retention ?? (isUnknown ? { for: UNKNOWN_RETENTION, count: replacedCount } : DEFAULT_RETENTION);
  return {
    kind: "object",
    members: [
      ...(username === undefined ? [] : [{ name: "user", code: { kind: "text", text: username } as Code }]),
      ...(retentionToDeclare.for === DEFAULT_RETENTION.for
        ? []
        : [{ name: "retainPreviousFor", code: { kind: "text", text: retentionToDeclare.for } as Code }]),
      ...(retentionToDeclare.count === DEFAULT_RETENTION.count
        ? []
        : [{ name: "retainPrevious", code: plainCode(String(retentionToDeclare.count)) }]),
      ...(retention?.rotate_after === undefined
        ? []
        : [{ name: "rotateAfter", code: { kind: "text", text: retention.rotate_after } as Code }]),
    ],
    comments: [
      ...(userHasPassword ? ["Its user has a password: a rotation needs it, as `password`."] : []),
      ...(isUnknown
        ? [
            "It has replaced other tokens. They stay valid for this time: shorten it when no consumer needs them.",
          ]
        : []),
    ],
  };
}

/** Users and tokens in an account that is not managed to declare, or that is declared elsewhere. */
function usersAlone({ name, users, tokens }: ExportedTenant, id: string): Lines {
  const args = ["scope", textLiteral(id), textLiteral(name), "service"];
  const variables = identifiers(users.map((user) => user.name));
  return [
    ...listLines("", "  const tenant = Tenant.fromName(", args, ");", "", "  "),
    ...users.flatMap((user) => {
      const variable = variables.get(user.name) ?? "";
      const statements = statementsAfter(user, name, { head: variable, calls: [] });
      const assigned = statements.length === 0 ? "" : `const ${variable} = `;
      return [...addCall(`  ${assigned}tenant.addUser(`, user.name, userObject(user)), ...statements];
    }),
    ...tokens.flatMap((token) => addCall("  tenant.addToken(", token.name, tokenObject(token))),
  ];
}

function addCall(call: string, name: string, code: ObjectCode): Lines {
  const before = `${call}${textLiteral(name)}, `;
  const isShort = code.members.length + (code.comments?.length ?? 0) === 0 || fits(`${before}{`);
  if (isShort) return laidOut(before, code, ");");
  return [call, `    ${textLiteral(name)},`, ...laidOut("    ", code, ","), "  );"];
}

/** Statements on a user that follow its declaration. */
function statementsAfter(
  user: ExportedRecord,
  account: string,
  { head, calls }: Pick<Extract<Code, { kind: "chain" }>, "head" | "calls">,
): Lines {
  const callLines = (call: ChainedCall) =>
    laidOut("  ", { kind: "chain", head, calls: [...calls, call] }, ";");
  return [
    ...user.resets.flatMap((name) =>
      callLines({ name: `userProfile.reset${upperFirst(camelCase(name))}`, args: [] }),
    ),
    ...(user.importedBy === undefined
      ? []
      : callLines({ name: "importFrom", args: importArguments(user.importedBy, `${user.name}@${account}`) })),
  ];
}

function importOf({ importedBy }: ExportedRecord, variable: string, name: string): Lines {
  if (importedBy === undefined) return [];
  return [`  ${variable}.importFrom(${importArguments(importedBy, name).join(", ")});`];
}

function importArguments(importedBy: string, name: string): readonly string[] {
  return importedBy === name ? [] : [textLiteral(importedBy)];
}

// Attributes, in the form of L2's properties.

function declaredMembers({ attributes, rights }: ExportedRecord, type: string): readonly Member[] {
  const described = resources.get(type)?.description.attributes ?? {};
  return [
    ...properties(attributes, described).map((member) =>
      // The construct of a user has a shorter name for it.
      member.name === "accessUntil" && type === PROFILE_TYPE ? { ...member, name: "until" } : member,
    ),
    ...(rights === undefined ? [] : [{ name: "permissions", code: permissionsCode(rights) }]),
    ...(rights === undefined || rights.unknown.length === 0
      ? []
      : [{ name: "undeclaredRights", code: { kind: "text", text: "keep" } as Code }]),
  ];
}

/** Attributes that are members of an object of the API are written into that object. */
function properties(values: ObjectValue, attributes: Attributes): readonly Member[] {
  const members: Member[] = [];
  const objects = new Map<string, Member[]>();
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name];
    if (value === undefined) continue;
    const { memberOf, shape } = attribute;
    const inner = shape.kind === "group" ? shape.attributes : {};
    if (memberOf === undefined) {
      members.push({ name: camelCase(name), code: valueCode(value, inner) });
      continue;
    }
    let object = objects.get(memberOf.name);
    if (object === undefined) {
      object = [];
      objects.set(memberOf.name, object);
      members.push({ name: camelCase(memberOf.name), code: { kind: "object", members: object } });
    }
    object.push({ name: camelCase(name.slice(memberOf.name.length + 1)), code: valueCode(value, inner) });
  }
  return members;
}

function valueCode(value: Value, attributes: Attributes): Code {
  if (typeof value === "string") return { kind: "text", text: value };
  if (isInteger(value))
    return plainCode(isBeyondNumbers(value) ? `Token.asNumber("${value}")` : String(value));
  if (isList(value)) return { kind: "texts", texts: value.filter((one) => typeof one === "string") };
  if (isObject(value)) return { kind: "object", members: properties(value, attributes) };
  return plainCode(String(value));
}

function isBeyondNumbers(value: Value): boolean {
  return isInteger(value) && BigInt(Number(value)) !== BigInt(value);
}

// Permissions.

function permissionsCode({ grantedRights, lastDays, vssScope, nodeScope }: ExportedRights): Code {
  const { preset, more, fewer } = nearestPreset(grantedRights);
  const scopes = [...scopeMember("vsses", vssScope), ...scopeMember("nodes", nodeScope)];
  const call = (name: string, rights: readonly string[]): readonly ChainedCall[] =>
    rights.length === 0 ? [] : [{ name, args: rights.map(textLiteral) }];
  const allowing = (rights: readonly string[]) => [
    ...call("allow", rights.filter(isKnownRight)),
    ...call(
      "allowExtra",
      rights.filter((right) => !isKnownRight(right)),
    ),
  ];
  const calls: ChainedCall[] = [
    ...allowing(more),
    ...call("deny", fewer),
    ...[...new Set(Object.values(lastDays))].sort().map((day): ChainedCall => {
      const rights = allowing(Object.keys(lastDays).filter((right) => lastDays[right] === day));
      const texts = rights.map(({ name, args }) => `.${name}(${(args as readonly string[]).join(", ")})`);
      return { name: "until", args: [textLiteral(day), `(p) => p${texts.join("")}`] };
    }),
    ...(scopes.length === 0
      ? []
      : [{ name: "scopedTo", args: { kind: "object", members: scopes } as const }]),
  ];
  return { kind: "chain", head: `Permissions.${camelCase(preset)}()`, calls };
}

function scopeMember(name: string, ids: readonly string[] | undefined): readonly Member[] {
  return ids === undefined || ids.includes("*") ? [] : [{ name, code: { kind: "texts", texts: ids } }];
}

function joinLines(lines: Lines): string {
  return `${lines.join("\n")}\n`;
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

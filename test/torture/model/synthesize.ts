/** Writes a declaration as CDKTF synthesizes it. Written by hand, because a history synthesizes dozens of times. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST, STACK, writeStack } from "../../support/synthesized-app";
import type { Snapshot } from "../world/snapshot";
import {
  ACCOUNTS,
  declaredUsers,
  entriesOf,
  aliasOwners,
  OWNER,
  SIBLING,
  type AccountName,
  type Declaration,
  type DeclaredUser,
  type Removal,
} from "./declaration";
import { declaredUuid, type DeclaredUuids } from "./uuids";
import { accountPassword, userPassword } from "./secrets";

export interface SynthesisOptions {
  readonly requestTimeout: string;
  readonly retryTimeout: string;
  /** True if tokens refer to their users: Terraform's only way to know what comes first. @default false */
  readonly refersToUsers?: boolean;
  /** Number of further provider configurations, each for some of the accounts. @default 0 */
  readonly aliases?: number;
  /** @default none */
  readonly uuids?: DeclaredUuids;
  /** True if the app has a second stack. @default false */
  readonly hasSibling?: boolean;
}

const SIBLING_STACK = "sister";

type Blocks = Record<string, Record<string, unknown>>;

/**
 * @param live what the service holds: ids that a user would have looked up
 * @returns the variables' values: the secrets, which are in no file
 */
export function synthesize(
  outdir: string,
  declaration: Declaration,
  options: SynthesisOptions,
  live: Snapshot,
): Readonly<Record<string, string>> {
  const { resource, imports, variables } = blocksOf(declaration, options);
  const stack = {
    terraform: { required_providers: { tenancy: { source: "tenancy/tenancy" } } },
    "//": {
      metadata: { stackName: STACK, version: "0.21.0" },
      tenancy: { removed: declaration.removed.map((removal) => removedEntry(removal, live)) },
    },
    provider: { tenancy: providersOf(options) },
    ...unlessEmpty({
      variable: Object.fromEntries(
        Object.keys(variables).map((name) => [name, { type: "string", sensitive: true, ephemeral: true }]),
      ),
      resource,
      import: imports,
    }),
  };
  writeStack(outdir, stack);
  if (options.hasSibling === true) writeSibling(outdir);
  return variables;
}

function providersOf({ requestTimeout, retryTimeout, aliases = 0 }: SynthesisOptions): object[] {
  const plain = { owner: OWNER, request_timeout: requestTimeout, retry_timeout: retryTimeout };
  return [plain, ...aliasOwners(aliases).map((owner, nth) => ({ ...plain, owner, alias: aliasOf(nth + 1) }))];
}

/** Which provider configuration an account has; 0: the one without an alias. */
function providerOf(account: AccountName, aliases: number): number {
  return ACCOUNTS.indexOf(account) % (aliases + 1);
}

/** Number of provider configurations that the accounts of a declaration have. */
export function providersIn({ accounts }: Declaration, aliases: number): number {
  return new Set(entriesOf(accounts).map(([account]) => providerOf(account, aliases))).size;
}

function aliasOf(nth: number): string {
  return `alias${nth}`;
}

/** Writes the sibling stack beside the stack. A run chooses between them by the stack's name. */
function writeSibling(outdir: string): void {
  const path = `stacks/${SIBLING_STACK}/cdk.tf.json`;
  const provider = { owner: SIBLING };
  const users = Object.fromEntries(
    ["jane", "kim"].map((username) => [
      username,
      { username, account_id: "${tenancy_account.sister.id}", permissions: {} },
    ]),
  );
  mkdirSync(join(outdir, "stacks", SIBLING_STACK), { recursive: true });
  writeFileSync(
    join(outdir, path),
    JSON.stringify({
      terraform: { required_providers: { tenancy: { source: "tenancy/tenancy" } } },
      "//": { metadata: { stackName: SIBLING_STACK, version: MANIFEST.version } },
      provider: { tenancy: [provider] },
      resource: { tenancy_account: { sister: { name: "sister" } }, tenancy_user_profile: users },
    }),
  );
  const stacks = {
    ...MANIFEST.stacks,
    [SIBLING_STACK]: {
      ...MANIFEST.stacks[STACK],
      name: SIBLING_STACK,
      constructPath: SIBLING_STACK,
      workingDirectory: `stacks/${SIBLING_STACK}`,
      synthesizedStackPath: path,
    },
  };
  writeFileSync(join(outdir, "manifest.json"), JSON.stringify({ ...MANIFEST, stacks }));
}

/** Leaves out kinds without blocks, as the constructs do: Terraform refuses a kind that is named and has no block. */
function unlessEmpty(members: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(members).filter(([, blocks]) => Object.keys(blocks).length > 0));
}

function blocksOf(
  declaration: Declaration,
  { refersToUsers = false, aliases = 0, uuids = "none" }: SynthesisOptions,
) {
  const accounts: Record<string, unknown> = {};
  const users: Record<string, unknown> = {};
  const tokens: Record<string, unknown> = {};
  const imports: unknown[] = [];
  const variables: Record<string, string> = {};

  /** Each account, with all that is in it, has its provider configuration. */
  const withProvider = (account: AccountName): object => {
    const nth = providerOf(account, aliases);
    return nth === 0 ? {} : { provider: `tenancy.${aliasOf(nth)}` };
  };

  const withUuid = (kind: string, ...names: readonly string[]): object => {
    const uuid = declaredUuid(uuids, { kind, names });
    return uuid === undefined ? {} : { uuid };
  };

  const secret = (name: string, value: string): string => {
    variables[name] = value;
    return `\${var.${name}}`;
  };

  for (const [name, account] of entriesOf(declaration.accounts)) {
    if (account.imported) imports.push({ to: `tenancy_account.${name}`, id: name });
    accounts[name] = {
      ...withProvider(name),
      ...withUuid("account", name),
      name,
      deletion_protection: account.protected,
      ...(account.company !== undefined && { primary_contact: { company: account.company } }),
      ...(account.vssNum !== undefined && { limits_vss_num: account.vssNum }),
      ...(account.level !== undefined && { level: account.level }),
      ...(account.password !== undefined && {
        password_wo: secret(`password_${name}`, accountPassword(name, account.password)),
        password_wo_version: account.password,
      }),
    };
  }
  for (const { login, account, username, user } of declaredUsers(declaration)) {
    const block = `${account}_${username}`;
    if (user.imported) imports.push({ to: `tenancy_user_profile.${block}`, id: login });
    users[block] = {
      ...withProvider(account),
      ...withUuid("user_profile", account, username),
      username,
      account_id: `\${tenancy_account.${account}.id}`,
      ...(user.email !== undefined && { email: user.email }),
      ...(user.level !== undefined && { level: user.level }),
      ...(user.rights !== undefined && { permissions: permissionsOf(user.rights) }),
      ...(user.password === undefined
        ? hasTokens(user) && { unset: ["password_wo"] }
        : {
            password_wo: secret(`password_${block}`, userPassword(login, user.password)),
            password_wo_version: user.password,
          }),
    };
    for (const [name, token] of entriesOf(user.tokens))
      tokens[`${block}_${name}`] = {
        ...withProvider(account),
        login: refersToUsers ? `\${tenancy_user_profile.${block}.login}` : login,
        name,
        keepers: { rotation: String(token.keepers) },
        retain_previous_for: token.retainFor,
        retain_previous: token.retain,
        ...(user.password === undefined
          ? { login_with: "temporary_password" }
          : { login_with: "password", password_wo: `\${var.password_${block}}` }),
      };
  }
  const resource: Blocks = {};
  if (Object.keys(accounts).length > 0) resource["tenancy_account"] = accounts;
  if (Object.keys(users).length > 0) resource["tenancy_user_profile"] = users;
  if (Object.keys(tokens).length > 0) resource["tenancy_authorization"] = tokens;
  return { resource, imports, variables };
}

function hasTokens({ tokens }: DeclaredUser): boolean {
  return Object.keys(tokens).length > 0;
}

function permissionsOf(rights: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(rights.map((right) => [right, true]));
}

function removedEntry({ account, username, identified }: Removal, live: Snapshot): object {
  const record =
    username === undefined
      ? [...live.accounts.values()].find(({ name }) => name === account)
      : [...live.profiles.values()].find(({ login }) => login === `${username}@${account}`);
  return {
    ...(username === undefined ? { account } : { login: `${username}@${account}` }),
    ...(identified && record !== undefined && { id: record.id }),
  };
}

/** The declarations that histories draw, and the edits that lead from one declaration to the next. */

export const OWNER = "torture-owner";

/** The owners of the provider aliases: one owner has one provider configuration of a service. */
export function aliasOwners(aliases: number): readonly string[] {
  return Array.from({ length: aliases }, (_unused, nth) => `${OWNER}-${nth + 1}`);
}

/** Owner of another stack of the same app. */
export const SIBLING = "torture-sibling";

/** Owner of records that others manage with this very product. */
export const ANOTHER_OWNER = "another-team";

/** The login that runs may work with, besides the system user; it is somebody's, and may be declared. */
export const DEPLOYER = "deployer@ops";

/** A user of `ops` without rights beyond it, who therefore sees that account alone. */
export const INSIDER = "insider@ops";

/** Small pools, so that histories meet the same names again and again. `ops` and its `deployer` are there from the start. */
export const ACCOUNTS = ["acme", "globex", "ops"] as const;
export const USERS = ["jane", "csi", "deployer", "josé"] as const;
export const TOKENS = ["prod", "dev"] as const;
export const RIGHTS = ["vss.manage_snapshots", "user.manage_users", "realm.manage_accounts"] as const;

export type AccountName = (typeof ACCOUNTS)[number];
/** Users of the pool, and numbered ones: the limit of deletes is reached only with many users. */
export type Username = (typeof USERS)[number] | `c${number}`;
export type TokenName = (typeof TOKENS)[number];
export type RightName = (typeof RIGHTS)[number];

export interface DeclaredToken {
  readonly keepers: number;
  readonly retainFor: "0s" | "7d";
  readonly retain: 0 | 1;
}

export interface UserSettings {
  readonly email?: string | undefined;
  readonly level?: number | undefined;
  /** If declared, the user has exactly these rights. */
  readonly rights?: readonly RightName[] | undefined;
  /** Version of the password. Each version has a password of its own. */
  readonly password?: number | undefined;
  readonly imported: boolean;
}

export interface DeclaredUser extends UserSettings {
  readonly tokens: Readonly<Partial<Record<TokenName, DeclaredToken>>>;
}

export interface AccountSettings {
  readonly company?: string | undefined;
  readonly vssNum?: number | undefined;
  readonly level?: number | undefined;
  readonly password?: number | undefined;
  readonly protected: boolean;
  readonly imported: boolean;
}

export interface DeclaredAccount extends AccountSettings {
  readonly users: Readonly<Partial<Record<Username, DeclaredUser>>>;
}

/** `new Deletion(…)`. */
export interface Removal {
  readonly account: AccountName;
  readonly username?: Username | undefined;
  /** True if the user says which record it is, as is needed for what is not managed by this owner. */
  readonly identified: boolean;
}

export interface Declaration {
  readonly accounts: Readonly<Partial<Record<AccountName, DeclaredAccount>>>;
  readonly removed: readonly Removal[];
}

export const NOTHING: Declaration = { accounts: {}, removed: [] };

export type Edit =
  | { readonly kind: "account"; readonly account: AccountName; readonly settings: AccountSettings }
  | { readonly kind: "no account"; readonly account: AccountName }
  | {
      readonly kind: "user";
      readonly account: AccountName;
      readonly user: Username;
      readonly settings: UserSettings;
    }
  | { readonly kind: "no user"; readonly account: AccountName; readonly user: Username }
  /** Users of an account besides, from `c1` on: this many from now on. */
  | { readonly kind: "crowd"; readonly account: AccountName; readonly size: number }
  | {
      readonly kind: "token";
      readonly account: AccountName;
      readonly user: Username;
      readonly token: TokenName;
      readonly settings: DeclaredToken;
    }
  | {
      readonly kind: "no token";
      readonly account: AccountName;
      readonly user: Username;
      readonly token: TokenName;
    }
  | { readonly kind: "removed"; readonly removal: Removal }
  | { readonly kind: "not removed" };

/** The declaration after an edit. What an edit is about is declared by it, together with what it is in. */
export function edited(declaration: Declaration, edit: Edit): Declaration {
  const { accounts, removed } = declaration;
  switch (edit.kind) {
    case "account": {
      const { users = {} } = accounts[edit.account] ?? {};
      const account = { ...edit.settings, users };
      return { accounts: { ...accounts, [edit.account]: account }, removed: withoutRemoval(removed, edit) };
    }
    case "no account":
      return { accounts: without(accounts, edit.account), removed };
    case "removed":
      return withRemoval(declaration, edit.removal);
    case "not removed":
      return { accounts, removed: [] };
    case "crowd":
      return withCrowd(declaration, edit);
    default: {
      const account = accounts[edit.account];
      if (account === undefined && (edit.kind === "no user" || edit.kind === "no token")) return declaration;
      const { users, ...settings } = account ?? { ...plainAccount(edit.account), users: {} };
      const changed = { ...settings, users: editedUsers(users, edit) };
      return { accounts: { ...accounts, [edit.account]: changed }, removed: withoutRemoval(removed, edit) };
    }
  }
}

function withCrowd(
  { accounts, removed }: Declaration,
  { account: name, size }: Extract<Edit, { kind: "crowd" }>,
): Declaration {
  const account = accounts[name];
  if (account === undefined && size === 0) return { accounts, removed };
  const { users, ...settings } = account ?? { ...plainAccount(name), users: {} };
  const others = entriesOf(users).filter(([username]) => !/^c\d/.test(username));
  const crowd = Array.from({ length: size }, (_, index): [Username, DeclaredUser] => [
    `c${index + 1}`,
    { rights: [], imported: false, tokens: {} },
  ]);
  const changed = { ...settings, users: Object.fromEntries([...others, ...crowd]) };
  return {
    accounts: { ...accounts, [name]: changed },
    removed: withoutRemoval(removed, { account: name }),
  };
}

type EditWithin = Extract<Edit, { readonly user: Username }>;

function editedUsers(users: DeclaredAccount["users"], edit: EditWithin): DeclaredAccount["users"] {
  const user = users[edit.user];
  switch (edit.kind) {
    case "user":
      return { ...users, [edit.user]: { ...edit.settings, tokens: user?.tokens ?? {} } };
    case "no user":
      return without(users, edit.user);
    case "token": {
      const whose = user ?? { ...plainUser(edit.user), tokens: {} };
      return {
        ...users,
        [edit.user]: { ...whose, tokens: { ...whose.tokens, [edit.token]: edit.settings } },
      };
    }
    case "no token":
      return user === undefined
        ? users
        : { ...users, [edit.user]: { ...user, tokens: without(user.tokens, edit.token) } };
  }
}

/** Objects that are there from the start can only be imported. */
function plainAccount(name: AccountName): AccountSettings {
  return { protected: false, imported: name === "ops" };
}

function plainUser(username: Username): UserSettings {
  return { imported: username === "deployer" };
}

/** An object that is to be removed is no longer declared. */
function withRemoval({ accounts, removed }: Declaration, removal: Removal): Declaration {
  const { account: name, username } = removal;
  const others = removed.filter((one) => one.account !== name || one.username !== username);
  const account = accounts[name];
  if (account === undefined) return { accounts, removed: [...others, removal] };
  const remaining =
    username === undefined
      ? without(accounts, name)
      : { ...accounts, [name]: { ...account, users: without(account.users, username) } };
  return { accounts: remaining, removed: [...others, removal] };
}

function withoutRemoval(
  removed: readonly Removal[],
  edit: { readonly account: AccountName; readonly user?: Username },
): readonly Removal[] {
  return removed.filter(
    ({ account, username }) => account !== edit.account || (username !== undefined && username !== edit.user),
  );
}

function without<T extends object>(members: T, name: keyof T): T {
  const { [name]: _gone, ...others } = members;
  return others as T;
}

/** The same with import blocks for what stands at these addresses. */
export function withImportsAt({ accounts, removed }: Declaration, addresses: readonly string[]): Declaration {
  const withImports = entriesOf(accounts).map(([name, account]) => {
    const users = entriesOf(account.users).map(([username, user]) => {
      const isTaken = addresses.includes(`tenancy_user_profile.${name}_${username}`);
      return [username, { ...user, imported: user.imported || isTaken }] as const;
    });
    const imported = account.imported || addresses.includes(`tenancy_account.${name}`);
    return [name, { ...account, imported, users: Object.fromEntries(users) }] as const;
  });
  return { accounts: Object.fromEntries(withImports), removed };
}

/** Every declared user with the account that it is in. */
export function declaredUsers({ accounts }: Declaration): readonly {
  readonly login: string;
  readonly account: AccountName;
  readonly username: Username;
  readonly user: DeclaredUser;
}[] {
  return entriesOf(accounts).flatMap(([account, { users }]) =>
    entriesOf(users).map(([username, user]) => ({
      login: `${username}@${account}`,
      account,
      username,
      user,
    })),
  );
}

export function entriesOf<K extends string, V>(members: Readonly<Partial<Record<K, V>>>): [K, V][] {
  return Object.entries(members) as [K, V][];
}

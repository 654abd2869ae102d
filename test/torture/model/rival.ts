/** Rivals: others who write to the service, between the requests of a run or between runs. */
import { derivedUuid } from "../../../src/ownership";
import type { Simulator } from "../../../src/lib/simulator";
import { Refusal } from "../../../src/lib/simulator/refusal";
import { accountNamed, profileWithLogin, snapshotOf } from "../world/snapshot";
import { ANOTHER_OWNER, DEPLOYER, OWNER, SIBLING, type AccountName, type Username } from "./declaration";
import { freeUuid } from "./uuids";

/**
 * Who makes a record: somebody by hand, another owner with this very product, another stack of the same app, somebody who knows our
 * owner's name and how uuids follow from it, or somebody who gives the record the uuid that the configuration declares.
 */
export type Maker = "nobody" | "another owner" | "sibling" | "forger" | "namesake";

export type Rival =
  | { readonly kind: "account appears"; readonly account: AccountName; readonly maker: Maker }
  | {
      readonly kind: "user appears";
      readonly account: AccountName;
      readonly user: Username;
      readonly maker: Maker;
    }
  | {
      readonly kind: "account changes";
      readonly account: AccountName;
      readonly company: string;
      readonly vssNum: number;
    }
  | {
      readonly kind: "user changes";
      readonly account: AccountName;
      readonly user: Username;
      readonly member: "email" | "level" | "xref" | "right" | "password";
      readonly value: number;
    }
  /** A suspended user may do nothing and keeps the tokens, which work again when `isOver`. */
  | {
      readonly kind: "user is suspended";
      readonly account: AccountName;
      readonly user: Username;
      readonly by: "activation" | "api access";
      readonly isOver: boolean;
    }
  | { readonly kind: "account is disabled"; readonly account: AccountName; readonly isOver: boolean }
  | { readonly kind: "account goes"; readonly account: AccountName }
  | { readonly kind: "user goes"; readonly account: AccountName; readonly user: Username }
  | { readonly kind: "token goes"; readonly nth: number }
  | { readonly kind: "token appears"; readonly account: AccountName; readonly user: Username }
  /** A user who cannot be told from this one: with the name in another Unicode form. */
  | {
      readonly kind: "twin appears";
      readonly account: AccountName;
      readonly user: Username;
    }
  | { readonly kind: "sessions end" }
  /** The runs' own user may no longer manage accounts, and sees `ops` alone, until `isOver`. */
  | { readonly kind: "caller sees less"; readonly isOver: boolean }
  /** As a migration does it. Serial number, uuid and tokens stay. */
  | { readonly kind: "user has a new id"; readonly account: AccountName; readonly user: Username }
  /** From the backup of this step's begin, or of one before. Later records are lost, and their ids are given again. */
  | { readonly kind: "service is restored"; readonly stepsBack: number }
  | { readonly kind: "storage appears"; readonly account: AccountName; readonly disks: number };

const OWNERS = { forger: OWNER, sibling: SIBLING, "another owner": ANOTHER_OWNER } as const;

const makers = new WeakMap<Simulator, Map<string, Maker>>();

/** Who made the records that no run made, by serial number. */
export function makersIn(service: Simulator): Map<string, Maker> {
  const known = makers.get(service) ?? new Map<string, Maker>();
  makers.set(service, known);
  return known;
}

const backups = new WeakMap<Simulator, (() => void)[]>();

/** Backs the service up, so that it can be restored later. */
export function backUp(service: Simulator): void {
  const earlier = backups.get(service) ?? [];
  backups.set(service, [...earlier, service.records.backup()]);
}

const alteredAccounts = new WeakMap<Simulator, Set<string>>();

/** Serial numbers of accounts whose contact others may have changed. A service that hides contacts shows no run such a change. */
export function alteredIn(service: Simulator): Set<string> {
  const known = alteredAccounts.get(service) ?? new Set<string>();
  alteredAccounts.set(service, known);
  return known;
}

const revivedTokens = new WeakMap<Simulator, Set<string>>();

/** Serial numbers of tokens that had ended and came back with a backup: no run can know of them. */
export function revivedIn(service: Simulator): ReadonlySet<string> {
  return revivedTokens.get(service) ?? new Set();
}

function restore(service: Simulator, stepsBack: number): void {
  const all = backups.get(service) ?? [];
  const backup = all.at(-1 - stepsBack) ?? all[0];
  if (backup === undefined) return;
  const serials = () => service.records.authorizations.map(({ serial }) => serial);
  const before = new Set(serials());
  backup();
  const back = serials().filter((serial) => !before.has(serial));
  revivedTokens.set(service, new Set([...revivedIn(service), ...back]));
  for (const { serial } of service.records.accounts) alteredIn(service).add(serial);
}

/** Does it if it is possible: the object has to exist, a new name has to be free, and at some services a uuid cannot be given twice. */
export function act(service: Simulator, rival: Rival): void {
  try {
    attempt(service, rival);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function attempt(service: Simulator, rival: Rival): void {
  const { records } = service;
  const live = snapshotOf(service);
  if (rival.kind === "sessions end") return records.endSessions();
  // A destroy with `--allow-self-change` deletes the caller, where the stack has imported it.
  if (rival.kind === "caller sees less" && profileWithLogin(live, DEPLOYER) === undefined) return;
  if (rival.kind === "caller sees less")
    return void records.patchProfile(DEPLOYER, {
      permissions: { realm: { rights: { manage_accounts: rival.isOver } } },
    });
  if (rival.kind === "service is restored") return restore(service, rival.stepsBack);
  if (rival.kind === "token goes") {
    const own = profileWithLogin(live, DEPLOYER)?.id;
    const tokens = records.authorizations.filter(({ user_id: whose }) => whose !== own);
    const token = tokens[rival.nth % Math.max(1, tokens.length)];
    if (token !== undefined) records.revokeToken(token.id);
    return;
  }
  const account = accountNamed(live, rival.account);
  if (rival.kind === "account appears") {
    if (account !== undefined) return;
    const { serial, admin_profile_id: primary } = records.createAccount({
      name: rival.account,
      ...madeBy(rival),
    });
    for (const one of [serial, records.profile(primary).serial]) makersIn(service).set(one, rival.maker);
    return;
  }
  if (account === undefined) return;
  switch (rival.kind) {
    case "account changes":
      alteredIn(service).add(account.serial);
      records.patchAccount(account.id, {
        primary_contact: { company: rival.company },
        limits: { vss_num: rival.vssNum },
        billing_contact: { company: rival.company },
      });
      return;
    case "account goes":
      // Some services want it empty before.
      for (const { id, account_id: whose } of records.authorizations)
        if (whose === account.id) records.revokeToken(id);
      for (const { id, account_id: whose, account_admin: isPrimary } of records.profiles)
        if (whose === account.id && !isPrimary) records.deleteProfile(id);
      return records.deleteAccount(account.id);
    case "account is disabled":
      return void records.patchAccount(account.id, { disabled: !rival.isOver });
    case "storage appears":
      return records.setUsage(account.id, { vdisk_num: rival.disks });
    default:
      break;
  }
  if (rival.kind === "twin appears") return makeTwin(service, account.id, rival);
  const login = `${rival.user}@${rival.account}`;
  const profile = profileWithLogin(live, login);
  if (rival.kind === "user appears") {
    if (profile !== undefined) return;
    const { serial } = records.createProfile(account.id, { username: rival.user, ...madeBy(rival) });
    makersIn(service).set(serial, rival.maker);
    return;
  }
  if (profile === undefined) return;
  switch (rival.kind) {
    case "user goes":
      return records.deleteProfile(profile.id);
    case "user has a new id":
      return void records.renumberProfile(profile.id);
    case "token appears":
      return void records.createToken(login);
    case "user is suspended":
      return void records.patchProfile(
        profile.id,
        rival.by === "activation" ? { activated: rival.isOver } : { access: { api: rival.isOver } },
      );
    case "user changes":
      return void records.patchProfile(profile.id, patchOf(rival));
  }
}

function makeTwin(
  service: Simulator,
  accountId: string,
  { user }: Extract<Rival, { readonly kind: "twin appears" }>,
): void {
  const { records } = service;
  const other = user.normalize("NFD");
  if (other === user) return;
  const { serial } = records.createProfile(accountId, { username: other });
  makersIn(service).set(serial, "forger");
}

function patchOf({ member, value }: Extract<Rival, { kind: "user changes" }>) {
  switch (member) {
    case "email":
      return { email: `rival-${value}@example.com` };
    case "level":
      return { level: value };
    case "xref":
      return { xref: `rival-${value}` };
    case "right":
      return { permissions: { vss: { rights: { manage_snapshots: value % 2 === 0 } } } };
    case "password":
      return { password: `rival's own ${value}` };
  }
}

/** The uuids of others follow from their owners' names; a forger's follow from ours, as those of a run without a state do. */
function madeBy(rival: Extract<Rival, { readonly maker: Maker }>) {
  if (rival.maker === "nobody") return {};
  const { account } = rival;
  if (rival.maker === "namesake")
    return {
      uuid:
        rival.kind === "account appears"
          ? freeUuid({ kind: "account", names: [account] })
          : freeUuid({ kind: "user_profile", names: [account, rival.user] }),
    };
  const owner = OWNERS[rival.maker];
  if (rival.kind === "account appears")
    return {
      uuid: derivedUuid(owner, { kind: "account", names: [account] }),
      user_uuid: derivedUuid(owner, { kind: "primary", names: [account] }),
    };
  return { uuid: derivedUuid(owner, { kind: "user_profile", names: [account, rival.user] }) };
}

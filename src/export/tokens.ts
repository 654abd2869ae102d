/** Decides which tokens of the state the code declares. The next plan revokes undeclared tokens. */
import type { CommonRecord } from "../api";
import { idOf } from "../resources";
import { isPrimary, type Snapshot } from "../service";
import { compareText, normalForm, textOf } from "../lib/values";
import type { LeftOut, Named, ProjectsWord } from "./left-out";

/** A token of the state, without its secret. */
export interface KnownToken {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  readonly hasKeepers: boolean;
  /** Number of tokens that it replaced and that are still valid. */
  readonly replaced: number;
  /** The retention that was applied last. Undefined if the state does not know it. */
  readonly retention?: Retention;
}

/** Values of `retain_previous_for`, `retain_previous` and `rotate_after`. */
export interface Retention {
  readonly for: string;
  readonly count: number | bigint;
  readonly rotate_after?: string;
}

/** A token that the code declares. */
export interface ExportedToken {
  readonly name: string;
  /** Undefined for the account's primary user. */
  readonly username: string | undefined;
  /** Number of replaced tokens to keep. */
  readonly replaced: number;
  readonly retention: Retention | undefined;
  readonly userHasPassword: boolean;
}

/**
 * The tokens that the state has for the users of an account.
 * @param whyNoTokens why the language cannot declare any; undefined if it can
 */
export function exportedTokensOf(
  tenant: {
    readonly account: CommonRecord;
    /** True if the code declares the account, and so all users for whom it can declare tokens. */
    readonly isDeclaredHere: boolean;
    /** Users that the code declares. */
    readonly users: readonly { readonly id: string; readonly name: string }[];
  },
  live: {
    readonly snapshot: Snapshot;
    readonly tokens?: readonly KnownToken[];
    readonly declarationOf?: (record: string) => ProjectsWord | undefined;
  },
  whyNoTokens: string | undefined,
): {
  readonly exported: readonly ExportedToken[];
  readonly leftOut: readonly LeftOut[];
  readonly declaredTokens: readonly Named[];
} {
  const { snapshot, tokens = [], declarationOf = () => undefined } = live;
  const { account, isDeclaredHere, users } = tenant;
  const exported = new Map<string, ExportedToken>();
  const leftOut: LeftOut[] = [];
  const declaredTokens: Named[] = [];
  for (const token of [...tokens].sort((a, b) => compareText(keyOfToken(a), keyOfToken(b)))) {
    const profile = snapshot.profileWithLogin(token.login);
    if (profile === undefined || textOf(profile.account_id) !== idOf(account)) continue;
    const name = keyOfToken(token);
    if (declarationOf(name) !== undefined) {
      declaredTokens.push({ noun: "token", name });
      continue;
    }
    const ofPrimary = isPrimary(profile, account);
    const user = users.find(({ id }) => id === idOf(profile));
    const why =
      whyNoTokens ??
      (isDeclaredHere && !ofPrimary && user === undefined
        ? `Its user is not in the code. ${REVOKED}`
        : token.hasKeepers
          ? `It has keepers, which may be secret; without them, a plan would rotate it. ${REVOKED}`
          : exported.has(token.name)
            ? `Another token of the tenant has its name. ${REVOKED}`
            : undefined);
    if (why === undefined)
      exported.set(token.name, {
        name: token.name,
        username: ofPrimary ? undefined : (user?.name ?? normalForm(token.login.replace(/@[^@]*$/, ""))),
        replaced: token.replaced,
        retention: token.retention,
        userHasPassword: profile.password_set === true,
      });
    else leftOut.push({ noun: "token", name, id: token.serial, reason: why });
  }
  return {
    exported: [...exported.values()].sort((a, b) => compareText(a.name, b.name)),
    leftOut,
    declaredTokens,
  };
}

const REVOKED = "A plan revokes undeclared tokens of the state, so declare it by hand.";

/** As the project's declarations call it. */
function keyOfToken({ login, name }: KnownToken): string {
  return `${login}/${name}`;
}

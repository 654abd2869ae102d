/** Plans one declared token against what the store keeps. */
import type { TokenEntry } from "../../credentials";
import type { Change } from "../../plan";
import type { ObjectValue, Value } from "../../values";
import { stateOfToken } from "../store/token-state";
import type { Declared, PlannedObject } from "./planned-object";

export interface PlanTokenOptions {
  readonly plannedAt: Date;
  /** Serials of tokens that the service was found to refuse. */
  readonly refused: ReadonlySet<string>;
  /** Login, where it is known only after apply but foreseen. */
  readonly foreseenLogin: string;
}

export function planToken(declared: Declared, options: PlanTokenOptions): PlannedObject {
  const { resource, config, target, block, instance, sensitive } = declared;
  const login = loginOf(declared);
  const name = String(config["name"]);
  const kept = login === undefined ? undefined : target.ledger.tokens.get({ login, name });
  const entry = kept !== undefined && isGood(kept, declared, options) ? kept : undefined;
  const prior = entry === undefined ? null : stateOfToken(entry, clientOnly(declared));
  const proposal = resource.propose(config, prior, { asOf: options.plannedAt });
  const change: Change = {
    action: proposal.action,
    address: instance.address,
    description: resource.description,
    constructPath: block.constructPath,
    provider: target.provider,
    key: `${login ?? options.foreseenLogin}/${name}`,
    claim: entry === undefined ? undefined : "ours",
    before: prior,
    after: proposal.planned,
    attributes: proposal.changes,
    replacedBy: proposal.replacedBy,
    sensitive,
    importId: undefined,
    reason: undefined,
    notes: kept !== undefined && entry === undefined ? ["the token in the store is no longer good"] : [],
    sighting:
      entry === undefined
        ? undefined
        : {
            id: entry.record.id,
            uuid: undefined,
            accountId: undefined,
            seq: undefined,
            key: `${entry.login}/${entry.name}`,
            readAt: target.readAt,
          },
  };
  return {
    ...declared,
    change,
    sought: undefined,
    remembered: undefined,
    recorded: [],
    diagnostics: proposal.diagnostics,
  };
}

/** The declared login, or that of the run's own credentials; undefined while it is unknown. */
export function loginOf({ config, target }: Pick<Declared, "config" | "target">): string | undefined {
  const login = config["login"] ?? target.connection.username ?? null;
  return typeof login === "string" ? login : undefined;
}

/** A token is as good as its user: of a user who was made anew, it is another's. */
function isGood(entry: TokenEntry, { target }: Declared, { refused }: PlanTokenOptions): boolean {
  if (refused.has(entry.record.serial)) return false;
  const profile = target.snapshot.profileWithLogin(entry.login);
  const userId: Value = entry.record["user_id"] ?? null;
  return profile === undefined || userId === null || profile.id === undefined || profile.id === userId;
}

/** Attributes that only the client knows are as declared: nothing remembers what they were. */
function clientOnly({ resource, config }: Declared): ObjectValue {
  const { attributes } = resource.description;
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, attribute]) => !attribute.shown && !attribute.writeOnly)
      .map(([name, attribute]) => [name, config[name] ?? attribute.defaultValue ?? null]),
  );
}

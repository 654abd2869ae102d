/** One run of the embedded engine over one stack: what planning opens, and applying goes on with. */
import { settingsOf, type Settings } from "../connection";
import { openStore, type CredentialStore, type Ledger } from "../credentials";
import {
  IncompleteProvider,
  OpenIntent,
  UnkeyedRecords,
  UnrevokedToken,
  asWarning,
  type Diagnostic,
} from "../errors";
import { ownerAt, type Owners } from "../ownership";
import type { Connection } from "../resources";
import type { ObjectValue } from "../values";
import type { PlanOptions } from "./options";
import { listedFamilies } from "./planning/families";
import { survey } from "./planning/survey";
import type { Target } from "./planning/target";
import { withRefusedTokens } from "./planning/refused-tokens";
import { withUnlistedUsers } from "./planning/token-user";
import { Services } from "./services";
import { storeOptionsOf } from "./store/store-options";

/** A provider configuration, opened: the target that planning reads, and the connection that applying writes through. */
export interface Opened {
  readonly target: Target;
  readonly connection: Connection;
}

export class Run {
  readonly store: CredentialStore;
  readonly services: Services;
  readonly #options: PlanOptions;
  readonly #opened = new Map<string, Opened>();

  /** @param shared a run whose store and connections to use, for another stack of the same app */
  constructor(options: PlanOptions, shared?: Run) {
    this.#options = options;
    this.store = shared?.store ?? openStore(storeOptionsOf(options));
    this.services = shared?.services ?? new Services(options);
  }

  /**
   * Opens the service of a provider configuration; its lists are asked for at once.
   * @param config wholly known
   */
  async open(provider: string, config: ObjectValue): Promise<Target> {
    const settings = settingsOf(config, this.#options.environment ?? {});
    const owners = ownersOf(settings);
    const { reading, writing } = await this.services.open(settings);
    const surveyed = await survey({
      provider,
      connection: { ...reading, owners },
      owners,
      ledger: () => this.ledgerOf(settings.origin, owners),
      token: settings.credentials.kind === "token" ? settings.credentials.token : undefined,
    });
    const target = await withUnlistedUsers(surveyed);
    const checked = this.#options.verifyTokens === true ? await withRefusedTokens(target) : target;
    this.#opened.set(provider, { target: checked, connection: { ...writing, owners } });
    return checked;
  }

  /** What was opened, by the name of the provider configuration. */
  get opened(): ReadonlyMap<string, Opened> {
    return this.#opened;
  }

  /** What earlier runs left unsettled in the store, what became of the tokens that were checked, and what counts as ours without a key. */
  remarks(): readonly Diagnostic[] {
    const targets = [...this.#opened.values()].map(({ target }) => target);
    const ledgers = new Map(targets.map(({ origin, owners, ledger }) => [ownerAt(origin, owners), ledger]));
    return [
      ...[...ledgers.values()].flatMap(unsettled),
      ...targets.flatMap(({ warnings }) => warnings),
      ...unkeyed(targets),
    ];
  }

  /** Read anew where the store has been locked since. */
  async ledgerOf(origin: string, { current, previous }: Owners): Promise<Ledger> {
    return this.store.ledger(origin, current, previous);
  }

  async close(): Promise<void> {
    await this.services.close();
  }
}

/** @throws IncompleteProvider: the embedded engine needs an owner */
export function ownersOf({ owners }: Pick<Settings, "owners">): Owners {
  if (owners !== undefined) return owners;
  throw new IncompleteProvider(
    "no owner",
    "Set owner in the provider, or TENANCY_OWNER: a name that marks what this stack creates.",
  );
}

/** Records that are ours by name alone, while that is allowed (`TENANCY_PREVIOUS_OWNER_KEY=none`). */
function unkeyed(targets: readonly Target[]): readonly Diagnostic[] {
  const allowing = targets.filter(({ owners }) => owners.keys?.takesUnkeyed === true);
  if (allowing.length === 0) return [];
  const names = allowing.flatMap(({ ours }) =>
    listedFamilies().flatMap(({ resource, inventory }) =>
      ours(resource).flatMap(({ key, proof }) => (proof.keyed ? [] : [inventory.textOf(key)])),
    ),
  );
  return asWarning(new UnkeyedRecords([...new Set(names)].sort()));
}

function unsettled({ intents, failedRevocations }: Ledger): readonly Diagnostic[] {
  return [
    ...intents.list().flatMap((intent) => asWarning(new OpenIntent(intent))),
    ...failedRevocations
      .list()
      .flatMap(({ login, name, serial }) => asWarning(new UnrevokedToken(login, name, serial))),
  ];
}

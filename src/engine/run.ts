/** One run of the embedded engine over one stack: what planning opens, and applying goes on with. */
import { connect, settingsOf, type Settings } from "../connection";
import { openStore, type CredentialStore, type Ledger } from "../credentials";
import { IncompleteProvider, OpenIntent, UnrevokedToken, asWarning, type Diagnostic } from "../errors";
import { listDirectory, type Connection } from "../resources";
import type { ObjectValue } from "../values";
import type { PlanOptions } from "./options";
import { survey } from "./planning/survey";
import type { Target } from "./planning/target";
import { storeOptionsOf } from "./store/store-options";

/** A provider configuration, opened: the target that planning reads, and the connection that applying writes through. */
export interface Opened {
  readonly settings: Settings;
  readonly target: Target;
  readonly connection: Connection;
}

export class Run {
  readonly store: CredentialStore;
  readonly #options: PlanOptions;
  readonly #opening = new Map<string, Promise<Opened>>();
  readonly #opened = new Map<string, Opened>();

  constructor(options: PlanOptions) {
    this.#options = options;
    this.store = openStore(storeOptionsOf(options));
  }

  /** Opens the service of a provider configuration; its lists are asked for at once. */
  async open(provider: string, config: ObjectValue): Promise<Target> {
    const opening = this.#open(provider, config);
    this.#opening.set(provider, opening);
    const opened = await opening;
    this.#opened.set(provider, opened);
    return opened.target;
  }

  /** What was opened, by the name of the provider configuration. */
  get opened(): ReadonlyMap<string, Opened> {
    return this.#opened;
  }

  /** What earlier runs left unsettled in the store. */
  unsettled(): readonly Diagnostic[] {
    const ledgers = new Set([...this.#opened.values()].map(({ target }) => target.ledger));
    return [...ledgers].flatMap((ledger) => [
      ...ledger.intents
        .list()
        .flatMap(({ login, name, started_at }) => asWarning(new OpenIntent(login, name, started_at))),
      ...ledger.failedRevocations
        .list()
        .flatMap(({ login, name, serial }) => asWarning(new UnrevokedToken(login, name, serial))),
    ]);
  }

  /** The ledger of an opened provider, read anew: to be called once the store is locked. */
  async ledger({ target }: Opened): Promise<Ledger> {
    return this.store.ledger(target.origin, target.owners.current, target.owners.previous);
  }

  async close(): Promise<void> {
    for (const opening of this.#opening.values()) {
      const opened = await opening.catch(() => undefined);
      await opened?.connection.client.close();
    }
  }

  async #open(provider: string, config: ObjectValue): Promise<Opened> {
    const { environment = {}, parallelism, signal, onProgress } = this.#options;
    const settings = settingsOf(config, environment);
    const { owners, credentials } = settings;
    if (owners === undefined) {
      throw new IncompleteProvider(
        "no owner",
        "Set owner in the provider, or TENANCY_OWNER: a name for what this stack makes.",
        {
          address: `provider.${provider}`,
        },
      );
    }
    const connection = await connect(settings, {
      directory: (client) =>
        listDirectory(client, credentials.kind === "password" ? credentials.username : undefined),
      ...(parallelism !== undefined && { maxConcurrency: parallelism }),
      ...(signal !== undefined && { signal }),
    });
    onProgress?.(`reading ${settings.origin}`);
    const client = connection.client.readOnly();
    const reading: Connection = {
      ...connection,
      client,
      directory: listDirectory(client, connection.username),
    };
    const token = credentials.kind === "token" ? credentials.token : undefined;
    const target = await survey({
      provider,
      connection: reading,
      owners,
      ledger: () => this.store.ledger(settings.origin, owners.current, owners.previous),
      token,
    });
    return { settings, target, connection };
  }
}

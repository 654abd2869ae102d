/** The services and the state of one run over one stack: the plan opens them, and the apply continues to use them. */
import {
  closedPart,
  type TenancyState,
  type DeclaredNames,
  type StatePart,
  type Moves,
  openState,
  type PartName,
  partKey,
  partName,
} from "../state";
import type { RetryWait } from "../api";
import {
  exposedToken,
  type Finding,
  incompleteProvider,
  movedHere,
  openIntent,
  stateGitFailed,
  stateKeyMissing,
  TenancyError,
  unrevokedToken,
} from "../problems";
import { listersOfFamilies } from "../resources";
import {
  serviceAndOwnerOf,
  connect,
  type Connection,
  listDirectory,
  CreatedInRun,
  type ProviderSettings,
  providerSettingsOf,
  passwordUsername,
} from "../service";
import { compareText, KnownSecrets, type ObjectValue } from "../lib/values";
import { refusedLists, unreadSummaries } from "./diff/unseen";
import { partsOfObjectKey } from "./families";
import { deriveRecords } from "./entries/records";
import type { PlanOptions } from "./options";
import { readSnapshot, type SnapshotFile } from "./snapshot/file";
import { openRecorded } from "./snapshot/open";
import { type Opened, WriteTarget, type WriteTargets, type ReadTarget } from "./target";
import { isOnBranch, lockOptionsOf, stateOptionsOf } from "./state";
import { survey } from "./survey";
import { isUserGone, unknownTokens } from "./tokens/intents";
import { knowingUnlisted, withRefusedTokens, withUnlistedUsers } from "./tokens/check";

export class Run {
  readonly services: Services;
  /** The secrets of the run: its credentials, those of the state, and write-only values of the configuration. */
  readonly secrets: KnownSecrets;
  readonly #options: PlanOptions;
  readonly #opened = new Map<string, Opened>();
  readonly #state: TenancyState | undefined;
  readonly #stack: string | undefined;
  #whyClosed: TenancyError | undefined;
  /** Decides which entries of the state have come to this stack; none by default. */
  moves: Moves | undefined;
  readonly #snapshot: Promise<SnapshotFile> | undefined;

  /**
   * @param stack whose state to open; undefined where there is none
   * @param sharedRun a run whose connections to use, and whose state if all stacks share one, for another stack of the same app
   */
  constructor(options: PlanOptions, stack: string | undefined, sharedRun?: Run) {
    this.#options = options;
    const { fromSnapshot: live, environment = {} } = options;
    if (live !== undefined)
      this.#snapshot =
        sharedRun === undefined ? readSnapshot(live, environment, new Date()) : sharedRun.#snapshot;
    // Its failure is thrown where a service is opened.
    this.#snapshot?.catch(() => undefined);
    if (live === undefined) {
      const isShared = sharedRun !== undefined && (sharedRun.#stack === stack || !isOnBranch(options));
      this.#state = isShared ? sharedRun.#state : openState(stateOptionsOf(options, stack));
    }
    this.#stack = stack;
    this.secrets = sharedRun?.secrets ?? new KnownSecrets();
    this.services = sharedRun?.services ?? new Services(options);
  }

  /** @throws TypeError where the run reads a snapshot: then there is no state */
  get state(): TenancyState {
    if (this.#state === undefined) throw new TypeError("a run that reads a snapshot has no state");
    return this.#state;
  }

  /** The state's name in messages. */
  get stateDescription(): string {
    return this.#state?.description ?? `of the snapshot ${this.#options.fromSnapshot?.file ?? ""}`;
  }

  /** The reason why the state is not opened, where the run goes on without it. */
  get whyClosed(): TenancyError | undefined {
    return this.#whyClosed;
  }

  /** The snapshot that is read in place of the services; undefined where they are asked themselves. */
  async snapshot(): Promise<SnapshotFile | undefined> {
    return this.#snapshot;
  }

  /**
   * Opens the service of a provider configuration, and requests its lists at once.
   * @param config completely known
   */
  async open(provider: string, config: ObjectValue): Promise<ReadTarget> {
    const file = await this.#snapshot;
    return file === undefined
      ? this.#openService(provider, config)
      : this.#openRecorded(file, provider, config);
  }

  /** From the snapshot: nothing is sent, and no credential or state is looked at. */
  async #openRecorded(file: SnapshotFile, provider: string, config: ObjectValue): Promise<ReadTarget> {
    const service = serviceAndOwnerOf(config, this.#options.environment ?? {});
    const name = this.#nameOf(service.origin, provider);
    const { usage, state } = file.service(service.origin);
    const namesByStack = new Map(Object.entries(state.stacks ?? {}));
    const isMoved = state.parts.length > 0 ? await this.moves?.(name, namesByStack) : undefined;
    const { connection, part, ownToken, unlisted } = openRecorded(file, name, isMoved);
    const owner = state.none === true ? this.#ownerIn(service) : undefined;
    const surveyed = await survey({
      provider,
      connection: { ...connection, tokensRevocable: service.tokensRevocable },
      part: () => Promise.resolve(part),
      token: undefined,
      secrets: this.secrets,
    });
    if (owner !== undefined) deriveRecords(surveyed, owner);
    const target: ReadTarget = {
      ...knowingUnlisted(surveyed, unlisted),
      ownToken,
      takenAt: file.takenAt,
      ...(usage !== null && usage !== undefined && { usage }),
    };
    this.#opened.set(provider, { target, connection });
    return target;
  }

  async #openService(provider: string, config: ObjectValue): Promise<ReadTarget> {
    const settings = providerSettingsOf(config, this.#options.environment ?? {});
    const owner = this.state.keepsNothing ? this.#ownerIn(settings) : undefined;
    for (const secret of secretsIn(settings)) this.secrets.add(secret);
    const { reading, writing } = await this.services.open(settings);
    const surveyed = await survey({
      provider,
      connection: reading,
      part: () => this.#partOf(this.#nameOf(settings.origin, provider)),
      token: settings.credentials.kind === "token" ? settings.credentials.token : undefined,
      secrets: this.secrets,
    });
    if (owner !== undefined) {
      this.#options.onProgress?.("no state: objects are recognized by uuids that derive from their names");
      deriveRecords(surveyed, owner);
    }
    const target = await withUnlistedUsers(surveyed);
    const checkedTarget = this.#options.verifyTokens === true ? await withRefusedTokens(target) : target;
    this.#opened.set(provider, { target: checkedTarget, connection: writing });
    return checkedTarget;
  }

  /** The opened services, by the name of the provider configuration. */
  get opened(): ReadonlyMap<string, Opened> {
    return this.#opened;
  }

  /** Warnings that need no plan: entries of unfinished work, tokens that were checked, records that lists show in part or not at all. */
  warnings(): readonly Finding[] {
    const targets = [...this.#opened.values()].map(({ target }) => target);
    return [
      ...targets.flatMap(movedTo),
      ...targets.flatMap(unsettled),
      ...targets.flatMap(({ warnings }) => warnings),
      ...targets.flatMap(refusedLists),
      ...targets.flatMap(unreadSummaries),
    ];
  }

  /**
   * The declarations of stacks at a service when they were synthesized last, as far as the states open. Each call reads the other stacks' states again.
   * @param isElsewhere chooses stacks whose own states know it better, where each stack has a state on a branch
   */
  async notedDeclarations(
    origin: string,
    isElsewhere: (stack: string) => boolean,
  ): Promise<NotedDeclarations> {
    const file = await this.#snapshot;
    if (file !== undefined) {
      const { stacks = {}, unopened = [] } = file.service(origin).state;
      const reason = "its state did not open when the snapshot was taken";
      return {
        names: new Map(Object.entries(stacks)),
        unopened: new Map(unopened.map((stack) => [stack, reason])),
      };
    }
    const names = new Map(this.#whyClosed === undefined ? await this.state.namesWithIds(origin) : []);
    const unopened = new Map<string, string>();
    const nearby = await this.state.stacksNearby().catch((error: unknown) => {
      // Without the remote, the copies of this clone are read.
      if (stateGitFailed.is(error)) return [...names.keys()];
      throw error;
    });
    for (const stack of nearby.filter(isElsewhere))
      try {
        const state = openState(stateOptionsOf(this.#options, stack));
        names.set(stack, (await state.namesWithIds(origin)).get(stack) ?? []);
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        unopened.set(stack, error.message);
      }
    return { names, unopened };
  }

  /** The name of the part for a provider configuration; a run without a stack has none, and finds no entries there. */
  #nameOf(origin: string, provider: string): PartName {
    return partName(origin, this.#stack ?? "", provider);
  }

  /**
   * The owner of a run without a state.
   * @throws incompleteProvider where the run plans a stack, and none is named
   */
  #ownerIn({ owner }: Pick<ProviderSettings, "owner">): string | undefined {
    if (owner !== undefined || this.#stack === undefined) return owner;
    throw incompleteProvider.error({
      lacks: "no owner, and without a state uuids derive from it",
      advice: "Name a state, or set owner in the provider, or TENANCY_OWNER.",
    });
  }

  /** Opens a service without a project, once for each provider configuration that has entries in the state. */
  async openForAll(provider: string, config: ObjectValue): Promise<readonly ReadTarget[]> {
    const isLive = (await this.#snapshot) === undefined;
    const { origin } = serviceAndOwnerOf(config, this.#options.environment ?? {});
    const parts = isLive ? await this.#unlessClosed(() => this.state.parts(origin), []) : [];
    if (parts.length === 0) return [await this.open(provider, config)];
    const targets: ReadTarget[] = [];
    for (const part of parts)
      targets.push(await new Run(this.#options, part.stack, this).open(part.provider, config));
    return targets;
  }

  /** The parts of the stack that the run has not opened. A state that the run cannot open shows none. */
  async otherParts(): Promise<readonly StatePart[]> {
    if (this.#state === undefined) return [];
    const openedKeys = new Set([...this.#opened.values()].map(({ target }) => partKey(target.part.name)));
    const names = await this.#unlessClosed(() => this.state.parts(), []);
    const isOther = (name: PartName) => name.stack === this.#stack && !openedKeys.has(partKey(name));
    return Promise.all(names.filter(isOther).map((name) => this.state.part(name)));
  }

  /** Read again if the state has been locked since. */
  async #partOf(name: PartName): Promise<StatePart> {
    const moves = async () => this.moves?.(name, await this.state.declaredNames(name.origin));
    return this.#unlessClosed(() => this.state.part(name, moves), closedPart(name));
  }

  /** The state's answer, or a substitute where the run goes on without the state. */
  async #unlessClosed<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const isClosed = [stateKeyMissing, stateGitFailed].some((one) => one.is(error));
      if (this.#options.mayLackState !== true || !isClosed) throw error;
      this.#whyClosed = error as TenancyError;
      return otherwise;
    }
  }

  /** The targets of an apply, by the name of the provider configuration. The parts are read again, under the lock. */
  async writeTargets(): Promise<WriteTargets> {
    const writeTargets = new Map<string, WriteTarget>();
    for (const [provider, openTarget] of this.#opened) {
      const { part: plannedPart, snapshot } = openTarget.target;
      const part = await this.#partOf(plannedPart.name);
      const { owner } = plannedPart.objects;
      if (owner !== undefined) deriveRecords({ part, snapshot }, owner);
      writeTargets.set(provider, new WriteTarget(openTarget, part));
    }
    return writeTargets;
  }

  /** Locks the parts of the state that these provider configurations use, as {@link TenancyState.reserve} does. */
  async reserveState(configs: ReadonlyMap<string, ObjectValue | TenancyError>): Promise<void> {
    const parts = [...configs].flatMap(([provider, config]) => {
      // A wrong configuration is reported when its block is evaluated.
      if (config instanceof TenancyError) return [];
      return this.#nameOf(serviceAndOwnerOf(config, this.#options.environment ?? {}).origin, provider);
    });
    await this.state.reserve(lockOptionsOf(this.#options), parts);
  }

  /** Ends the requests in progress, and the lock of the state. */
  async close(): Promise<void> {
    await this.services.close();
    // A lock that cannot be released ends by itself, and a run that fails reports its own error.
    if (this.#state?.isReserved === true) await this.#state.unlock().catch(() => undefined);
  }
}

/** The declarations of stacks, as far as states know them. */
export interface NotedDeclarations {
  /** The names of declared objects, by stack. */
  readonly names: ReadonlyMap<string, DeclaredNames>;
  /** Why the states of stacks do not open, by stack. */
  readonly unopened: ReadonlyMap<string, string>;
}

/** A password that is no other text than the username hides nothing: plans show the username. */
function secretsIn({ credentials }: ProviderSettings): readonly (string | undefined)[] {
  if (credentials.kind === "token") return [credentials.token.trim()];
  const { username, password, totpSecret } = credentials;
  return [password === username ? undefined : password, totpSecret];
}

/** A finding for each stack or provider configuration that the entries come from. */
function movedTo({ part }: ReadTarget): readonly Finding[] {
  const { name, moved } = part;
  const sources = new Map<string, string[]>();
  for (const { key, stack, provider } of moved) {
    const source = stack === name.stack ? provider : `the stack ${JSON.stringify(stack)}`;
    sources.set(source, [...(sources.get(source) ?? []), partsOfObjectKey(key).key]);
  }
  return [...sources].map(([source, keys]) => movedHere.at({ source, keys: keys.sort(compareText) }));
}

function unsettled(target: ReadTarget): readonly Finding[] {
  const { part } = target;
  const { intents, failedRevocations } = part;
  const openRevocations = target.connection.tokensRevocable === false ? [] : failedRevocations.list();
  return [
    ...part.exposed().map((token) => exposedToken.at(token)),
    ...unknownTokens(intents.list().filter((intent) => !isUserGone(intent, target))).map((one) =>
      openIntent.warning(one),
    ),
    ...openRevocations.map(({ login, name, serial }) => unrevokedToken.warning({ login, name, serial })),
  ];
}

// Services: one connection for each service and credential, shared by all stacks and providers of the run.

/** A service, seen with one credential. */
interface ServiceConnections {
  /** Refuses everything but GET and log-in. */
  readonly reading: Connection;
  readonly writing: Connection;
}

const REPORTED_WAIT_MS = 1_000;

export class Services {
  readonly #options: PlanOptions;
  readonly #services = new Map<string, Promise<ServiceConnections>>();
  /** Objects that the run has created, by the origin of the service. */
  readonly #made = new Map<string, CreatedInRun>();
  readonly #stop = new AbortController();
  /** Ends waits for a retry, also after {@link letRequestsEnd}. */
  readonly #stopWaiting = new AbortController();
  /** The end of the wait that was reported last: many requests wait at the same time. */
  #waitsUntil = 0;
  readonly #onAbort = () => this.#stop.abort();
  readonly #onAbortOfWaits = () => this.#stopWaiting.abort();

  constructor(options: PlanOptions) {
    this.#options = options;
    if (options.signal?.aborted === true) this.#stop.abort();
    options.signal?.addEventListener("abort", this.#onAbort);
    this.#endWaitsBy(options.signal);
  }

  open(settings: ProviderSettings): Promise<ServiceConnections> {
    const { owner: _owner, ...same } = settings;
    const identity = JSON.stringify(same);
    let service = this.#services.get(identity);
    if (service === undefined) {
      service = this.#connect(settings);
      this.#services.set(identity, service);
    }
    return service;
  }

  /**
   * From now on requests are left to end even if the run is stopped, since the answer to a write matters. Only waits for a retry end at once.
   * @param signal another signal that ends waits, where the apply has one of its own
   */
  letRequestsEnd(signal?: AbortSignal): void {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#endWaitsBy(signal);
  }

  #endWaitsBy(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) this.#stopWaiting.abort();
    signal?.addEventListener("abort", this.#onAbortOfWaits);
  }

  /** Ends all requests in progress: a plan that failed early must not go on asking. */
  async close(): Promise<void> {
    this.letRequestsEnd();
    this.#options.signal?.removeEventListener("abort", this.#onAbortOfWaits);
    this.#stop.abort();
    for (const opening of this.#services.values()) {
      const service = await opening.catch(() => undefined);
      await service?.writing.client.close();
    }
  }

  /** Waits under a second are not reported, nor are waits that begin during a reported one. */
  #reportWait({ method, path, status, attempt, ms }: RetryWait): void {
    const now = performance.now();
    if (ms < REPORTED_WAIT_MS || now < this.#waitsUntil) return;
    this.#waitsUntil = now + ms;
    const failure = `${status ?? "no answer"} from ${method} ${path}`;
    this.#options.onWait?.(`${failure}, attempt ${attempt}, next in ${Math.ceil(ms / 1000)} s`, ms);
  }

  async #connect(settings: ProviderSettings): Promise<ServiceConnections> {
    const { parallelism, onProgress } = this.#options;
    const { origin } = settings;
    const creations = this.#made.get(origin) ?? new CreatedInRun();
    this.#made.set(origin, creations);
    const directory = { caller: passwordUsername(settings), listers: listersOfFamilies() };
    const writing = await connect(settings, {
      directory: (client) => listDirectory(client, directory),
      made: creations,
      signal: this.#stop.signal,
      waitSignal: this.#stopWaiting.signal,
      onWait: (wait) => this.#reportWait(wait),
      ...(parallelism !== undefined && { maxConcurrency: parallelism }),
    });
    onProgress?.(`reading ${origin}`);
    const client = writing.client.readOnly();
    return { writing, reading: { ...writing, client, directory: listDirectory(client, directory) } };
  }
}

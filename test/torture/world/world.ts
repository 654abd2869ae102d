/** A service, a project and everything that surrounds them, for one history. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "otpauth";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { RIGHTS } from "../../../src/lib/simulator/permissions";
import { DEPLOYER, INSIDER, SIBLING } from "../model/declaration";
import { derivedUuid } from "../../../src/ownership";
import type { CallerName, History, ServiceTraits } from "../model/history";
import { DEPLOYER_PASSWORD, INSIDER_PASSWORD, SYSTEM_PASSWORD, TOTP_SECRET } from "../model/secrets";
import type { DeclaredUuids } from "../model/uuids";
import { Chronicle } from "./chronicle";
import { Gateway, type AddressName } from "./gateway";
import { copyWithoutLock } from "./kept-state";
import { snapshotOf, type Snapshot } from "./snapshot";
import { openTrap, type Trap } from "./trap";

export type WorldTraits = Pick<History, "service" | "caller"> &
  Partial<Pick<History, "uuids" | "hasSibling" | "aliases">>;

export class World {
  readonly chronicle = new Chronicle();
  /** The state as it lies on disk; after a kill it is where the kill left it. */
  stateFile: string;
  /** By which name runs know the service. */
  address: AddressName = "127.0.0.1";
  #folders = 0;

  private constructor(
    readonly service: Simulator,
    readonly gateway: Gateway,
    readonly trap: Trap,
    readonly folder: string,
    private readonly credentials: Readonly<Record<string, string>>,
    readonly self: { readonly login: string; readonly tokenId: string | undefined },
    readonly traits: ServiceTraits,
    /** Uuids that the configuration declares. */
    readonly uuids: DeclaredUuids,
    /** Stands in the app beside the stack: another one, with an owner of its own. */
    readonly hasSibling: boolean,
    /** Further provider configurations for the same service. */
    readonly aliases: number,
  ) {
    this.stateFile = join(this.newFolder(), "state.json");
  }

  static async open({
    service: traits,
    caller,
    uuids = "none",
    hasSibling = false,
    aliases = 0,
  }: WorldTraits): Promise<World> {
    const service = await startSimulator({
      ...traits,
      record: false,
      systemUser: { username: "system", password: SYSTEM_PASSWORD },
    });
    const token = settle(service, caller);
    const trap = await openTrap();
    const gateway = await Gateway.open(service, trap.origin, traits.revokes);
    const folder = mkdtempSync(join(tmpdir(), "tenancy-torture-"));
    if (hasSibling) settleSibling(service);
    const make = (credentials: Record<string, string>, login: string, tokenId?: string) =>
      new World(
        ...([service, gateway, trap, folder, credentials, { login, tokenId }, traits] as const),
        ...([uuids, hasSibling, aliases] as const),
      );
    if (caller === "system") return make(withPassword("system", SYSTEM_PASSWORD), "system");
    if (caller === "insider") return make(withPassword(INSIDER, INSIDER_PASSWORD), INSIDER);
    if (caller === "deployer with one-time codes")
      return make(
        { ...withPassword(DEPLOYER, DEPLOYER_PASSWORD), TENANCY_TOTP_SECRET: TOTP_SECRET },
        DEPLOYER,
      );
    if (caller === "deployer") return make(withPassword(DEPLOYER, DEPLOYER_PASSWORD), DEPLOYER);
    const world = make({ TENANCY_TOKEN: token.access_token }, DEPLOYER, token.id);
    world.chronicle.secrets.set(token.access_token, "the run's own token");
    return world;
  }

  /** The service's address, as the state knows it. */
  get origin(): string {
    return this.gateway.originAt(this.address);
  }

  get live(): Snapshot {
    return snapshotOf(this.service);
  }

  /** Environment of a run. */
  environment(baseUrl: string, variables: Readonly<Record<string, string>>): Record<string, string> {
    return {
      ...this.credentials,
      TENANCY_BASE_URL: baseUrl,
      ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
    };
  }

  newFolder(): string {
    return join(this.folder, String(this.#folders++));
  }

  /** From now on runs work with the state as it is now: after a kill, or on another machine. */
  copyState(): void {
    this.stateFile = copyWithoutLock(this.stateFile, this.newFolder());
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.trap.close();
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function withPassword(username: string, password: string): Record<string, string> {
  return { TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
}

/** Makes the account and the user that the runs work with. */
function settle({ records }: Simulator, caller: CallerName) {
  records.createAccount({ name: "ops" });
  records.createProfile("ops", {
    username: "deployer",
    password: DEPLOYER_PASSWORD,
    level: 900,
    permissions: {
      realm: { rights: Object.fromEntries(RIGHTS.realm.map((right) => [right, true])) },
      node: { rights: Object.fromEntries(RIGHTS.node.map((right) => [right, true])) },
    },
    ...(caller === "deployer with one-time codes" && {
      two_factor: { auth: "google", secret: Secret.fromBase32(TOTP_SECRET).hex },
    }),
  });
  // Rights that reach beyond the account are not granted by default.
  if (caller === "insider")
    records.createProfile("ops", { username: "insider", password: INSIDER_PASSWORD, level: 900 });
  return records.createToken(DEPLOYER);
}

/** Makes the records of the sibling stack: an account, and users in it. */
function settleSibling({ records }: Simulator): void {
  const uuid = (kind: string, ...names: readonly string[]) => derivedUuid(SIBLING, { kind, names });
  const account = "sister";
  records.createAccount({
    name: account,
    uuid: uuid("account", account),
    user_uuid: uuid("primary", account),
  });
  records.createProfile(account, { username: "jane", uuid: uuid("user_profile", account, "jane") });
  records.createProfile(account, { username: "kim", uuid: uuid("user_profile", account, "kim") });
}

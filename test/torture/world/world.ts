/** A service, a project and everything that surrounds them, for one history. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { RIGHTS } from "../../../src/simulator/permissions";
import { DEPLOYER, OWNER } from "../model/declaration";
import { parseOwnerKeys, type Owners } from "../../../src/ownership";
import type { History, ServiceTraits } from "../model/history";
import { DEPLOYER_PASSWORD, OWNER_KEY, SYSTEM_PASSWORD } from "../model/secrets";
import { Chronicle } from "./chronicle";
import { Gateway } from "./gateway";
import { copyWithoutLock } from "./kept-store";
import { snapshotOf, type Snapshot } from "./snapshot";
import { openTrap, type Trap } from "./trap";

export type WorldTraits = Pick<History, "service" | "caller"> & Partial<Pick<History, "ownerKey">>;

export class World {
  readonly chronicle = new Chronicle();
  /** The store as it lies on disk; after a kill it is where the kill left it. */
  storeFile: string;
  #folders = 0;

  private constructor(
    readonly service: Simulator,
    readonly gateway: Gateway,
    readonly trap: Trap,
    readonly folder: string,
    private readonly credentials: Readonly<Record<string, string>>,
    readonly self: { readonly login: string; readonly tokenId: string | undefined },
    readonly traits: ServiceTraits,
    readonly owners: Owners,
  ) {
    this.storeFile = join(this.newFolder(), "credentials.json");
  }

  static async open({ service: traits, caller, ownerKey = false }: WorldTraits): Promise<World> {
    const service = await startSimulator({
      ...traits,
      record: false,
      systemUser: { username: "system", password: SYSTEM_PASSWORD },
    });
    const token = settle(service);
    const trap = await openTrap();
    const gateway = await Gateway.open(service, trap.origin, traits.revokes);
    const folder = mkdtempSync(join(tmpdir(), "tenancy-torture-"));
    const keys = parseOwnerKeys(ownerKey ? OWNER_KEY : undefined, undefined);
    const owners = { current: OWNER, previous: [], keys };
    const make = (credentials: Record<string, string>, login: string, tokenId?: string) =>
      new World(service, gateway, trap, folder, credentials, { login, tokenId }, traits, owners);
    if (caller === "system") return make(withPassword("system", SYSTEM_PASSWORD), "system");
    if (caller === "deployer") return make(withPassword(DEPLOYER, DEPLOYER_PASSWORD), DEPLOYER);
    const world = make({ TENANCY_TOKEN: token.access_token }, DEPLOYER, token.id);
    world.chronicle.secrets.set(token.access_token, "the run's own token");
    return world;
  }

  get live(): Snapshot {
    return snapshotOf(this.service);
  }

  /** Environment of a run. */
  environment(baseUrl: string, variables: Readonly<Record<string, string>>): Record<string, string> {
    return {
      ...this.credentials,
      ...(this.owners.keys !== undefined && { TENANCY_OWNER_KEY: OWNER_KEY }),
      TENANCY_BASE_URL: baseUrl,
      ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
    };
  }

  newFolder(): string {
    return join(this.folder, String(this.#folders++));
  }

  /** The moment of a kill: what is on disk now is what the next run finds. */
  /** From now on runs work with the store as it is now: after a kill, or on another machine. */
  copyStore(): void {
    this.storeFile = copyWithoutLock(this.storeFile, this.newFolder());
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

/** Whoever deploys has been there before. */
function settle({ records }: Simulator) {
  records.createAccount({ name: "ops" });
  records.createProfile("ops", {
    username: "deployer",
    password: DEPLOYER_PASSWORD,
    level: 900,
    permissions: {
      realm: { rights: Object.fromEntries(RIGHTS.realm.map((right) => [right, true])) },
      node: { rights: Object.fromEntries(RIGHTS.node.map((right) => [right, true])) },
    },
  });
  return records.createToken(DEPLOYER);
}

/** A service that is newer than the schema: it has rights that the schema does not know, and leaves flags of scopes out. */
import type { Simulator } from "../../../src/lib/simulator";

type Members = Readonly<Record<string, unknown>>;

/** The second one is granted to every new user, as the service grants most rights. */
const UNKNOWN = { vss: ["fold_space"], future: ["read_minds"] } as const;
const GRANTED_BY_DEFAULT: ReadonlySet<string> = new Set(["future.read_minds"]);

/** For a limited scope the flag follows from the list. For any other scope nothing but the flag tells it. */
const SCOPES = [
  { group: "vss", flag: "all_account_scope", list: "vsses" },
  { group: "node", flag: "all_realm_scope", list: "nodes" },
] as const;

export class NewerService {
  /** By id of the user: unknown rights that somebody set. */
  readonly #rights = new Map<string, Map<string, boolean>>();
  /** By username: permissions that a create has sent. Its answer tells the id. */
  readonly #created = new Map<string, Members>();
  /** Ids of users whose answers leave out the flags of limited scopes. */
  readonly #flagless = new Set<string>();

  constructor(service: Simulator) {
    service.fail({
      path: /^\/api\/user-profile/,
      times: Infinity,
      where: ({ method, path, body }) => {
        if (method === "POST") this.#created.set(String((body as Members)["username"]), body as Members);
        if (method === "PATCH") this.#note(decodeURIComponent(path.split("/").at(-1)!), body as Members);
        return true;
      },
      alter: (body) => (Array.isArray(body) ? body.map((one) => this.#shown(one)) : this.#shown(body)),
    });
  }

  grant(id: string, right: string): void {
    this.#of(id).set(right, true);
  }

  take(id: string, right: string): void {
    this.#of(id).set(right, false);
  }

  /** The unknown rights that a user has. */
  grants(id: string): readonly string[] {
    return Object.entries(UNKNOWN)
      .flatMap(([group, names]) => names.map((name) => `${group}.${name}`))
      .filter((right) => this.#isGranted(id, right));
  }

  leaveFlagsOut(id: string): void {
    this.#flagless.add(id);
  }

  #noteCreated(id: string, username: string): void {
    const body = this.#created.get(username);
    this.#created.delete(username);
    if (body !== undefined) this.#note(id, body);
  }

  #isGranted(id: string, right: string): boolean {
    return this.#rights.get(id)?.get(right) ?? GRANTED_BY_DEFAULT.has(right);
  }

  #of(id: string): Map<string, boolean> {
    const rights = this.#rights.get(id) ?? new Map<string, boolean>();
    this.#rights.set(id, rights);
    return rights;
  }

  #note(id: string, { permissions }: Members): void {
    for (const [group, names] of Object.entries(UNKNOWN)) {
      const sent = (permissions as Record<string, { rights?: Members }> | undefined)?.[group]?.rights ?? {};
      for (const name of names)
        if (typeof sent[name] === "boolean") this.#of(id).set(`${group}.${name}`, sent[name]);
    }
  }

  #shown(record: unknown): unknown {
    const { id, login, permissions } = record as {
      id?: string;
      login?: string;
      permissions?: Readonly<Record<string, Members>>;
    };
    if (id === undefined || permissions === undefined) return record;
    this.#noteCreated(id, login?.split("@")[0] ?? "");
    const shown: Record<string, Members> = { ...permissions };
    for (const [group, names] of Object.entries(UNKNOWN)) {
      const rights: Record<string, unknown> = { ...(shown[group]?.["rights"] as Members) };
      for (const name of names) {
        const right = `${group}.${name}`;
        rights[name] = this.#isGranted(id, right);
      }
      shown[group] = { ...shown[group], rights };
    }
    if (this.#flagless.has(id))
      for (const { group, flag, list } of SCOPES) {
        const { [flag]: _flag, ...others } = shown[group] ?? {};
        if ((others[list] as readonly string[] | undefined)?.length) shown[group] = others;
      }
    return { ...(record as Members), permissions: shown };
  }
}

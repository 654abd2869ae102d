/** Histories of declarations, applies, and changes by others, held against a model of what drift is: covers src/engine/drift and src/plan/drift.ts. */
import { rm } from "node:fs/promises";
import fc from "fast-check";
import { Permissions, Tenant } from "tenancy";
import { drift, type DriftReport } from "../../../src/engine";
import { formatPath } from "../../../src/lib/values";
import { type Build, type Project, projects } from "../../support/projects";
import { rounds } from "../../support/rounds";

const start = projects();

const USERS = ["ada", "bob"] as const;
type User = (typeof USERS)[number];

type Step =
  | { readonly do: "declare"; readonly user: User; readonly email: string | undefined }
  | { readonly do: "mail"; readonly user: User; readonly email: string }
  | { readonly do: "level"; readonly user: User; readonly level: number }
  | { readonly do: "delete"; readonly user: User }
  | { readonly do: "apply" | "lose" };

const email = fc.constantFrom("a@acme.example", "b@acme.example");
const user = fc.constantFrom(...USERS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("declare" as const),
      user,
      email: fc.option(email, { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("mail" as const), user, email }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("level" as const), user, level: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), user }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("apply" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lose" as const) }) },
);

interface Values {
  readonly email: string;
  readonly level: number;
}

/** Undeclared privileges, and that everybody has. */
const LOST = ["privilege * access_api", "privilege * access_web"];

/** What is declared, live and last applied of each user. */
class Model {
  readonly declared = new Map<User, string>();
  readonly live = new Map<User, Values>();
  /** With the declaration of the time. */
  readonly left = new Map<User, Values>();
  /** Levels as they were first seen; undefined where the state has lost them. */
  readonly levels = new Map<User, number | undefined>();
  isAccountLost = false;
  isRemembered = false;

  apply(): void {
    this.left.clear();
    for (const name of USERS) {
      const wanted = this.declared.get(name);
      if (wanted === undefined) this.live.delete(name);
      else {
        const now = { email: wanted, level: this.live.get(name)?.level ?? 0 };
        if (!this.live.has(name)) this.levels.set(name, now.level);
        this.live.set(name, now);
        this.left.set(name, now);
      }
    }
    this.isRemembered = true;
  }

  /** The state is lost, and recovered: users who are declared and live are recorded as they are, and the others are unknown. */
  lose(): void {
    this.left.clear();
    for (const [name, values] of this.live) {
      if (!this.declared.has(name)) continue;
      this.left.set(name, values);
      this.levels.set(name, values.level);
    }
    this.isRemembered = false;
  }

  rows(): readonly string[] {
    return [
      ...(this.isAccountLost ? [...LOST, "privilege * level"].map((row) => row.replace("*", "acme")) : []),
      ...USERS.flatMap((name) =>
        [...this.#rowsOf(name), ...this.#privilegesOf(name)].map((text) => text.replace("*", `${name}@acme`)),
      ),
    ].sort();
  }

  #privilegesOf(name: User): readonly string[] {
    const [live, level] = [this.live.get(name), this.levels.get(name)];
    if (live === undefined || !this.declared.has(name)) return [];
    const isChanged = level === undefined ? live.level > 0 : live.level !== level;
    return [...(level === undefined ? LOST : []), ...(isChanged ? ["privilege * level"] : [])];
  }

  #rowsOf(name: User): readonly string[] {
    const [declared, live, left] = [this.declared.get(name), this.live.get(name), this.left.get(name)];
    if (live === undefined) {
      if (left !== undefined) return ["deleted *"];
      if (declared === undefined) return [];
      return [this.isRemembered ? "declared *" : "unclassified *"];
    }
    if (declared === undefined) return [left !== undefined ? "declared *" : "unclassified *"];
    if (left === undefined) return declared === live.email ? [] : ["unclassified * email"];
    const outside = live.email === left.email ? [] : ["changed * email"];
    if (declared !== live.email && live.email === left.email) return [...outside, "declared * email"];
    return declared === left.email ? outside : [...outside, "declared *"];
  }
}

const build =
  (declared: ReadonlyMap<User, string>): Build =>
  (stack) => {
    const users = [...declared].map(
      ([name, mail]) => [name, { email: mail, permissions: Permissions.none() }] as const,
    );
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: Object.fromEntries(users),
    });
  };

async function take(done: Step, model: Model, project: Project): Promise<void> {
  const { records } = project.service;
  switch (done.do) {
    case "apply":
      await project.apply(build(model.declared), { maxDeletes: 9 });
      return model.apply();
    case "lose":
      await rm(project.state, { force: true });
      await project.apply(build(model.declared), { recover: true });
      return model.lose();
    case "declare":
      if (done.email === undefined) model.declared.delete(done.user);
      else model.declared.set(done.user, done.email);
      return;
    default: {
      const live = model.live.get(done.user);
      const login = `${done.user}@acme`;
      if (live === undefined) return;
      if (done.do === "delete") {
        records.deleteProfile(login);
        model.live.delete(done.user);
        return;
      }
      const change = done.do === "mail" ? { email: done.email } : { level: done.level };
      records.patchProfile(login, change);
      model.live.set(done.user, { ...live, ...change });
    }
  }
}

const STATUS = (rows: readonly string[]): DriftReport["status"] =>
  rows.length === 0 ? "none" : rows.every((row) => row.startsWith("declared")) ? "declared" : "outside";

test("each step of a history leaves the rows and the status of the model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (history) => {
      const project = await start();
      const model = new Model();
      await take({ do: "apply" }, model, project);
      for (const one of history) {
        await take(one, model, project);
        const report = await drift(project.synthesize(build(model.declared)), project.options());
        const rows = report.drift
          .map(({ kind, title, path }) =>
            [kind, title, formatPath(path)].filter((part) => part !== "").join(" "),
          )
          .sort();
        expect(rows).toEqual(model.rows());
        expect(report.status).toBe(STATUS(model.rows()));
      }
    }),
    { numRuns: rounds(4) },
  );
});

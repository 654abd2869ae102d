/** The life of every value at services that read the specification in another way: covers the engine as a whole. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { SERVICE_BEHAVIORS, type ServiceBehavior } from "../../src/lib/simulator";
import { lives, lost } from "../support/described-values";
import { actions, failures, type Project, projects, RECKLESS, writes } from "../support/projects";
import { writeStack } from "../support/synthesized-app";

const start = projects();

const ALL = lives();

/** Declares the phase of every life, and applies it. */
function declare({ folder }: Project, phase: number, imports: readonly object[] = []) {
  const resource: Record<string, Record<string, object>> = {};
  for (const { type, name, phases } of ALL) (resource[type] ??= {})[name] = phases[phase]!;
  writeStack(folder, { provider: { tenancy: [{ owner: "acme-platform" }] }, resource, import: imports });
  return { name: "prod", outdir: folder };
}

/** The declared values that the service does not have. */
function lostAt({ service: { records } }: Project, phase: number) {
  return ALL.flatMap(({ type, name, phases }) => {
    const stored =
      type === "tenancy_account"
        ? { self: records.account(name), primary: records.profile(name) }
        : { self: records.profile(`${name}@host`) };
    return lost(type, phases[phase]!, stored).map((text) => `${type}.${name} ${text}`);
  });
}

/** Behaviors that end a run, because a value of another type would look like one that is not shown. */
const MISTYPED: readonly ServiceBehavior[] = ["numbersAsText", "booleansAsText", "booleansAsNumbers"];

const behaviors: readonly (ServiceBehavior | undefined)[] = [
  undefined,
  ...(Object.keys(SERVICE_BEHAVIORS) as ServiceBehavior[]).filter((one) => !MISTYPED.includes(one)),
];

test.each(behaviors)(
  "every value is created, changed, taken away, imported and deleted (%s)",
  async (behavior) => {
    const project = await start(behavior && { behaviors: [behavior] });
    for (const phase of [0, 1, 2]) {
      const stack = declare(project, phase);
      const { result } = await project.run(stack, { initState: true });
      expect(failures(result)).toEqual([]);
      expect(lostAt(project, phase)).toEqual([]);
      expect(actions(await project.plan(stack))).toEqual([]);
    }
    // Under other uuids, and without the state, they are records that others have made.
    await rm(dirname(project.state), { recursive: true });
    const { records } = project.service;
    for (const { name } of records.accounts.slice(1)) records.patchAccount(name, { uuid: randomUUID() });
    for (const { login } of records.profiles.slice(1)) records.patchProfile(login, { uuid: randomUUID() });
    const imports = ALL.map(({ type, name }) => ({
      to: `${type}.${name}`,
      id: type === "tenancy_account" ? name : `${name}@host`,
    }));
    const imported = declare(project, 2, imports);
    await project.apply(imported, { initState: true });
    expect(lostAt(project, 2)).toEqual([]);
    expect(actions(await project.plan(imported))).toEqual([]);
    await project.apply(imported, { ...RECKLESS, maxDeletes: 999, destroy: true });
  },
);

test.each(MISTYPED)(
  "values of another type are an error that names the member and both types (%s)",
  async (behavior) => {
    const project = await start({ behaviors: [behavior] });
    await expect(project.plan(declare(project, 0), { initState: true })).rejects.toThrow(
      /unexpected answer: \w+ of "system" in element 0 of the list is a (string|number), not (an integer|true or false)/,
    );
    expect(writes(project.service.requests)).toEqual([]);
  },
);

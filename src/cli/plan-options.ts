/** From the command line to what the engine is told. */
import { resolve } from "node:path";
import type { PlanOptions, StoreOptions } from "../engine";
import { Usage } from "../errors";
import type { PlanningFlags, StackFlags } from "./flags";
import type { Io } from "./io";
import type { Project } from "./project/project";

/** What every verb that evaluates a stack tells. */
export function stackOptions(flags: StackFlags, project: Project, io: Io): PlanOptions {
  return {
    environment: io.environment,
    projectFolder: project.folder,
    variables: variables(flags.var ?? []),
    variableFiles: (flags.varFile ?? []).map((file) => resolve(io.folder, file)),
    store: storeOptions(flags, project, io),
  };
}

/** What the verbs that plan tell. */
export function planOptions(flags: PlanningFlags, project: Project, io: Io): PlanOptions {
  const { parallelism, maxDeletes, allowAccountDeletion } = flags;
  return {
    ...stackOptions(flags, project, io),
    only: flags.only ?? [],
    exclude: flags.exclude ?? [],
    allowAccountDeletion: allowAccountDeletion ?? false,
    allowNonempty: flags.allowNonempty === true,
    allowSelfChange: flags.allowSelfChange === true,
    resetPasswords: flags.resetPasswords === true,
    initStore: flags.initStore === true,
    verifyTokens: flags.verifyTokens === true,
    ...(maxDeletes !== undefined && { maxDeletes }),
    ...(parallelism !== undefined && { parallelism }),
  };
}

function variables(given: readonly string[]): Readonly<Record<string, string>> {
  const values = Object.create(null) as Record<string, string>;
  for (const assignment of given) {
    const equals = assignment.indexOf("=");
    if (equals < 1)
      throw new Usage(`--var ${assignment}: not of the form NAME=VALUE`, "Write --var 'region=eu'.");
    values[assignment.slice(0, equals).trim()] = assignment.slice(equals + 1);
  }
  return values;
}

function storeOptions({ store, credentialHelper }: StackFlags, project: Project, io: Io): StoreOptions {
  if (store !== undefined && credentialHelper !== undefined) {
    throw new Usage("--store and --credential-helper exclude each other", "Give one of them.");
  }
  const key = io.environment["TENANCY_STORE_KEY"];
  return {
    ...(store !== undefined && { path: resolve(io.folder, store) }),
    ...(credentialHelper !== undefined && { helper: credentialHelper }),
    ...(key !== undefined && key !== "" && { key }),
  };
}

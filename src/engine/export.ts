/** Exports the live objects of a stack's services, of the environment's service, or of a snapshot, as code. Sends only GET requests and the login. */
import { type StatePart, partKey } from "../state";
import {
  type ExportedCode,
  exportedCode,
  type ExportLanguage,
  type KnownToken,
  type Library,
  type ProjectsWord,
} from "../export";
import { whyIncomplete } from "../plan";
import { exportIncomplete, nothingToExport, stackWithoutProvider, TenancyError } from "../problems";
import { serviceAndOwnerOf, textsSetting } from "../service";
import { isObject, plainText } from "../lib/values";
import { type ProjectDeclarations, declaredIn, endsByUuid } from "./declared";
import { configurationsIn, fitConfigurationsIn } from "./evaluate/providers";
import { type Live, openLive } from "./live";
import type { PlanOptions, StackSource } from "./options";
import type { ReadTarget } from "./target";

/** Options of an export. */
export interface ExportOptions extends PlanOptions {
  /** @default "typescript" */
  readonly language?: ExportLanguage;
  /** The library that TypeScript is written for. @default "cdktf" */
  readonly library?: Library;
  /** True if the account of this name is to be exported. @default all accounts are */
  readonly isWanted?: (account: string) => boolean;
  /** All stacks of the project: TypeScript declares nothing that one of them declares. @default the stack alone */
  readonly stacks?: readonly StackSource[];
  /**
   * Files of an earlier export, by their names without ending. Their declarations are exported again, so they can be compared.
   * @default none
   */
  readonly earlier?: ReadonlySet<string>;
}

/** The files of an export. */
export interface Exported extends ExportedCode {
  /** When the snapshot was taken, ISO 8601; undefined where the services were asked. */
  readonly takenAt: string | undefined;
  /** The reasons why live objects or declarations of the project may be missing. */
  readonly notes: readonly string[];
}

/**
 * The code that declares the live objects. If the stack has several services or provider configurations, the files of each are in a folder named after the provider's alias.
 *
 * @param source the stack whose providers are used; undefined: the environment alone
 * @throws `TENANCY_INCOMPLETE_LISTS`, `TENANCY_NOT_EXPORTABLE`, `TENANCY_INCOMPLETE_PROVIDER`, and the errors of stacks, services and snapshots
 */
export async function exportLive(
  source: StackSource | undefined,
  options: ExportOptions = {},
): Promise<Exported> {
  const {
    language = "typescript",
    library = "cdktf",
    isWanted = () => true,
    earlier = new Set<string>(),
  } = options;
  const live = await openLive(source === undefined ? [] : [source], options);
  try {
    if (source !== undefined && live.targets.length === 0) throw stackWithoutProvider.error(source.name);
    const { targets } = live;
    // HCL is for a module of its own, about which no stack says anything.
    const declarations = language === "hcl" ? undefined : await declarationsOf(source, live, options);
    const configurations = source === undefined ? undefined : await fitConfigurationsIn(source, options);
    const exported = targets.map((target) => {
      const { origin, snapshot, incomplete, provider, part } = target;
      if (incomplete !== undefined) throw exportIncomplete.error({ origin, missing: incomplete });
      const folder = targets.length === 1 ? "" : `${provider.split(".")[1] ?? "default"}/`;
      const service = {
        snapshot,
        extraRights: textsSetting(configurations?.get(provider) ?? {}, "extra_rights"),
        endsByUuid: endsByUuid([target], declarations),
        tokens: knownTokens(part),
        ...(declarations !== undefined && {
          declarationOf: declarationsAt(target, declarations, source?.name, (path) =>
            isFrom(path, folder, earlier),
          ),
        }),
      };
      const {
        files,
        leftOut,
        declared: declaredSentences,
      } = exportedCode(service, { language, library, isWanted });
      return {
        files: [...files].map(([name, text]) => [folder + name, text] as const),
        leftOut,
        declared: declaredSentences,
      };
    });
    const incompleteLists = targets.flatMap(({ origin, snapshot }) => {
      const why = whyIncomplete(snapshot);
      return why === null ? [] : [plainText(`Not proven to be all of ${origin}: ${why}.`)];
    });
    const files = new Map(exported.flatMap((one) => one.files));
    const leftOut = exported.flatMap((one) => one.leftOut);
    const declaredSentences = exported.flatMap((one) => one.declared);
    if (files.size === 0 && declaredSentences.length === 0) throw nothingToExport.error(leftOut);
    return {
      files,
      leftOut,
      declared: declaredSentences,
      takenAt: live.takenAt,
      notes: [...incompleteLists, ...(declarations?.notes ?? [])],
    };
  } finally {
    await live.close();
  }
}

function knownTokens({ tokens }: StatePart): readonly KnownToken[] {
  return tokens.list().map(({ login, name, record, keepers, previous, retention }) => ({
    login,
    name,
    serial: record.serial,
    hasKeepers: isObject(keepers) && Object.keys(keepers).length > 0,
    replaced: previous.length,
    ...(retention !== undefined && { retention }),
  }));
}

// Declarations of the project.

/** The declarations of stacks at the same services, and of stacks whose services are unknown. */
async function declarationsOf(
  source: StackSource | undefined,
  live: Live,
  options: ExportOptions,
): Promise<ProjectDeclarations | undefined> {
  if (source === undefined) return undefined;
  const origins = new Set(live.targets.map(({ origin }) => origin));
  const near: StackSource[] = [];
  for (const stack of options.stacks ?? [source])
    if (stack.name === source.name || (await mayBeAt(origins, stack, options))) near.push(stack);
  return declaredIn(near, options, live, new Date());
}

async function mayBeAt(
  origins: ReadonlySet<string>,
  stack: StackSource,
  options: ExportOptions,
): Promise<boolean> {
  try {
    const configurations = await configurationsIn(stack, options);
    return [...configurations.values()].some(
      (config) =>
        config instanceof TenancyError ||
        origins.has(serviceAndOwnerOf(config, options.environment ?? {}).origin),
    );
  } catch (error) {
    if (error instanceof TenancyError) return true;
    throw error;
  }
}

function declarationsAt(
  { origin, part }: ReadTarget,
  { records, tokens, removed: removedIds }: ProjectDeclarations,
  own: string | undefined,
  isCompared: (path: string | undefined) => boolean,
): (record: string) => ProjectsWord | undefined {
  const byId = records.get(origin);
  const byKey = tokens.get(partKey(part.name));
  return (record) => {
    if (removedIds.get(origin)?.has(record) === true) return "removed";
    const recordDeclaration = byId?.get(record);
    if (recordDeclaration !== undefined && isCompared(recordDeclaration.path)) return undefined;
    if (recordDeclaration !== undefined)
      return recordDeclaration.stack === own ? "declared" : { elsewhere: recordDeclaration.stack };
    return byKey?.has(record) === true && !isCompared(byKey.get(record)) ? "declared" : undefined;
  };
}

/** True if a construct comes from a file of an earlier export: each tenant is in a construct named after its file, inside the construct `tenants`. */
function isFrom(path: string | undefined, folder: string, earlier: ReadonlySet<string>): boolean {
  const ids = path?.split("/") ?? [];
  return ids.some((id, index) => id === "tenants" && earlier.has(`${folder}${ids[index + 1] ?? ""}`));
}

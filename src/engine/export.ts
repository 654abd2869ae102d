/** Exports what is live at the services of a stack, or of the environment, as code. Sends nothing but GET and log-in. */
import { type ExportedCode, exportedCode, type ExportLanguage } from "../export";
import { ExportIncomplete, NothingToExport, TenancyError } from "../problems";
import { incompleteness, type Settings, settingsOf } from "../service";
import { emptyObject, type ObjectValue } from "../values";
import { providerConfigurations } from "./evaluate/configuration";
import { loadStack } from "./load/stack";
import type { PlanOptions, StackSource } from "./options";
import { Services } from "./run";

export interface ExportOptions extends PlanOptions {
  /** @default "typescript" */
  readonly language?: ExportLanguage;
  /** Whether the account of this name is to be exported. @default all are */
  readonly isWanted?: (account: string) => boolean;
}

/**
 * The code that declares what is live. Where the stack talks to several services, or as several owners, the files of each stand in a folder that
 * is called like the provider's alias.
 *
 * @param source the stack whose providers are used; undefined: what the environment says alone
 * @throws ExportIncomplete, NothingToExport, and the errors of stacks and services
 */
export async function exportLive(
  source: StackSource | undefined,
  options: ExportOptions = {},
): Promise<ExportedCode> {
  const { language = "typescript", isWanted = () => true } = options;
  const views = await viewsOf(source, options);
  const services = new Services(options);
  try {
    const exported = await Promise.all(
      [...views].map(async ([folder, settings]) => {
        const { reading } = await services.open(settings);
        const snapshot = await reading.directory.snapshot();
        const missing = incompleteness(snapshot);
        if (missing !== undefined) throw new ExportIncomplete(settings.origin, missing);
        const code = exportedCode({ snapshot, owners: settings.owners }, { language, isWanted });
        return { folder, code };
      }),
    );
    const leftOut = exported.flatMap(({ code }) => code.leftOut);
    const files = new Map(
      exported.flatMap(({ folder, code }) =>
        [...code.files].map(([name, text]) => [views.size === 1 ? name : `${folder}/${name}`, text] as const),
      ),
    );
    if (files.size === 0) throw new NothingToExport(leftOut);
    return { files, leftOut };
  } finally {
    await services.close();
  }
}

/** Each service and owner once, under the name of a folder. */
async function viewsOf(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<ReadonlyMap<string, Settings>> {
  const configurations: ReadonlyMap<string, ObjectValue | TenancyError> =
    source === undefined
      ? new Map([["tenancy", emptyObject()]])
      : await providerConfigurations((await loadStack(source)).stack, options);
  const views = new Map<string, Settings>();
  const known = new Set<string>();
  for (const [provider, config] of configurations) {
    if (config instanceof TenancyError) throw config;
    const settings = settingsOf(config, options.environment ?? {});
    const view = JSON.stringify([settings.origin, settings.owners?.current ?? null]);
    if (known.has(view)) continue;
    known.add(view);
    const alias = provider.split(".")[1];
    views.set(alias ?? "default", settings);
  }
  return views;
}

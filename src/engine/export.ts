/** Exports what is live at the services of a stack, or of the environment, or in a snapshot of them, as code. Sends nothing but GET and log-in. */
import { type ExportedCode, exportedCode, type ExportLanguage, type Library } from "../export";
import { exportIncomplete, nothingToExport } from "../problems";
import { openLive } from "./live";
import type { PlanOptions, StackSource } from "./options";
import { NOBODY } from "./run";
import { onePerPart } from "./stages";

/** Options of an export. */
export interface ExportOptions extends PlanOptions {
  /** @default "typescript" */
  readonly language?: ExportLanguage;
  /** The library that TypeScript is written for. @default "cdktf" */
  readonly library?: Library;
  /** Whether the account of this name is to be exported. @default all are */
  readonly isWanted?: (account: string) => boolean;
}

/** What was exported. */
export interface Exported extends ExportedCode {
  /** When the snapshot was taken, ISO 8601; undefined where the services were asked. */
  readonly takenAt: string | undefined;
}

/**
 * The code that declares what is live. Where the stack talks to several services, or as several owners, the files of each stand in a folder that
 * is called like the provider's alias.
 *
 * @param source the stack whose providers are used; undefined: what the environment says alone
 * @throws `TENANCY_EXPORT_INCOMPLETE`, `TENANCY_NOTHING_TO_EXPORT`, and the errors of stacks, services and snapshots
 */
export async function exportLive(
  source: StackSource | undefined,
  options: ExportOptions = {},
): Promise<Exported> {
  const { language = "typescript", library = "cdktf", isWanted = () => true } = options;
  const live = await openLive(source === undefined ? [] : [source], options);
  try {
    const targets = onePerPart(live.targets);
    const exported = targets.map((target) => {
      const { origin, owners, snapshot, incomplete, provider } = target;
      if (incomplete !== undefined) throw exportIncomplete.error({ origin, missing: incomplete });
      const service = { snapshot, owners: owners.current === NOBODY.current ? undefined : owners };
      const folder = targets.length === 1 ? "" : `${provider.split(".")[1] ?? "default"}/`;
      const { files, leftOut } = exportedCode(service, { language, library, isWanted });
      return { files: [...files].map(([name, text]) => [folder + name, text] as const), leftOut };
    });
    const files = new Map(exported.flatMap((one) => one.files));
    const leftOut = exported.flatMap((one) => one.leftOut);
    if (files.size === 0) throw nothingToExport.error(leftOut);
    return { files, leftOut, takenAt: live.takenAt };
  } finally {
    await live.close();
  }
}

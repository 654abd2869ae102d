/** What a plan under Terraform says of a create that will be refused when it is applied. */
import type { CommonRecord } from "../../api";
import {
  AbsenceUnproven,
  AlreadyLive,
  asWarning,
  PrimaryProfile,
  RenamedOutside,
  type Diagnostic,
  type TenancyError,
} from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, Doubt, Sought } from "../family";
import type { RecordKind } from "./kind";
import { text } from "./members";
import { foreignTo, idOf } from "./seek";

const UNLESS_DELETED =
  "Unless the same plan deletes it first, it will not be created when the plan is applied.";

/**
 * What is live already is a warning: the same plan may delete it before. What nothing else in the plan can settle is an error.
 * @param replaced what is deleted to make place for it
 */
export async function foresee<T extends CommonRecord>(
  { inventory, description: { noun } }: RecordKind<T>,
  { directory, owners }: Connection,
  config: ObjectValue,
  replaced?: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const all = await directory.snapshot();
  const renamed = replaced && renamedOutside(inventory.locate(config, all, owners), config);
  if (renamed !== undefined) return renamed.toDiagnostics();
  const snapshot = replaced === undefined ? all : all.without(text(replaced["id"]));
  const sought = inventory.locate(config, snapshot, owners);
  switch (sought.kind) {
    case "refused":
      return sought.error instanceof PrimaryProfile ? sought.error.toDiagnostics() : foreseen(sought.error);
    case "absent": {
      const doubt = inventory.doubt(sought.key, all);
      return doubt?.blocksCreate ? new AbsenceUnproven(absent(noun, config, doubt)).toDiagnostics() : [];
    }
    case "live": {
      const { self } = sought.records;
      const key = text(self["name"]) ?? text(self["login"]) ?? "";
      const id = idOf(self);
      return foreseen(
        sought.claim === "ours" ? new AlreadyLive(noun, key, id) : foreignTo(noun, key, sought, owners),
      );
    }
    case "unknown":
      return [];
  }
}

/**
 * What is to be replaced because it has another name than the declared one, and was made under the declared one. A uuid of the user's says
 * nothing of names.
 */
function renamedOutside(sought: Sought, config: ObjectValue): RenamedOutside | undefined {
  if (sought.kind !== "refused" || text(config["uuid"]) !== undefined) return undefined;
  return sought.error instanceof RenamedOutside ? sought.error : undefined;
}

function foreseen(error: TenancyError): readonly Diagnostic[] {
  return asWarning(error).map((warning) => ({
    ...warning,
    detail: [warning.detail, UNLESS_DELETED].filter((part) => part !== undefined).join(" "),
  }));
}

function absent(noun: string, config: ObjectValue, { reason }: Doubt): string {
  const name = JSON.stringify(text(config["name"]) ?? text(config["username"]) ?? "");
  return `${noun} ${name} is not listed, and that proves nothing: ${reason}`;
}

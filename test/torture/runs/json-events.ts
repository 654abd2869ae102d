/** Reads the output for programs, in the shape of Terraform's machine-readable output: Terraform's own, and that of the command. */
import type { Failure, Outcome, PlannedAction } from "../invariants/invariant";

interface Event {
  readonly type: string;
  readonly "@level": string;
  readonly change?: { readonly resource: { readonly addr: string }; readonly action: string };
  readonly changes?: { readonly operation: string };
  readonly hook?: { readonly resource: { readonly addr: string }; readonly action: string };
  readonly diagnostic?: {
    readonly severity: string;
    readonly summary: string;
    readonly detail: string;
    readonly code?: string;
    readonly address?: string;
  };
}

export interface Told extends Pick<Outcome, "codes" | "failures" | "planned" | "listed"> {
  /** True if anything was begun: an apply that was refused tells of no result. */
  readonly isBegun: boolean;
}

/** @param stdout one object a line; a process that was killed may have left its last line unfinished */
export function toldIn(stdout: string): Told {
  const events = stdout.split("\n").flatMap(eventsIn);
  const errors = events.flatMap(({ diagnostic }) =>
    diagnostic?.severity === "error"
      ? [{ code: diagnostic.code ?? codeIn(diagnostic), address: diagnostic.address }]
      : [],
  );
  // Of an object that is no longer configured, Terraform does not say at which address it failed.
  const unplaced = errors.flatMap(({ code, address }) => (address === undefined ? [code] : []));
  const codesAt = (place: string) => {
    const own = errors.flatMap(({ code, address }) => (address === place ? [code] : []));
    return own.length > 0 ? own : unplaced;
  };
  const first = events.findIndex(({ type }) => type === "apply_start");
  const planned = plannedIn(events);
  return {
    codes: errors.map(({ code }) => code),
    failures: events.flatMap(({ type, hook }) =>
      type === "apply_errored" && hook
        ? [
            {
              address: hook.resource.addr,
              operation: deedOf(hook.action),
              codes: codesAt(hook.resource.addr),
            },
          ]
        : [],
    ),
    planned,
    listed: plannedIn(first < 0 ? events : events.slice(0, first)).map(({ type, action, key }) => {
      return { type, action, key };
    }),
    isBegun: events.some(
      ({ type, changes }) =>
        type === "apply_start" || (type === "change_summary" && changes?.operation !== "plan"),
    ),
  };
}

function plannedIn(events: readonly Event[]): readonly PlannedAction[] {
  return events.flatMap(({ type, change }) =>
    type === "planned_change" && change ? [plannedAction(change.resource.addr, change.action)] : [],
  );
}

/** Terraform's diagnostics have no codes: ours is the last line. An error that is none of ours is told as it is. */
function codeIn({ summary, detail }: { readonly summary: string; readonly detail: string }): string {
  return /^TENANCY_[A-Z_]+$/m.exec(detail)?.[0] ?? summary;
}

export function plannedAction(address: string, action: string, shown: unknown = ""): PlannedAction {
  const [type = ""] = address.split(".");
  return {
    type: type as PlannedAction["type"],
    address,
    action,
    key: keyAt(address),
    shown: JSON.stringify(shown),
  };
}

/** Natural key of what stands at an address, as histories name their blocks. */
function keyAt(address: string): string {
  const quotedKey = /^\w+\.undeclared\[(.+)\]$/s.exec(address)?.[1];
  if (quotedKey !== undefined) return JSON.parse(quotedKey) as string;
  const [account = "", username, token] = (address.split(".")[1] ?? "").split("_");
  if (username === undefined) return account;
  return token === undefined ? `${username}@${account}` : `${username}@${account}/${token}`;
}

function deedOf(action: string): Failure["operation"] {
  return action === "create" || action === "delete" ? action : "update";
}

function eventsIn(line: string): readonly Event[] {
  try {
    return [JSON.parse(line) as Event];
  } catch {
    return [];
  }
}

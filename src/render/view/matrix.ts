/** Lays out access as a matrix of people and rights, for pages, which have the room: changed and unchanged access. */
import {
  type AccessChange,
  type AccessEffect,
  type AccessEntry,
  type Change,
  hasRights,
  isEnd,
  inOrderOfRights,
  accessMarksOf,
  presetText,
  type UnmanagedUser,
  type Plan,
  rightsAfter,
  rightsBefore,
} from "../../plan";
import { counted } from "../../lib/values";
import { entryText, isDated, isOfRight, markText, rightOf } from "./access";
import {
  type CellState,
  type Fact,
  fact,
  groupAlways,
  joinTexts,
  type Matrix,
  type MatrixRow,
  name,
  type Row,
  row,
  type Section,
  section,
  type Text,
  word,
} from "./document";

/** Rights of one person before and after. */
export interface RightsOf extends Omit<MatrixRow, "who" | "cells"> {
  /** Login. */
  readonly who: string;
  /** By right. */
  readonly cells: ReadonlyMap<string, CellState>;
}

/**
 * @param people in the order in which they are shown
 * @param all whether each has a row, also where the same is said of several
 */
export function matrixOf(people: readonly RightsOf[], all = false): Matrix {
  const rights = inOrderOfRights(people.flatMap(({ cells }) => [...cells.keys()]));
  return {
    columns: rights.map((right) => ({
      name: name(right),
      group: right.slice(0, Math.max(0, right.indexOf("."))),
      marks: accessMarksOf(right),
    })),
    rows: groupAlways(people, matrixLikeness, all).map((group) => {
      const [{ cells, ...facts }] = group;
      return {
        ...facts,
        who: group.map(({ who }): Text => [name(who)]),
        cells: rights.map((right) => cells.get(right)),
      };
    }),
  };
}

/** Rows of one group have this key in common; undefined for people who are deleted or replaced, who have rows of their own. */
function matrixLikeness({ action, about, facts, cells }: RightsOf): string | undefined {
  if (action === "delete" || action === "replace") return undefined;
  return JSON.stringify([action, about, facts, [...cells].sort()]);
}

// Changed access.

/** @param access the plan's changes of access, in the shown order */
export function accessMatrix({ changes }: Plan, access: readonly AccessChange[], all: boolean): Matrix {
  const changeAt = new Map(changes.map((change) => [change.address, change]));
  const people = access.map(({ who, action, rights, entries, address }): RightsOf => ({
    who,
    action,
    about: rights === null ? [] : [name(rights)],
    facts: matrixFacts(entries),
    cells: cellsOf(entries, changeAt.get(address)),
  }));
  return matrixOf(people, all);
}

const STATES: Readonly<Partial<Record<AccessEffect, CellState>>> = {
  grants: "gains",
  removes: "loses",
  stays: "holds",
  unknown: "unknown",
};

function cellsOf(
  entries: readonly AccessEntry[],
  change: Change | undefined,
): ReadonlyMap<string, CellState> {
  const cells = new Map<string, CellState>();
  if (change !== undefined && hasRights(change)) {
    const after = rightsAfter(change).grantedRights;
    for (const right of rightsBefore(change).grantedRights) if (after.has(right)) cells.set(right, "holds");
  }
  for (const entry of entries.filter(isOfRight)) {
    const state = entry.byDefault ? "default" : STATES[entry.effect];
    if (state !== undefined && !isEnd(entry)) cells.set(rightOf(entry), state);
  }
  return cells;
}

function matrixFacts(entries: readonly AccessEntry[]): readonly Fact[] {
  const open = entries.filter(({ effect }) => effect === "stays").length;
  // The cells show rights, and not their ends.
  const others = entries.filter(
    (one) => !isEnd(one) && (!isOfRight(one) || one.ended !== undefined || isDated(one)),
  );
  const texts = (effect: AccessEffect) => others.filter((one) => one.effect === effect).map(entryText);
  return [
    fact("gains", texts("grants")),
    fact("changes", texts("changes")),
    fact("loses", texts("removes")),
    fact("unknown", texts("unknown")),
    fact("holds", [
      ...entries.filter(isEnd).map(entryText),
      ...(open === 0 ? [] : [[word(counted(open, "undeclared right"))]]),
    ]),
  ].filter(({ items }) => items.length > 0);
}

// Unchanged access.

/** Users with unchanged access, whom the section Access omits, and undeclared users. */
export function unchangedAccess(plan: Plan, all: boolean): Section | undefined {
  const addresses = new Set(plan.access.map(({ address }) => address));
  const declaredRows = plan.changes
    .filter((change) => change.action !== "delete" && !addresses.has(change.address) && hasRights(change))
    .map((change) => holding(change.title, [...rightsAfter(change).grantedRights]));
  const people = [...declaredRows, ...plan.unmanagedUsers.flatMap(undeclaredRow)];
  return section(
    {
      id: "access-unchanged",
      title: "Access that stays as it is",
      form: "rows",
      matrix: matrixOf(people, all),
    },
    people.map(heldRow),
  );
}

function holding(who: string, rights: readonly string[], remarks: readonly Text[] = []): RightsOf {
  const preset = rights.length === 0 ? null : presetText(rights);
  return {
    who,
    about: joinTexts([...(preset === null ? [] : [[name(preset)]]), ...remarks], "; "),
    facts: [],
    cells: new Map(rights.map((right) => [right, "holds"])),
  };
}

function undeclaredRow({ key, rights, active }: UnmanagedUser): readonly RightsOf[] {
  if (rights === undefined) return [];
  const remarks: readonly Text[] = [
    ...(active ? [] : [[word("suspended")]]),
    [word("unmanaged, no stack declares this user")],
  ];
  return [holding(key, rights, remarks)];
}

/** The same in words. */
function heldRow({ who, about, cells }: RightsOf): Row {
  const rights = [...cells.keys()];
  const holds = [word(counted(rights.length, "right")), ...markText(rights.flatMap(accessMarksOf))];
  return row({
    name: [name(who)],
    about: joinTexts([holds, ...(about.length === 0 ? [] : [about])], "; "),
    weight: "aside",
  });
}

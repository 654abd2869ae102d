/** The common members of a record as answers show them (spec 2.1). */
import type { Identity } from "../records/identity";

/** ISO 8601 with an offset: "2030-01-31T12:00:00.000+00:00". */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "+00:00");
}

/** "4155554567" → "******4567": enough to recognise a number, too little to call it. */
export function maskNumber(number: string): string {
  const shown = number.length > 4 ? number.slice(-4) : "";
  return shown.padStart(number.length, "*");
}

const HOUR_MS = 3_600_000;

/** The counts of events by level, in the last hour and the last day. This service has no events. */
const NO_EVENTS = {
  hdrs: [HOUR_MS, 24 * HOUR_MS],
  rows: ["dbg", "info", "warn", "err"].map((v) => ({ v, d: [0, 0] })),
};

/** The identity provider of everything that is made here. */
export const INTERNAL = { id: "idp:1:1", label: "internal", type: "internal" };

/** Whether the event counters are there yet: just after a create they are still being fetched. */
export type Events = "retrieving" | "current";

export function commonMembers(record: Identity, events: Events) {
  const { id, uuid, serial, ctime, mtime, seq } = record;
  return {
    id,
    uuid,
    serial,
    evt_qry: `serial=${serial}`,
    ctime,
    mtime,
    seq,
    status: null,
    rec_status: null,
    label: null,
    ec: {
      status: events,
      table: events === "retrieving" ? null : { time: mtime, ...NO_EVENTS },
      seq: events === "retrieving" ? 0 : seq,
    },
  };
}

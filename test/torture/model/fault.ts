/** Faults: each happens to one request of a run. */
import type { Rival } from "./rival";

export type Strike =
  | {
      readonly kind: "status";
      readonly status: 500 | 502 | 503 | 504;
      readonly retryAfter?: number;
      readonly html: boolean;
    }
  /** The connection is reset, before or after the service has done its work. */
  | { readonly kind: "reset"; readonly committed: boolean }
  /** Half of the answer, and then nothing. */
  | { readonly kind: "truncated" }
  | { readonly kind: "hang"; readonly committed: boolean }
  /** A list without some of its elements. An answer that is not a list stays as it is. */
  | { readonly kind: "short list"; readonly dropped: number }
  /** A list as it was when the run before began. */
  | { readonly kind: "lagging list" }
  /** An error that repeats what was sent, secrets included. */
  | { readonly kind: "echo" }
  /** Another origin is named as the place to ask. */
  | { readonly kind: "redirect" }
  /** Somebody else writes, right before the service does its work or right after. */
  | { readonly kind: "rival"; readonly rival: Rival; readonly after: boolean }
  /** The run is killed, before the service has done its work or before the answer arrives. */
  | { readonly kind: "kill"; readonly committed: boolean };

export interface Fault {
  /** Which of the run's requests, from 0. */
  readonly at: number;
  /** Number of requests in a row. */
  readonly times: number;
  readonly strike: Strike;
}

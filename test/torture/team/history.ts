/** Histories of a team: two people and a pipeline, each with a clone of one repository whose branch keeps the state. */
import fc from "fast-check";

export const MEMBERS = ["jane", "joe", "pipeline"] as const;
export type Member = (typeof MEMBERS)[number];

export const USERS = ["csi", "backup"] as const;
export const TOKENS = ["prod", "spare"] as const;

/** The declared tokens, as `user/name`, each with the value of its keepers. */
export type DeclaredTokens = Readonly<Record<string, number>>;

/** The end of a run by SIGKILL: at a request to the service, or at a push. */
export interface Kill {
  readonly at: number;
  readonly by: "request" | "push";
  /** True if the service or the remote has done what it was asked by then. */
  readonly committed: boolean;
}

export interface Act {
  readonly who: Member;
  readonly verb: "plan" | "apply";
  readonly kill: Kill | undefined;
  /** Of the state's lock, as the flag has it. */
  readonly lockTimeout: "0s" | "3s";
}

/** What befalls pushes to the remote, whoever makes them. */
export interface PushFault {
  /** Counted from 1, over all acts of the step. */
  readonly at: number;
  readonly times: 1 | 2 | 100;
  /** `lost`: the remote takes it, and its answer does not arrive. */
  readonly kind: "refused" | "lost" | "delayed";
}

export interface TeamStep {
  readonly declared: DeclaredTokens;
  /** At the same time. */
  readonly acts: readonly Act[];
  readonly pushFaults: readonly PushFault[];
  /** Somebody ends the first run by hand while it waits for the answer to this request. */
  readonly unlockedAt: number | undefined;
  /** True if a run that died is ended by hand only after another one was refused because of it. */
  readonly isUnlockLate: boolean;
}

export interface TeamHistory {
  readonly steps: readonly TeamStep[];
}

const MOST_STEPS = 3;
const LAST_REQUEST = 24;
const LAST_PUSH = 9;

/** Undefined but for one time in so many. */
const seldom = <Value>(one: fc.Arbitrary<Value>, oneIn: number): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });

const kill: fc.Arbitrary<Kill> = fc.oneof(
  fc.record({
    at: fc.integer({ min: 0, max: LAST_REQUEST }),
    by: fc.constant("request" as const),
    committed: fc.boolean(),
  }),
  fc.record({
    at: fc.integer({ min: 1, max: LAST_PUSH }),
    by: fc.constant("push" as const),
    committed: fc.boolean(),
  }),
);

const act: fc.Arbitrary<Act> = fc.record({
  who: fc.constantFrom(...MEMBERS),
  verb: fc.constantFrom("apply", "apply", "apply", "plan"),
  kill: seldom(kill, 3),
  lockTimeout: fc.constantFrom("0s", "0s", "3s"),
});

const pushFault: fc.Arbitrary<PushFault> = fc.record({
  at: fc.integer({ min: 1, max: LAST_PUSH }),
  times: fc.constantFrom(1, 2, 100),
  kind: fc.constantFrom("refused", "lost", "delayed"),
});

const keepers = fc.constantFrom(undefined, 1, 1, 2);

const declared: fc.Arbitrary<DeclaredTokens> = fc.tuple(keepers, keepers, keepers, keepers).map((values) =>
  Object.fromEntries(
    USERS.flatMap((user) => TOKENS.map((name) => `${user}/${name}`)).flatMap((key, index) => {
      const value = values[index];
      return value === undefined ? [] : [[key, value] as const];
    }),
  ),
);

const step: fc.Arbitrary<TeamStep> = fc.record({
  declared,
  acts: fc.uniqueArray(act, { minLength: 1, maxLength: 2, selector: ({ who }) => who }),
  pushFaults: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(pushFault, { minLength: 1, maxLength: 2 }) },
  ),
  unlockedAt: seldom(fc.integer({ min: 0, max: LAST_REQUEST }), 10),
  isUnlockLate: fc.boolean(),
});

export const teamHistories: fc.Arbitrary<TeamHistory> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: MOST_STEPS }),
});

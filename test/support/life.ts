/** A declared object through its life, as an engine would lead it: plan, apply, refresh. */
import type { Finding } from "../../src/problems";
import type { Connection } from "../../src/service";
import type { DeleteRequest } from "../../src/resources/family";
import type { Outcome, Resource, UpdateRequest } from "../../src/resources";
import type { ObjectValue } from "../../src/lib/values";

/** Creates what is planned from nothing. */
export async function created(
  resource: Resource,
  connection: Connection,
  config: ObjectValue,
): Promise<Outcome> {
  const { planned } = resource.propose(config, null, { asOf: undefined });
  return resource.create(connection, { planned, config });
}

/** Updates the object as planned; fails if the plan is no change or a replacement. */
export async function updated(
  resource: Resource,
  connection: Connection,
  prior: ObjectValue,
  config: ObjectValue,
  options: Partial<UpdateRequest> = {},
): Promise<Outcome> {
  const { planned, action } = resource.propose(config, prior, { asOf: options.asOf });
  expect(action).toBe("update");
  return resource.update(connection, {
    prior,
    planned,
    config,
    asOf: undefined,
    recordVersions: false,
    ...options,
  });
}

/** The state after a refresh; undefined where the object is gone. */
export async function refreshed(
  resource: Resource,
  connection: Connection,
  prior: ObjectValue,
): Promise<ObjectValue | undefined> {
  return (await resource.read(connection, prior))?.state;
}

export async function deleted(
  resource: Resource,
  connection: Connection,
  prior: ObjectValue,
  options: Omit<DeleteRequest, "prior"> = {},
): Promise<readonly Finding[]> {
  return resource.delete(connection, { prior, ...options });
}

/** What a promise is rejected with, as findings. */
export async function refusal(promise: Promise<unknown>): Promise<readonly Finding[]> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => {
      if (error instanceof Error && "toDiagnostics" in error)
        return (error as Error & { toDiagnostics(): readonly Finding[] }).toDiagnostics();
      throw error;
    },
  );
}

/** A member that is text. */
export function textIn(state: ObjectValue, name: string): string {
  const value = state[name];
  if (typeof value !== "string") throw new Error(`${name} is no text`);
  return value;
}

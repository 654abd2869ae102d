/** Finds temporary access that no run of the app ends any more, because its stack or its provider configuration has left. */
import { heldEnds } from "../plan";
import { type Finding, endNotRemoved } from "../problems";
import { pastEnds } from "../resources";
import { partsOfObjectKey } from "./families";
import type { Loaded } from "./load/stack";
import type { Run } from "./run";

/**
 * For a provider configuration that has left, a plan warns before the last day. A run that removes ended access fails after it, and warns of stacks that
 * the app does not make: another run of the app may make them.
 */
export async function unwatchedEnds(
  { source, stack, options }: Loaded,
  run: Run,
  asOf: Date,
): Promise<readonly Finding[]> {
  const { onlyEnded = false } = options;
  const staying = new Set(stack.blocks.flatMap((one) => (one.kind === "provider" ? one.name : [])));
  const madeStacks = new Set(source.stacks.map(({ name }) => name));
  const findings: Finding[] = [];
  for (const { name, objects } of await run.otherParts()) {
    const isOwn = name.stack === source.name;
    if (isOwn ? staying.has(name.provider) : madeStacks.has(name.stack) || !onlyEnded) continue;
    const granter = isOwn
      ? `the provider configuration ${JSON.stringify(name.provider)} of ${name.origin}, which the stack has no more`
      : `the stack ${JSON.stringify(name.stack)}, which the app does not make`;
    for (const { days, ...object } of objects.endingObjects()) {
      const ends = heldEnds(days, objects.privilegesOf(object));
      const names = onlyEnded ? ends.filter((end) => pastEnds(days, asOf).includes(end)) : ends;
      if (names.length === 0) continue;
      const { key: who } = partsOfObjectKey(object.key);
      const why = `no run ends what was granted by ${granter}`;
      const finding = endNotRemoved.at(
        { who, names, why },
        isOwn
          ? {
              address: `provider.${name.provider}`,
              advice:
                "Declare it again: an apply then deletes what nobody declares through it, or releases it.",
            }
          : { advice: "Make the stack again, and destroy it, or release its users." },
      );
      findings.push(isOwn && onlyEnded ? finding : { ...finding, severity: "warning" });
    }
  }
  return findings;
}

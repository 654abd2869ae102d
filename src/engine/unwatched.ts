/** Finds temporary access that no run ends any more, because the provider configuration that granted it has left the stack. */
import { heldEnds } from "../plan";
import { type Finding, endNotRemoved } from "../problems";
import { pastEnds } from "../resources";
import { partsOfObjectKey } from "./families";
import type { Loaded } from "./load/stack";
import { providersOf } from "./moves";
import type { Run } from "./run";

/** Each plan warns of it. A run that removes ended access fails because of it after its last day. */
export async function unwatchedEnds(loaded: Loaded, run: Run, asOf: Date): Promise<readonly Finding[]> {
  const { onlyEnded = false } = loaded.options;
  const staying = providersOf(loaded);
  const leftParts = (await run.otherParts()).filter(({ name }) => !staying.has(name.provider));
  return leftParts.flatMap(({ name: { provider, origin }, objects }) =>
    objects.endingObjects().flatMap(({ days, ...object }): readonly Finding[] => {
      const ends = heldEnds(days, objects.privilegesOf(object));
      const names = onlyEnded ? ends.filter((end) => pastEnds(days, asOf).includes(end)) : ends;
      if (names.length === 0) return [];
      const why = `the stack has no provider configuration ${JSON.stringify(provider)} for ${origin} any more`;
      const finding = endNotRemoved.at(
        { who: partsOfObjectKey(object.key).key, names, why },
        {
          address: `provider.${provider}`,
          advice: "Declare it again: an apply then deletes its objects, or releases them.",
        },
      );
      return [onlyEnded ? finding : { ...finding, severity: "warning" }];
    }),
  );
}

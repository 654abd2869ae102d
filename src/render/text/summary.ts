/** The line that ends a plan. */
import { hasChanges, type Plan } from "../../plan";

/** `1 to create, 2 to delete, 1 retained.`, or that nothing changes. */
export function summaryText(plan: Plan): string {
  const { summary } = plan;
  const annotations = phrases([
    [summary.retained, "retained"],
    [summary.adopted, "adopted"],
  ]);
  if (!hasChanges(plan)) return [`No changes. ${nothingToDo(plan)}`, ...sentence(annotations)].join(" ");
  return sentence([
    ...phrases([
      [summary.create, "to create"],
      [summary.update, "to update"],
      [summary.replace, "to replace"],
      [summary.delete, "to delete"],
    ]),
    ...annotations,
  ]).join("");
}

function nothingToDo({ destroy, partial, summary }: Plan): string {
  if (destroy) return "There is nothing of ours to destroy.";
  if (partial) return summary.none === 0 ? "Nothing is selected." : "What is selected matches what is live.";
  return summary.none === 0 ? "Nothing is declared." : "What is declared matches what is live.";
}

function sentence(parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`${parts.join(", ")}.`];
}

export function phrases(counts: readonly (readonly [count: number, phrase: string])[]): readonly string[] {
  return counts.filter(([count]) => count > 0).map(([count, phrase]) => `${count} ${phrase}`);
}

import { UndeclaredReference, Unsupported } from "../../errors";
import type { BlockReader } from "./block-reader";

/** How CDKTF names the data sources of cross-stack references. */
const PREFIX = "cross-stack-reference-input-";

/** The name of the stack that a `terraform_remote_state` reads, whatever backend it has. */
export function stackOfRemoteState(reader: BlockReader, name: string): string {
  if (!name.startsWith(PREFIX)) {
    reader.report(
      new Unsupported("data.terraform_remote_state other than CDKTF's cross-stack references", {
        advice: "Refer to the other stack's construct in TypeScript, or use a variable.",
      }),
    );
    return name;
  }
  const id = name.slice(PREFIX.length);
  const { siblings } = reader.reading.options;
  if (siblings === undefined) return id;
  const found = siblings.find((stack) => idOf(stack.constructPath) === id);
  if (found !== undefined) return found.name;
  reader.report(
    new UndeclaredReference(
      `stack ${id}`,
      siblings.map((stack) => `stack ${stack.name}`),
    ),
  );
  return id;
}

/** A construct's path as it stands in Terraform's names. */
function idOf(constructPath: string): string {
  return constructPath.replace(/\//g, "--").replace(/[^A-Za-z0-9_-]/g, "");
}

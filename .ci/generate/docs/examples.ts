/** The examples of a page: files of the folder that the ecosystem's tools look for them in. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../../../examples");

/** Undefined where there is none yet. */
export function usage(folder: string, file: string): string | undefined {
  const example = fenced(folder, file);
  return example === undefined ? undefined : `## Example Usage\n\n${example}`;
}

/** How it is imported; undefined where it is not. */
export function imports(folder: string): string | undefined {
  const block = fenced(folder, "import-by-string-id.tf");
  const command = fenced(folder, "import.sh");
  if (block === undefined || command === undefined) return undefined;
  const identity = fenced(folder, "import-by-identity.tf");
  const byIdentity =
    identity === undefined ? "" : `From Terraform 1.12 on also by its identity:\n\n${identity}\n\n`;
  return `## Import\n\nWith an \`import\` block:\n\n${block}\n\n${byIdentity}Or with the command:\n\n${command}`;
}

function fenced(folder: string, file: string): string | undefined {
  const path = join(root, folder, file);
  if (!existsSync(path)) return undefined;
  const language = /\.(tf|hcl)$/.test(file) ? "terraform" : "shell";
  return `\`\`\`${language}\n${readFileSync(path, "utf8").trim()}\n\`\`\``;
}

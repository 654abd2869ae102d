/** A tenant with tokens, what the store keeps of them, and whether the service still accepts one. */
import { readFile, writeFile } from "node:fs/promises";
import { Authorization, Permissions, Tenant } from "tenancy";
import type { TemporaryPassword, FailedRevocation, Intent, TokenEntry } from "../../../src/credentials";
import type { Build, Project } from "../../support/projects";

/** @param tokens names of tokens, by the user that they are for */
export function acme(tokens: Readonly<Record<string, readonly string[]>> = { csi: ["prod"] }): Build {
  return (stack) => {
    const users = Object.fromEntries(
      Object.keys(tokens).map((user) => [user, { permissions: Permissions.none() }]),
    );
    const tenant = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
    for (const [user, names] of Object.entries(tokens))
      for (const name of names)
        new Authorization(stack, `${user}_${name}`, {
          login: tenant.user(user).login,
          name,
          loginWith: "temporary_password",
        });
  };
}

export interface Kept {
  readonly tokens: readonly TokenEntry[];
  readonly intents: readonly Intent[];
  readonly failed_revocations: readonly FailedRevocation[];
  readonly temporary_passwords?: readonly TemporaryPassword[];
}

interface StoreFile {
  parts: [{ -readonly [Member in keyof Kept]: Kept[Member] }];
}

export async function kept(project: Project): Promise<Kept> {
  return (JSON.parse(await readFile(project.store, "utf8")) as StoreFile).parts[0];
}

/** Writes into the store what an interrupted run would have left. */
export async function leave(project: Project, left: Partial<Kept>): Promise<void> {
  const store = JSON.parse(await readFile(project.store, "utf8")) as StoreFile;
  Object.assign(store.parts[0], left);
  await writeFile(project.store, JSON.stringify(store));
}

/** Whether the service accepts a token. */
export async function isGood(
  { service }: Project,
  { access_token: token }: { readonly access_token: string },
): Promise<boolean> {
  const response = await fetch(`${service.baseUrl}/api/status/authorization`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status === 200;
}

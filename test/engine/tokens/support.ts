/** A tenant with tokens, what the state keeps of them, and whether the service still accepts one. */
import { readFile, writeFile } from "node:fs/promises";
import { Authorization, Permissions, Tenant, type TokenProps, type UserProps } from "tenancy";
import type { TemporaryPassword, FailedRevocation, Intent, TokenEntry } from "../../../src/state";
import { TenancyError } from "../../../src/problems";
import type { Applied, Build, Project } from "../../support/projects";

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

/** A tenant with the users csi and jane, and a token of csi's; null leaves the user or the token out. */
export const csi =
  (token: object | null = {}, user: object | null = {}): Build =>
  (stack) => {
    const none = Permissions.none();
    const users: Record<string, UserProps> = {
      ...(user !== null && { csi: { permissions: none, ...user } }),
      jane: { permissions: none },
    };
    const tokens: Record<string, TokenProps> = token === null ? {} : { prod: { user: "csi", ...token } };
    new Tenant(stack, "acme", { name: "acme", permissions: none, users, tokens });
  };

/** How many tokens an apply has asked the service to create. */
export function creations({ requests }: Applied): number {
  return requests.filter(({ method, path }) => method === "POST" && path === "/api/authorization").length;
}

export async function failureOf(promise: Promise<unknown>): Promise<TenancyError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof TenancyError) return error;
  throw new Error("nothing stopped it", { cause: error });
}

export interface Kept {
  readonly tokens: readonly TokenEntry[];
  readonly intents: readonly Intent[];
  readonly failed_revocations: readonly FailedRevocation[];
  readonly temporary_passwords?: readonly TemporaryPassword[];
}

interface StateFile {
  parts: [{ -readonly [Member in keyof Kept]: Kept[Member] }];
}

export async function kept(project: Project): Promise<Kept> {
  return (JSON.parse(await readFile(project.state, "utf8")) as StateFile).parts[0];
}

/** Writes into the state what an interrupted run would have left. */
export async function leave(project: Project, left: Partial<Kept>): Promise<void> {
  const state = JSON.parse(await readFile(project.state, "utf8")) as StateFile;
  Object.assign(state.parts[0], left);
  await writeFile(project.state, JSON.stringify(state));
}

/** Notes tokens of the state's only entry as refused, whatever the service says. */
export async function noteRefused(
  project: Project,
  tokens: readonly { readonly serial: string }[],
): Promise<void> {
  const state = JSON.parse(await readFile(project.state, "utf8")) as StateFile;
  const refused = tokens.map(({ serial }) => ({ serial, refused_at: "2026-01-02T03:04:05.678Z" }));
  Object.assign(state.parts[0].tokens[0]!, { refused });
  await writeFile(project.state, JSON.stringify(state));
}

/** Whether the service accepts a token. */
export async function isGood(
  { service }: Project,
  { access_token: token }: { readonly access_token: string | null },
): Promise<boolean> {
  const response = await fetch(`${service.baseUrl}/api/status/authorization`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status === 200;
}

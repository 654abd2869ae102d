/** Minting as an administrator who acts as the user; never before the service has shown that it does (design: Tokens). */
import type { CallerRecord, ProfileRecord } from "../../../api";
import { SwitchUserIgnored, SwitchUserUnset } from "../../../errors";
import { isObject, type Value } from "../../../values";
import type { Connection } from "../../family";
import { accountOf } from "../../user-profile/login";
import type { MintWith } from "./minting";

export const mintWithSwitchUser: MintWith = async ({ connection, login }) => {
  if (!connection.canSwitchUser) throw new SwitchUserUnset();
  const identity = { kind: "switch_user", login } as const;
  const verdict = await connection.client.callerAs(identity);
  if (verdict.status !== 200)
    throw new SwitchUserIgnored(login, `the request was refused (${verdict.status})`);
  await requireSwitched(connection, login, verdict.caller);
  return { record: await connection.client.authorizations.mint(identity) };
};

/** The answer must be about the user, not about the administrator; an answer that tells neither is no proof. */
async function requireSwitched(connection: Connection, login: string, seen: CallerRecord): Promise<void> {
  const { client } = connection;
  const profile = await client.profiles.withLogin(login);
  const about = profile === undefined ? undefined : isAbout(seen, profile);
  if (about === true) return;
  if (about === false) throw new SwitchUserIgnored(login, "its answer is about somebody else");
  const own = await client.caller();
  const account = nameOf(seen);
  const isElsewhere = account !== undefined && account !== nameOf(own);
  if (isElsewhere && account === accountOf(login)) return;
  throw new SwitchUserIgnored(login, "its answer does not say who the caller is");
}

/** Whether an answer names this profile; undefined where it names none. */
function isAbout(caller: CallerRecord, profile: ProfileRecord): boolean | undefined {
  const user: Value = (caller as { readonly user?: Value }).user ?? null;
  const named = [caller.serial, ...(isObject(user) ? [user["id"], user["serial"]] : [])].filter(
    (reference) => typeof reference === "string",
  );
  if (named.length === 0) return undefined;
  return named.some((reference) => reference === profile.id || reference === profile.serial);
}

function nameOf({ account }: CallerRecord): string | undefined {
  const name = isObject(account) ? account["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

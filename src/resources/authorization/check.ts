/** Rules between the attributes of a token, and what a plan can say of its minting. */
import {
  asWarning,
  MintingImpossible,
  SwitchUserUnset,
  VersionWithoutValue,
  type Diagnostic,
} from "../../errors";
import { isUnknown, type ObjectValue } from "../../values";
import type { Connection } from "../family";
import { text } from "../record/members";

export function checkToken(config: ObjectValue): readonly Diagnostic[] {
  const mintWith = config["mint_with"] ?? "password";
  const isGiven = (name: string): boolean => (config[name] ?? null) !== null;
  if (isUnknown(mintWith)) return [];
  if (mintWith !== "password" && !isGiven("login"))
    return new MintingImpossible(undefined, `"${text(mintWith)}" needs a login`, {
      attribute: ["login"],
      advice: "Set `login`.",
    }).toDiagnostics();
  if (isGiven("password_wo_version") && !isGiven("password_wo"))
    return asWarning(new VersionWithoutValue("password_wo", { attribute: ["password_wo_version"] }));
  return [];
}

/** What will keep a token from being minted. A secret that is only known at apply is given the benefit of the doubt. */
export async function foreseeMinting(
  { username, canSwitchUser }: Connection,
  config: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const mintWith = config["mint_with"] ?? "password";
  const login = config["login"] ?? null;
  if (mintWith === "switch_user" && !canSwitchUser) return new SwitchUserUnset().toDiagnostics();
  if (mintWith !== "password" || (config["password_wo"] ?? null) !== null || isUnknown(login)) return [];
  const whose = text(login) ?? username;
  if (whose !== undefined && whose === username) return [];
  return new MintingImpossible(whose, "its password is not given", {
    attribute: [login === null ? "login" : "password_wo"],
    advice: "Set `login` and `password_wo`, or choose another `mint_with`.",
  }).toDiagnostics();
}

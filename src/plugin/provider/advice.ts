/** What to do under Terraform, where an error's own advice is for users of the command: its flags, its verbs, its one-time codes. */
import {
  AccountDeletionRefused,
  AccountNotEmpty,
  AlreadyLive,
  Forbidden,
  Foreign,
  OtpRefused,
  OtpRequired,
  PasswordRefused,
  SelfChange,
  TokensEnded,
} from "../../errors";

const NOT_BEFORE = "It cannot be replaced with `create_before_destroy`: both would have its name.";

/** By the code of the error. */
export const advice: ReadonlyMap<string, string> = new Map([
  [AccountDeletionRefused.code, "If that is intended, apply `deletion_protection = false` first."],
  [
    AccountNotEmpty.code,
    "Empty it first, or apply `allow_nonempty_delete = true`, to have it deleted with everything in it.",
  ],
  [
    AlreadyLive.code,
    "If its declaration moved, add a `moved` block; if it is missing from the state, take it in by its id, with an `import` block. " +
      NOT_BEFORE,
  ],
  [Forbidden.code, "Run with a user whose permissions cover this."],
  [OtpRefused.code, "Check totp_secret, and this machine's clock."],
  [
    OtpRequired.code,
    "Set totp_secret (TENANCY_TOTP_SECRET), or work with a persistent token (TENANCY_TOKEN).",
  ],
  [PasswordRefused.code, "Raise password_wo_version, so that it is sent again."],
  [
    TokensEnded.code,
    'Choose mint_with = "switch_user", or give the user a password and choose "password". The next plan has the tokens that have ended minted ' +
      "anew.",
  ],
  // There is no way to allow it.
  [SelfChange.code, "Run it with another credential."],
]);

/** What is said besides an error's own advice, by the code of the error. */
export const addition: ReadonlyMap<string, string> = new Map([[Foreign.code, NOT_BEFORE]]);

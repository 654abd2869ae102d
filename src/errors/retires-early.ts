import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A rotation would revoke a token that an earlier one has replaced, before its time is over. */
export class RetiresEarly extends TenancyError {
  static readonly code = "TENANCY_RETIRES_EARLY";
  static readonly explanation = `
A rotation mints a new token and keeps the old one good for \`retain_previous_for\` ("7d"), so that its consumers have time to take the new
one. No more than \`retain_previous\` (1) of them are kept. So a second rotation within that time would revoke a token that somebody may still
work with, trusting in the time that was told. It is refused. Wait until the time is over; or raise \`retain_previous\`, so that more of them
stay good; or pass \`--retire-early\`. A shorter \`retain_previous_for\` in the declaration ends them, too; it is the way under Terraform, which
has no such flag.`;

  /** @param ends what would be revoked: serial numbers, and until when each was to stay good */
  constructor(
    key: string,
    ends: readonly { readonly serial: string; readonly until: Date | undefined }[],
    details: ErrorDetails = {},
  ) {
    const told = ends.map(({ serial, until }) =>
      until === undefined ? serial : `${serial}, which was to stay good until ${until.toISOString()}`,
    );
    super(`rotating ${JSON.stringify(key)} would revoke ${told.join("; ")}`, {
      attribute: ["retain_previous"],
      advice: "Wait until then; or raise `retain_previous`, so that it stays good; or pass --retire-early.",
      ...details,
    });
  }
}

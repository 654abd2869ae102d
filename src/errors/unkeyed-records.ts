import { TenancyError } from "./tenancy-error";

/** Most records that the warning names. */
const MOST = 10;

/** A warning: records whose uuids anybody could have chosen count as ours. */
export class UnkeyedRecords extends TenancyError {
  static readonly code = "TENANCY_UNKEYED_RECORDS";
  static readonly explanation = `
\`TENANCY_PREVIOUS_OWNER_KEY=none\` makes records ours whose uuids follow from the owner's name alone, as they were made before there was an
owner key. Somebody who may choose uuids can make such a record too: it would be taken for ours, changed and deleted as ours. So this is for
the time of the move: go through the records that the warning names, write the \`uuid\` of those that stay into their declarations, make the
others anew, and unset the variable.`;

  /** @param records text of their keys, as far as they are known; undefined where nobody has looked */
  constructor(records: readonly string[] | undefined) {
    const count = records?.length ?? 0;
    const more = count > MOST ? `, and ${count - MOST} more` : "";
    super("records without an owner key count as ours in this run, and anybody may have made their uuids", {
      ...(records !== undefined && {
        detail:
          count === 0
            ? "There are none any more."
            : `${count === 1 ? "It is" : "They are"} ${records.slice(0, MOST).join(", ")}${more}.`,
      }),
      advice:
        count === 0 && records !== undefined
          ? "Unset TENANCY_PREVIOUS_OWNER_KEY."
          : "When the move to the owner key is done, unset TENANCY_PREVIOUS_OWNER_KEY.",
    });
  }
}

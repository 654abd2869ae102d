/** Changing a user profile in place, by a PATCH of just the changed members (design: What is managed). */
import type { ObjectValue } from "../../values";
import type { Connection, Outcome, UpdateRequest } from "../family";
import { askedByChanges, type Asked } from "../record/compare";
import { filled, settled } from "../record/fill";
import { isWhole, text } from "../record/members";
import { outcomeOfUpdate } from "../record/outcome";
import { atAttributes } from "../record/refusals";
import { idIn, readKnown, requireUnchanged } from "../record/unchanged";
import { bodyOf, dispatchOf, isEmpty } from "../record/update";
import { withHexSecret } from "./create";
import { userProfile } from "./description";
import { profileState } from "./inventory";
import { kind } from "./kind";
import { proposeProfile, unsetsPassword } from "./propose";

export async function updateProfile(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { attributes } = userProfile;
  const { prior, config } = request;
  const { client, directory } = connection;
  const planned = filled(attributes, request.planned, proposeProfile(config, prior).planned);
  const dispatch = dispatchOf(attributes, planned, request);
  const takesPassword = takesPasswordAway(config, prior);
  const body = withHexSecret({
    ...bodyOf(attributes, dispatch, config, "self"),
    ...(takesPassword && { password: null }),
  });
  if (isEmpty(body)) return { state: settled(attributes, planned, prior), diagnostics: [] };
  const id = idIn(prior);
  const login = text(prior["login"]) ?? id;
  const look = () => readKnown(kind, connection, prior);
  if (request.expected !== "judged") requireUnchanged(kind, await look(), prior, request.expected);
  try {
    const answer = await atAttributes(attributes, () => client.profiles.update(id, body));
    const { record } = answer;
    const first = record && isWhole(record, kind.members) ? { self: record } : undefined;
    const written = {
      noun: userProfile.noun,
      text: login,
      attributes,
      planned,
      first,
      look: async () => ({ self: await look() }),
      stateOf: profileState,
    };
    const asked = [...askedByChanges(dispatch.changes), ...(takesPassword ? [NO_PASSWORD] : [])];
    return await outcomeOfUpdate(written, prior, asked);
  } finally {
    directory.invalidate();
  }
}

/** What is asked of the service when the password is taken away. */
const NO_PASSWORD: Asked = {
  path: ["password_set"],
  attribute: userProfile.attributes["password_set"]!,
  value: false,
};

/** Only where there is one, or where that cannot be known and the user has just asked for it. */
function takesPasswordAway(config: ObjectValue, prior: ObjectValue): boolean {
  if (!unsetsPassword(config)) return false;
  const set = prior["password_set"] ?? null;
  return set === true || (set === null && !unsetsPassword(prior));
}

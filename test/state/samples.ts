import {
  partName,
  openState,
  type FailedRevocation,
  type Intent,
  type RememberedObject,
  type TokenEntry,
} from "../../src/state";
import { remember } from "../support/memories";

export const ORIGIN = "https://storage.example";
export const OWNER = "acme-platform";

/** Recognisable in whatever it must not show up in. */
export const CANARY = "1/canary+canary/canary";

export const csiToken: TokenEntry = {
  login: "csi@globex",
  name: "csi-prod",
  record: {
    app_id: null,
    access_type: "online",
    restrict: "auth",
    lifetime: null,
    serial: "ATH4700000000000001",
    id: "authorization:1:7",
    user_id: "user_profile:1:9",
    access_token_digest: "digest",
    expires_in: null,
    access_token: CANARY,
    created_at: "2026-01-02T03:04:05.678+00:00",
  },
  keepers: { quarter: "2026Q1" },
  previous: [
    {
      id: "authorization:1:6",
      serial: "ATH4700000000000000",
      access_token: "1/previous",
      created_at: null,
      retired_at: "2026-01-02T03:04:05.678Z",
    },
  ],
};

export const intent: Intent = {
  id: "2b6e2a7e-5a46-4ab0-a4c2-0a8a6f6e1c11",
  login: "csi@globex",
  name: "csi-prod",
  login_with: "password",
  started_at: "2026-01-02T03:04:05.678Z",
};

export const failedRevocation: FailedRevocation = {
  login: "csi@globex",
  name: "csi-prod",
  id: "authorization:1:5",
  serial: "ATH4700000000000009",
  access_token: "1/failed",
  failed_at: "2026-01-02T03:04:05.678Z",
};

export const jane: RememberedObject = {
  key: "user_profile:jane@globex",
  uuid: "6e4f46a6-b0ab-5b69-a4ff-1ac2c4f96f00",
};

/** Makes a state that holds one of everything; encrypted, where there is a key. */
export async function writeState(path: string, key?: string): Promise<void> {
  const state = openState({ path, ...(key !== undefined && { key }) });
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  part.tokens.put(csiToken);
  part.intents.put(intent);
  part.failedRevocations.put(failedRevocation);
  remember(part, jane, (draft) => draft.noteValue(["sms"], "+41 79 123 45 67"));
  await remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  await state.save();
  await state.unlock();
}

import { createProvider } from "../../../src/plugin/provider";
import { simulators } from "../../support/simulators";

const start = simulators();
const log = { debug: () => undefined } as never;

/** What Terraform's calls bring along. */
const call = { signal: new AbortController().signal, log, isLost: false };

test.each([
  ["as it is", "", ""],
  ["with white space around it", "\t", "\n"],
])("a token that the provider itself works with, given %s, is not revoked", async (_how, before, after) => {
  const { simulator } = await start();
  const token = simulator.records.createToken("system");
  const provider = createProvider({
    TENANCY_BASE_URL: simulator.baseUrl,
    TENANCY_TOKEN: before + token.access_token + after,
  });
  await provider.configure?.({}, call);
  const { id, serial, access_token } = token;
  const prior = { id, serial, access_token, login: "system", name: "own" };
  const found = await provider.resources?.["tenancy_authorization"]?.planDelete?.(
    { prior, private: {} },
    call,
  );
  expect(found).toMatchObject({
    diagnostics: [{ severity: "error", detail: expect.stringContaining("TENANCY_SELF_CHANGE") as string }],
  });
});

import { ephemeralResources } from "../../src/resources";
import { connected } from "../support/connections";
import { refusal, textIn } from "../support/life";

const sessionToken = ephemeralResources.get("tenancy_session_token")!;

test("a session of another user is opened, and works", async () => {
  const { simulator, connection } = await connected();
  simulator.records.createAccount({ name: "globex", password: "secret" });
  const opened = await sessionToken.open(
    connection,
    { username: "globex", password: "secret" },
    { environment: {} },
  );
  expect(opened).toMatchObject({
    username: "globex",
    token_type: "Bearer",
    user: { user: { name: "globex" }, account: { name: "globex" } },
  });
  const verdict = await connection.client.callerAs({ kind: "bearer", token: textIn(opened, "access_token") });
  expect(verdict).toMatchObject({ status: 200, caller: { account: { name: "globex" } } });
});

test("without user name and password the session is the provider's own user's", async () => {
  const { connection } = await connected();
  const opened = await sessionToken.open(connection, {}, { environment: {} });
  expect(opened).toMatchObject({ username: null, user: { user: { name: "system" } } });
});

test("a token alone opens no session, and a name needs a password", async () => {
  const { simulator, anew } = await connected();
  const { access_token } = simulator.records.createToken("system");
  expect(
    await refusal(sessionToken.open(anew({ token: access_token }), {}, { environment: {} })),
  ).toMatchObject([{ code: "TENANCY_INVALID_SETTING" }]);
  expect(await refusal(sessionToken.open(anew(), { username: "globex" }, { environment: {} }))).toMatchObject(
    [{ attribute: ["password"] }],
  );
});

import {
  AccessToken,
  Authorization,
  Secret,
  SessionToken,
  TenancyProvider,
  type SessionTokenProps,
} from "tenancy";
import { literalSecret } from "../../src/problems";
import { Synthesized } from "./synthesized";
import { thrown } from "../support/thrown";

test("a session's token is an ephemeral resource, and its secret a reference", () => {
  const synthesized = new Synthesized();
  const session = new SessionToken(synthesized.stack, "session", {
    username: "jane@acme",
    password: Secret.variable("jane_password"),
  });
  new TenancyProvider(synthesized.stack, "as-jane", { alias: "jane", token: session.accessToken });
  expect(synthesized.json["ephemeral"]).toEqual({
    tenancy_session_token: { session: { username: "jane@acme", password: "${var.jane_password}" } },
  });
  expect(synthesized.json["provider"]).toMatchObject({
    tenancy: [{}, { alias: "jane", token: "${ephemeral.tenancy_session_token.session.access_token}" }],
  });
});

test("without user and password it is the provider's own user's", () => {
  const synthesized = new Synthesized();
  const provider = new TenancyProvider(synthesized.stack, "eu", { alias: "eu" });
  new SessionToken(synthesized.stack, "session", { provider });
  expect(synthesized.json["ephemeral"]).toEqual({
    tenancy_session_token: { session: { provider: "tenancy.eu" } },
  });
});

test("a password in plain text is refused", () => {
  const { stack } = new Synthesized();
  const props = { username: "jane@acme", password: "hunter2" } as unknown as SessionTokenProps;
  expect(() => new SessionToken(stack, "session", props)).toThrow(thrown(literalSecret));
});

test("a sealed token is opened by reference, and one of the state by its login and name", () => {
  const synthesized = new Synthesized();
  const token = new Authorization(synthesized.stack, "csi", { name: "csi", sealTo: ["age1…"] });
  const opened = new AccessToken(synthesized.stack, "opened", { sealed: token.accessTokenSealed });
  new AccessToken(synthesized.stack, "stored", { login: "csi@acme", name: "csi-prod" });
  new TenancyProvider(synthesized.stack, "as-csi", { alias: "csi", token: opened.accessToken });
  expect(synthesized.json["ephemeral"]).toEqual({
    tenancy_access_token: {
      opened: { sealed: "${tenancy_authorization.csi.access_token_sealed}" },
      stored: { login: "csi@acme", name: "csi-prod" },
    },
  });
  expect(synthesized.json["provider"]).toMatchObject({
    tenancy: [{}, { alias: "csi", token: "${ephemeral.tenancy_access_token.opened.access_token}" }],
  });
});

import { Secret, SessionToken, TenancyProvider, type SessionTokenProps } from "tenancy";
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

import fc from "fast-check";
import { inspect } from "node:util";
import { Redactor } from "../../src/api/redact";
import { TenancyError } from "../../src/problems";
import { json, startService, text } from "../support/scripted-service";
import { clientOf, failure } from "../support/test-client";

const SECRET = 'pä$$ "w/o+rd" & <more>';

test("a secret is taken out in every spelling", () => {
  const redactor = new Redactor();
  redactor.learnBasic("jane@acme", SECRET);
  const spellings = [
    SECRET,
    encodeURIComponent(SECRET),
    encodeURIComponent(SECRET).toLowerCase(),
    JSON.stringify({ password: SECRET }),
    encodeURIComponent(JSON.stringify({ password: SECRET })),
    Buffer.from(SECRET).toString("base64"),
    Buffer.from(SECRET).toString("base64url"),
    `Authorization: Basic ${Buffer.from(`jane@acme:${SECRET}`).toString("base64")}`,
    SECRET.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;"),
  ];
  for (const spelling of spellings)
    expect(redactor.redact(`a ${spelling} b`)).toMatch(/^a .*\(secret\).* b$/);
});

test.each(["", "a", "ab", "abc"])("a secret in base64 after %j is found", (before) => {
  const redactor = new Redactor();
  redactor.learn("canary-password");
  const text = Buffer.from(`${before}canary-password${before}`).toString("base64");
  const left = Buffer.from(redactor.redact(text).replace("(secret)", ""), "base64").toString("latin1");
  expect(redactor.redact(text)).toContain("(secret)");
  expect(left).not.toMatch(/nary|word/);
});

test.each(["x", "aé/<"])(
  "a secret of a hundred thousand times %j is taken out too, the short ones beside it",
  (part) => {
    const redactor = new Redactor();
    const long = part.repeat(100_000);
    redactor.learn(long);
    for (const spelling of [long, Buffer.from(long).toString("base64"), encodeURIComponent(long)])
      expect(redactor.redact(`a ${spelling} b`)).toBe("a (secret) b");
    redactor.learn("canary-password");
    expect(redactor.redact(`${long} canary-password`)).toBe("(secret) (secret)");
  },
);

test("a short secret is not taken out of the words that it is part of", () => {
  const redactor = new Redactor();
  redactor.learn("app");
  redactor.learn("");
  expect(redactor.redact("app: no application, happy (app)")).toBe(
    "(secret): no application, happy ((secret))",
  );
});

test("no secret comes out, whatever the secret and the text around it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (secret, before, after) => {
      const redactor = new Redactor();
      redactor.learn(secret);
      fc.pre(!"(secret)".includes(secret) && !before.includes("(") && !after.includes(")"));
      expect(redactor.redact(`${before}${secret}${after}`).replaceAll("(secret)", "")).not.toContain(secret);
    }),
  );
});

test("a secret is found before a text is cut, and behind control characters", () => {
  const redactor = new Redactor();
  redactor.learn("canary-password");
  expect(redactor.plain(`${"x".repeat(10)}canary-password`, 15)).toBe("xxxxxxxxxx(sec…");
  expect(redactor.plain("can\u001b[1mary-pass\u0000word")).toBe("(secret)");
});

test("a service that echoes every secret brings none of them into an error, an event or a crash report", async () => {
  const canaries = [
    "canary-password",
    "canary-otp",
    "canary-of-jane",
    "canary-private-id",
    "0/canary-session",
  ];
  const echo = canaries.flatMap((canary) => [
    canary,
    encodeURIComponent(canary),
    Buffer.from(canary).toString("base64"),
    Buffer.from(`system:${canary}`).toString("base64"),
  ]);
  const message = echo.join(" ");
  const service = await startService({
    "POST /api/oauth2/token": json(201, { access_token: "0/canary-session" }),
    "POST /api/user-profile": [
      json(400, { message, errors: [{ field: "/password", type: message, msg: message }] }),
      text(502, `<html><title>${message}</title>`),
      text(403, message),
    ],
  });
  const events: unknown[] = [];
  const client = clientOf(service, {
    credentials: { kind: "password", username: "system", password: "canary-password", otp: "canary-otp" },
    onRequest: (event) => events.push(event),
  });
  const body = {
    username: "jane",
    password: "canary-of-jane",
    two_factor: { auth: "yubikey", private_id: "canary-private-id" },
  };
  for (let round = 0; round < 3; round++) {
    const error = (await failure(
      client.profiles.create(body, { lookUp: async () => undefined }),
    )) as TenancyError;
    expect(error).toBeInstanceOf(TenancyError);
    const shown = [inspect(error, { depth: 9 }), JSON.stringify(error.toDiagnostics()), error.stack].join();
    for (const canary of echo) expect(shown).not.toContain(canary);
  }
  const crash = inspect([events, client], { depth: 9, showHidden: true });
  for (const canary of echo) expect(crash).not.toContain(canary);
});

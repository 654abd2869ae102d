import { OneTimePasswords } from "../../../src/api";
import { TestClock } from "../../support/test-clock";
import { failure } from "../../support/test-client";

/** The secret of RFC 6238's test vectors, in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

function at(seconds: number): TestClock {
  return new TestClock(seconds * 1000);
}

// The vectors come in the order of their steps: a step that was spent is never gone back to.
test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
])("RFC 6238 at %i seconds gives %s", async (seconds, code) => {
  const address = `otpauth://totp/Storage:system?secret=${RFC_SECRET}&digits=8&issuer=Storage`;
  expect(await new OneTimePasswords(address, at(seconds)).next()).toBe(code);
});

test("blanks, hyphens, lower case and padding make no difference", async () => {
  const spellings = ["KRSXG5CTMVRXEZLU", "krsx g5ct mvrx ezlu", " KRSX-G5CT-MVRX-EZLU== \n"];
  const codes = [];
  for (const [round, spelling] of spellings.entries())
    codes.push(await new OneTimePasswords(spelling, at(3000 + 3600 * 24 * round)).next());
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(await new OneTimePasswords(spellings[1] ?? "", at(3000)).next()).toBe(codes[0]);
});

test("a secret may be hexadecimal, as services take it; a blank in it says that it is base32", async () => {
  const hex = "3132333435363738393031323334353637383930";
  expect(await new OneTimePasswords(hex, at(20_000_000_000)).next()).toBe("353130");
  const [asHex, asBase32] = [
    new OneTimePasswords("ABCD EFAB", at(0)),
    new OneTimePasswords("ABCDEFAB", at(0)),
  ];
  expect(await asHex.next()).not.toBe(await asBase32.next());
});

test("a step serves once in a process: the next code waits for the next step, also for another client", async () => {
  const clock = at(1_000_000_005);
  const secret = "MFRGGZDFMZTWQ2LK";
  const first = await new OneTimePasswords(secret, clock).next();
  const second = await new OneTimePasswords(secret, clock).next();
  expect(second).not.toBe(first);
  expect(clock.slept).toEqual([15_000]);
});

test("log-ins at the same time each get a step of their own", async () => {
  const passwords = new OneTimePasswords("NBSWY3DPEB3W64TMMQ", at(1_000_000_000));
  const codes = await Promise.all([passwords.next(), passwords.next(), passwords.next()]);
  expect(new Set(codes).size).toBe(3);
});

test("waiting for a step can be cut short", async () => {
  const passwords = new OneTimePasswords("ONSWG4TFOQYTEMZU", at(1_000_000_000));
  await passwords.next();
  expect(await failure(passwords.next(AbortSignal.abort()))).toMatchObject({ code: "TENANCY_CANCELLED" });
});

test.each([
  ["", "base32"],
  ["no base32 at all! 189", "base32"],
  ["A", "short"],
  ["otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=1", "counter"],
  ["otpauth://totp/x", "incomplete"],
])("%j is refused without being repeated", (secret, why) => {
  let error: unknown;
  try {
    new OneTimePasswords(secret, at(0));
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({
    code: "TENANCY_INVALID_SETTING",
    message: expect.stringContaining(why) as string,
  });
  if (secret.length > 3) expect(String(error)).not.toContain(secret);
});

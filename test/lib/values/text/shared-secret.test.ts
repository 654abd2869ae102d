import { Secret } from "otpauth";
import { hexOfSharedSecret } from "../../../../src/lib/values";

test.each([
  ["hexadecimal, as it is", "3132333435363738393A", "3132333435363738393A"],
  ["hexadecimal of an odd length, as the service may take it", "abc", "abc"],
  ["what could be both, as hexadecimal", "ABCDEF22", "ABCDEF22"],
  ["the same in groups, as base32", "ABCD EF22", "004432175a"],
  ["base32, as authenticators show it", "GEZDGNBVGY3TQOJQ", "31323334353637383930"],
  ["base32 in small letters and groups", "gezd gnbv gy3t qojq", "31323334353637383930"],
  ["base32 with padding", "GEZDGNBVGY======", "313233343536"],
  [
    "an address",
    "otpauth://totp/Storage:jane@acme?secret=GEZDGNBVGY3TQOJQ&issuer=Storage",
    "31323334353637383930",
  ],
])("a shared secret is read as %s", (_what, text, hex) => {
  expect(hexOfSharedSecret(text)).toBe(hex);
});

test.each([
  "",
  " ",
  "not base32!",
  "GEZDGNBV0",
  "A2Z",
  "otpauth://hotp/x?secret=GEZDGNBV",
  "otpauth://totp/x",
])("%j is no shared secret", (text) => {
  expect(hexOfSharedSecret(text)).toBeUndefined();
});

test("base32 is read as authenticators read it", () => {
  for (let size = 1; size < 40; size++) {
    const secret = new Secret({ size });
    expect(hexOfSharedSecret(`${secret.base32.slice(0, 1)} ${secret.base32.slice(1)}`)).toBe(
      secret.hex.toLowerCase(),
    );
  }
});

import { scryptSync } from "node:crypto";
import { matchesHash, saltedHash } from "../../src/state/secret-hash";

test("a hash knows its secret and no other", async () => {
  const hash = await saltedHash("correct horse");
  await expect(matchesHash("correct horse", hash)).resolves.toBe(true);
  await expect(matchesHash("correct horse ", hash)).resolves.toBe(false);
  await expect(matchesHash("", hash)).resolves.toBe(false);
});

test("the same secret is hashed to something else each time", async () => {
  const [first, second] = await Promise.all([saltedHash("secret"), saltedHash("secret")]);
  expect(first).not.toBe(second);
  expect(first).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  expect(first).not.toContain("secret");
});

test("a secret is the same in whatever normal form it was typed", async () => {
  await expect(matchesHash("cafe\u0301", await saltedHash("caf\u00e9"))).resolves.toBe(true);
});

test.each([
  [4, 2, 4],
  [1, 1, 1],
])("a hash of another cost still counts: the cost stands in it (ln=%p, r=%p, p=%p)", async (ln, r, p) => {
  const salt = Buffer.from("0123456789abcdef");
  const hash = scryptSync("secret", salt, 32, { N: 2 ** ln, r, p });
  const form = `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString("base64")}$${hash.toString("base64")}`;
  await expect(matchesHash("secret", form)).resolves.toBe(true);
  await expect(matchesHash("other", form)).resolves.toBe(false);
});

const salt = Buffer.alloc(16).toString("base64");
const hash = Buffer.alloc(32).toString("base64");

test.each([
  "",
  "secret",
  `$argon2id$v=19$m=65536,t=3,p=4$${salt}$${hash}`,
  `$scrypt$ln=17,r=8,p=1$${salt}$${hash}`,
  `$scrypt$ln=0,r=8,p=1$${salt}$${hash}`,
  `$scrypt$ln=11,r=9,p=1$${salt}$${hash}`,
  `$scrypt$ln=11,r=0,p=1$${salt}$${hash}`,
  `$scrypt$ln=11,r=8,p=5$${salt}$${hash}`,
  `$scrypt$ln=11,r=8,p=0$${salt}$${hash}`,
  `$scrypt$ln=11,r=8,p=1$${salt}$${Buffer.alloc(31).toString("base64")}`,
  `$scrypt$ln=11,r=8,p=1$${salt}$`,
  `x$scrypt$ln=11,r=8,p=1$${salt}$${hash}`,
  `$scrypt$ln=11,r=8,p=1$${salt}$${hash}x`,
])("this release cannot tell whether a secret matches the hash %p", async (form) => {
  await expect(matchesHash("secret", form)).resolves.toBeUndefined();
});

test("a hash of the greatest cost that a file may ask for is computed", async () => {
  await expect(matchesHash("secret", `$scrypt$ln=16,r=8,p=4$${salt}$${hash}`)).resolves.toBe(false);
});

import type crypto from "node:crypto";
import { scrypt } from "node:crypto";
import fc from "fast-check";
import { Sealer } from "../../src/credentials/sealer";
import { parseJson, type ObjectValue } from "../../src/lib/values";

jest.mock("node:crypto", () => {
  const real = jest.requireActual<typeof crypto>("node:crypto");
  return { ...real, scrypt: jest.fn(real.scrypt) };
});

const CHEAP = { n: 16, r: 1, p: 1 };
const TEXT = '{"secret":"canary"}';

const sealed = (key = "open sesame", text = TEXT) => new Sealer(key, CHEAP).seal(text);
const document = (text: string) => parseJson(text) as ObjectValue;
const open = (value: ObjectValue, key = "open sesame") => new Sealer(key, CHEAP).open(value);

interface Encryption {
  [member: string]: string | number;
}
const withEncryption = (value: ObjectValue, change: Record<string, unknown>) =>
  ({ ...value, encryption: { ...(value.encryption as Encryption), ...change } }) as ObjectValue;

test("what was sealed is opened with the same key", async () => {
  await expect(open(document(await sealed()))).resolves.toBe(TEXT);
  await expect(open(document(await sealed("open sesame", "")))).resolves.toBe("");
  await expect(open(document(await sealed("caf\u00e9", "\u{1f511} é")), "cafe\u0301")).resolves.toBe(
    "\u{1f511} é",
  );
});

test("another key opens nothing", async () => {
  const value = document(await sealed());
  for (const key of ["open sesam", "Open sesame", "open sesame ", ""])
    await expect(open(value, key)).resolves.toBeUndefined();
});

test("nonce and salt are fresh for each write, in one run and the next", async () => {
  const sealer = new Sealer("open sesame", CHEAP);
  const texts = [await sealer.seal(TEXT), await sealer.seal(TEXT), await sealed()];
  const values = texts.map((text) => document(text));
  for (const name of ["nonce", "salt"])
    expect(new Set(values.map(({ encryption }) => (encryption as Encryption)[name])).size).toBe(3);
  expect(new Set(values.map(({ ciphertext }) => ciphertext)).size).toBe(3);
  expect(new Set(values.map(({ encryption }) => (encryption as Encryption).kdf_salt)).size).toBe(2);
});

test("one run derives a master key once, whoever asks for it", async () => {
  const value = document(await sealed("asked for often"));
  const before = jest.mocked(scrypt).mock.calls.length;
  for (let times = 0; times < 3; times += 1) await expect(open(value, "asked for often")).resolves.toBe(TEXT);
  expect(jest.mocked(scrypt).mock.calls.length).toBe(before);
});

test("the header says what it takes to open it, and that it is ours", async () => {
  const value = document(await new Sealer("open sesame").seal(TEXT));
  expect(value).toMatchObject({
    format: "tenancy-credentials",
    version: 3,
    encryption: { kdf: "scrypt", n: 131072, r: 8, p: 1, cipher: "aes-256-gcm" },
  });
  const { kdf_salt, salt, nonce } = value.encryption as Encryption;
  expect([kdf_salt, salt, nonce].map((text) => Buffer.from(String(text), "base64").length)).toEqual([
    16, 16, 12,
  ]);
  await expect(open(value)).resolves.toBe(TEXT);
});

test("no byte can be flipped unnoticed", async () => {
  const bytes = Buffer.from(await sealed());
  const outcome = async (flipped: Buffer) => {
    const value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(flipped)) as ObjectValue;
    return (await open(value)) ?? "refused";
  };
  // The spaces between members belong to nobody: one may become another, and the document says the same.
  const matters = [...bytes.keys()].filter((index) => !/\s/.test(String.fromCharCode(bytes[index] ?? 0)));
  for (const index of matters)
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << bit), index);
      await expect(outcome(flipped).catch(() => "refused")).resolves.toBe("refused");
    }
});

test("no part can be taken from another document of the same key", async () => {
  const sealer = new Sealer("open sesame", CHEAP);
  const [one, two] = [document(await sealer.seal("one")), document(await sealer.seal("two"))];
  await expect(open({ ...one, ciphertext: two.ciphertext ?? null })).resolves.toBeUndefined();
  await expect(open({ ...one, encryption: two.encryption ?? null })).resolves.toBeUndefined();
  await expect(open({ ...one, added: true })).resolves.toBeUndefined();
  await expect(open({ ...one, version: 4 })).resolves.toBeUndefined();
  await expect(open(withEncryption(one, { added: true }))).resolves.toBeUndefined();
});

test("how it is spaced does not matter: it may pass through an editor", async () => {
  const value = document(await sealed());
  for (const indent of [0, 4])
    await expect(open(document(JSON.stringify(value, null, indent)))).resolves.toBe(TEXT);
});

test.each([
  { kdf: "argon2id" },
  { kdf: 1 },
  { cipher: "aes-256-cbc" },
  { n: 1 },
  { n: 0 },
  { n: -16 },
  { n: 17 },
  { n: 16.5 },
  { n: "16" },
  { n: 2 ** 40 },
  { n: 9007199254740993n },
  { r: 0 },
  { r: 2 ** 30 },
  { p: 0 },
  { p: 17 },
  { kdf_salt: "AAAA" },
  { salt: "AAAA" },
  { nonce: "AAAA" },
  { nonce: "not base64, but long enough for that" },
  { nonce: null },
])("a header with %p is refused before anything is derived", async (change) => {
  await expect(open(withEncryption(document(await sealed()), change))).rejects.toThrow(/^encryption/);
});

test.each([undefined, null, "", "AAAA", 5])("a ciphertext of %p is refused", async (ciphertext) => {
  const { ciphertext: _, ...rest } = document(await sealed());
  await expect(open(ciphertext === undefined ? rest : { ...rest, ciphertext })).rejects.toThrow(
    /^ciphertext/,
  );
});

test("a header that asks for the greatest number of lanes is accepted", async () => {
  for (const n of [2, 16])
    await expect(open(withEncryption(document(await sealed()), { n, p: 16 }))).resolves.toBeUndefined();
});

test("only a document that says so is sealed", async () => {
  expect(Sealer.isSealed(document(await sealed()))).toBe(true);
  expect(Sealer.isSealed({ format: "tenancy-credentials" })).toBe(false);
});

test("whatever is sealed comes back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), async (key, text) => {
      await expect(open(document(await sealed(key, text)), key)).resolves.toBe(text);
    }),
    { numRuns: 30 },
  );
});

/** What encrypts states and snapshots, and the keys for it: covers src/state/sealer.ts and state-key.ts. */
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { isStateKey, newStateKey, Sealer } from "../../src/state";
import { ageLibrary } from "../../src/age";
import { ageReader } from "../support/age";
import { stateKey } from "../support/state-key";

const { armor, Decrypter, Encrypter } = ageLibrary();
const KEY = stateKey("open sesame");
const TEXT = '{"secret":"canary"}';

const sealed = (text = TEXT) => new Sealer(KEY).seal(text);
const open = (text: string, key = KEY) => new Sealer(key).open(text);

/** As `age` writes it for this passphrase, or for another reader. */
async function byAge(content: string | Uint8Array, recipient?: string): Promise<string> {
  const encrypter = new Encrypter();
  if (recipient !== undefined) encrypter.addRecipient(recipient);
  else {
    encrypter.setPassphrase(KEY);
    encrypter.setScryptWorkFactor(10);
  }
  return armor.encode(await encrypter.encrypt(content));
}

/** The file without its armor, one character for a byte. */
const bytesOf = (text: string) => Buffer.from(armor.decode(text)).toString("latin1");
const armored = (bytes: string) => armor.encode(Buffer.from(bytes, "latin1"));

test("what was sealed is opened with the same key, and with no other one", async () => {
  await expect(open(await sealed())).resolves.toBe(TEXT);
  await expect(open(await sealed(""))).resolves.toBe("");
  await expect(open(await sealed(), stateKey("Open sesame"))).resolves.toBeUndefined();
});

test("age opens it with the key as its passphrase", async () => {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(KEY);
  const packed = await decrypter.decrypt(armor.decode(await sealed()));
  expect(gunzipSync(packed).toString("utf8")).toBe(TEXT);
});

test("the header holds the passphrase alone, with a salt of its own in each file", async () => {
  const [first, second] = [bytesOf(await sealed()), bytesOf(await sealed())];
  const header = /^age-encryption\.org\/v1\n-> scrypt ([\w+/]{22}) 10\n[\w+/]{43}\n--- [\w+/]{43}\n/;
  expect(first).toMatch(header);
  expect(header.exec(first)?.[1]).not.toBe(header.exec(second)?.[1]);
});

test("no byte can be flipped, and none be taken away or added, unnoticed", async () => {
  const whole = Buffer.from(armor.decode(await sealed()));
  const changed = [...whole.keys()].map((index) => {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << (index % 8)), index);
    return flipped;
  });
  const lengths = [0, 1, 20, whole.length - 17, whole.length - 1].map((length) => whole.subarray(0, length));
  for (const bytes of [
    ...changed,
    ...lengths,
    Buffer.concat([whole, whole]),
    Buffer.concat([whole, Buffer.of(0)]),
  ])
    await expect(open(armor.encode(bytes)).catch(() => undefined)).resolves.toBeUndefined();
});

test("no part can be taken from another file of the same key", async () => {
  const [first, second] = [bytesOf(await sealed("one")), bytesOf(await sealed("two"))];
  const end = first.indexOf("\n", first.indexOf("\n--- ") + 1) + 1;
  await expect(open(armored(first.slice(0, end) + second.slice(end)))).resolves.toBeUndefined();
});

test.each(["11", "18", "20", "62", "1e1", "0x1", ""])(
  "a work factor of %j is refused before anything is derived",
  async (factor) => {
    const file = bytesOf(await sealed()).replace(
      /( [\w+/]{22}) 10\n/,
      `$1 ${factor}\n`.replace(/ \n$/, "\n"),
    );
    await expect(open(armored(file))).rejects.toThrow("its encryption is not of a work factor up to 10");
  },
);

test("a header with another stanza, or for another reader, is refused, though the key is in it", async () => {
  const file = bytesOf(await sealed());
  const stanza = /-> scrypt [^\n]*\n[^\n]*\n/.exec(file)?.[0] ?? "";
  const { recipient } = await ageReader();
  const others = [
    stanza,
    "-> grease one\nAAAA\n",
    /-> X25519[^\n]*\n[^\n]*\n/.exec(bytesOf(await byAge(TEXT, recipient)))?.[0],
  ];
  const headers = others.flatMap((other = "") => [
    file.replace(stanza, stanza + other),
    file.replace(stanza, other + stanza),
  ]);
  const files = [
    ...headers.map(armored),
    armored(file.replace(stanza, "")),
    await byAge(gzipSync(TEXT), recipient),
  ];
  for (const one of files)
    await expect(open(one)).rejects.toThrow("its encryption is not for one passphrase alone");
});

test("content that this release did not write is refused, though the key opens it", async () => {
  for (const content of [TEXT, "", gzipSync(Buffer.of(0x7b, 0xff, 0x7d)), gzipSync(TEXT).subarray(0, -4)])
    await expect(open(await byAge(content))).rejects.toThrow("its content is not compressed text");
  await expect(open(await byAge(gzipSync(TEXT)))).resolves.toBe(TEXT);
});

test("it may pass through an editor, but not lose a line", async () => {
  const text = await sealed();
  for (const same of [text.replaceAll("\n", "\r\n"), `\n ${text}\n\n`]) {
    expect(Sealer.isSealed(same)).toBe(true);
    await expect(open(same)).resolves.toBe(TEXT);
  }
  for (const other of [
    text.slice(0, -3),
    text.slice(0, text.length / 2),
    `${text}${text}`,
    text.replace(/\n\w/, "\n"),
  ])
    await expect(open(other)).rejects.toThrow("its armor is not whole");
  expect(Sealer.isSealed(TEXT)).toBe(false);
});

test("a state of many users is small, and quickly opened", async () => {
  const users = Array.from({ length: 10_000 }, (_, index) => ({
    key: ["acme", `user-${index}`],
    id: `user-profile:1:${index}`,
    uuid: crypto.randomUUID(),
  }));
  const text = JSON.stringify(users);
  const file = await sealed(text);
  expect(file.length).toBeLessThan(text.length / 2);
  await expect(open(file)).resolves.toBe(text);
});

test("whatever is sealed comes back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
      await expect(open(await sealed(text))).resolves.toBe(text);
    }),
    { numRuns: 30 },
  );
});

test("a new key is random, and a key with any other letter is none", () => {
  const key = newStateKey();
  expect(key).toMatch(/^tenancy-key-[\w-]{49}$/);
  expect(newStateKey()).not.toBe(key);
  expect(isStateKey(key)).toBe(true);
  for (const index of key.split("").keys())
    for (const letter of ["", "x", "é"])
      if (key[index] !== letter)
        expect(isStateKey(key.slice(0, index) + letter + key.slice(index + 1))).toBe(false);
  for (const other of [
    "",
    `${key}\n`,
    ` ${key}`,
    key.toUpperCase(),
    "correct horse battery staple",
    "k".repeat(61),
  ])
    expect(isStateKey(other)).toBe(false);
});

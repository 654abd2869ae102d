import { type Zippable, zipSync } from "fflate";
import { fileFromZip } from "../../src/pipeline/zip";

const LIMIT = 1000;
const text = (content: string) => new TextEncoder().encode(content);
const taken = async (files: Zippable, isAlone = true) =>
  (await fileFromZip(Buffer.from(zipSync(files)), "a.json", LIMIT, "the artifact", isAlone))?.toString();

test("a file is taken out, compressed or not", async () => {
  expect(await taken({ "a.json": text("{}") })).toBe("{}");
  expect(await taken({ "a.json": [text("{}"), { level: 0 }] })).toBe("{}");
  expect(await taken({ "b.json": text("{}") })).toBeUndefined();
  expect(await taken({ "a.json": text("{}"), "b.json": text("") }, false)).toBe("{}");
});

test("a file that is too long is refused, compressed or not", async () => {
  const long = text("x".repeat(LIMIT + 1));
  for (const level of [0, 9] as const)
    await expect(taken({ "a.json": [long, { level }] })).rejects.toThrow("is larger than");
});

test("what is no archive, or a broken one, is refused", async () => {
  const zip = Buffer.from(zipSync({ "a.json": text("x".repeat(LIMIT)) }));
  const take = (bytes: Buffer) => fileFromZip(bytes, "a.json", LIMIT, "the artifact");
  await expect(take(Buffer.from("no archive"))).rejects.toThrow("it is no zip archive");
  await expect(take(zip.subarray(0, -1))).rejects.toThrow("no zip archive");
  await expect(take(Buffer.concat([zip.subarray(0, 4), zip.subarray(20)]))).rejects.toThrow("it is broken");
  const bomb = Buffer.from(zip);
  bomb.writeUInt32LE(1, zip.indexOf("PK\x01\x02") + 24);
  await expect(take(bomb)).rejects.toThrow("it is broken");
  for (let at = 0; at < zip.length; at++) {
    const altered = Buffer.from(zip);
    altered[at] = 0xff;
    await take(altered).catch((error: unknown) =>
      expect(error).toMatchObject({ code: "TENANCY_FILE_UNUSABLE" }),
    );
  }
});

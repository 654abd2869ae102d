import { type Zippable, zipSync } from "fflate";
import { fileFromZip } from "../../src/pipeline/zip";

const LIMIT = 1000;
const text = (content: string) => new TextEncoder().encode(content);
const taken = (files: Zippable, isAlone = true) =>
  fileFromZip(Buffer.from(zipSync(files)), "a.json", LIMIT, "the artifact", isAlone)?.toString("utf8");

test("a file is taken out, compressed or not", () => {
  expect(taken({ "a.json": text("{}") })).toBe("{}");
  expect(taken({ "a.json": [text("{}"), { level: 0 }] })).toBe("{}");
  expect(taken({ "b.json": text("{}") })).toBeUndefined();
  expect(taken({ "a.json": text("{}"), "b.json": text("") }, false)).toBe("{}");
});

test.each<[string, Zippable, string]>([
  ["a second entry", { "a.json": text("{}"), "../x": text("") }, 'only "a.json" is expected'],
  ["a link", { "a.json": [text("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] }, "no regular file"],
  ["a bomb", { "a.json": text("x".repeat(LIMIT + 1)) }, "is larger than"],
  ["a long file that is not compressed", { "a.json": [text("x".repeat(LIMIT + 1)), { level: 0 }] }, "larger"],
])("%s is refused", (_, files, words) => {
  expect(() => taken(files)).toThrow(words);
});

test("what is no archive, or a broken one, is refused", () => {
  const zip = Buffer.from(zipSync({ "a.json": text("{}") }));
  const take = (bytes: Buffer) => fileFromZip(bytes, "a.json", LIMIT, "the artifact");
  expect(() => take(Buffer.from("no archive"))).toThrow("it is no zip archive");
  expect(() => take(zip.subarray(0, -1))).toThrow("no zip archive");
  expect(() => take(Buffer.concat([zip.subarray(0, 4), zip.subarray(20)]))).toThrow("it is broken");
  for (let at = 0; at < zip.length; at++) {
    const altered = Buffer.from(zip);
    altered[at] = 0xff;
    try {
      take(altered);
    } catch (error) {
      expect(error).toMatchObject({ code: "TENANCY_FILE_UNUSABLE" });
    }
  }
});

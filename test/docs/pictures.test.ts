/** The drawn pictures, such as the recording of a plan and an apply: covers .ci/pictures and docs/manual/pictures. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { animation } from "../../.ci/pictures/animation";
import { EXAMPLE } from "../../.ci/pictures/recording";
import { Terminal } from "../../.ci/pictures/terminal";

const folder = join(__dirname, "../../docs/manual/pictures");
const drawn = readdirSync(folder).filter((file) => file.endsWith(".svg"));
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

test("the recording shows a plan, a question and an apply", () => {
  const text = textOf("recording.svg").replaceAll(/<style>[^]*?<\/style>|<[^>]*>/g, "\n");
  for (const words of ["npx tenancy plan", "Access", "vss.manage_snapshots", "Changes", "npx tenancy apply"])
    expect(text).toContain(words);
  expect(text).toMatch(/^\d+ to create\.$/m);
  expect(text).toMatch(/Type &quot;yes&quot; to confirm: yes$/m);
  expect(text).toMatch(/^Applied: \d+ created\.$/m);
});

test("the example of the recording exists", () => {
  expect(existsSync(join(__dirname, "../../examples", EXAMPLE, "main.ts"))).toBe(true);
});

test.each(drawn)("%s is well-formed, small, and needs no other file", (file) => {
  const svg = textOf(file);
  expect(unclosedTags(svg)).toEqual([]);
  expect(svg).toMatch(/<title>.+<\/title>\s*<desc>.+<\/desc>/);
  expect(Buffer.byteLength(svg)).toBeLessThan(60_000);
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
    /href|url\((?!#)|@import|@font-face|<script|<image|<foreignObject|<!|<\?/,
  );
});

test("a line of progress disappears, and without motion the last frame is shown", () => {
  const terminal = new Terminal(20);
  terminal.write("reading a & b");
  const first = terminal.rows;
  terminal.write("\r             \r\u001b[1m<done>\u001b[22m\n");
  const frames = [first, terminal.rows].map((rows) => ({ rows, seconds: 2 }));
  const svg = animation(frames, { title: "A run", description: "It ends.", columns: 20, height: 1 });
  expect(unclosedTags(svg)).toEqual([]);
  const [still, moving] = svg.split("@media (prefers-reduced-motion:no-preference)");
  expect(still).toContain(".past{visibility:hidden}");
  expect(still).toContain(".screen{transform:translateY(-18px)}");
  expect(moving).toContain("@keyframes g0{0%{visibility:visible}50%{visibility:hidden}}");
  expect(moving).toContain("@keyframes g1{0%{visibility:hidden}50%{visibility:visible}}");
  expect(svg).toMatch(/<g class="g0 past"><text [^>]*>reading a &amp; b<\/text><\/g>/);
  expect(svg).toMatch(/<g class="g1"><text [^>]* class="bold">&lt;done&gt;<\/text><\/g>/);
});

/** Names of tags that are not closed in order, and text that XML does not allow. An empty list means that the document is well-formed. */
function unclosedTags(xml: string): readonly string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const tag =
    /<(?<end>\/)?(?<name>[a-z]+)(?: [\w:-]+="(?:[^"<&]|&(?:amp|lt|gt|quot);)*")*\s*(?<empty>\/)?>/gi;
  for (const { groups: { end, name = "", empty } = {} } of xml.matchAll(tag)) {
    if (end !== undefined && open.pop() !== name) wrong.push(name);
    if (end === undefined && empty === undefined) open.push(name);
  }
  const text = xml.replaceAll(tag, "").replaceAll(/&(?:amp|lt|gt|quot);/g, "");
  return [...wrong, ...open, ...(text.match(/[<&].*/g) ?? [])];
}

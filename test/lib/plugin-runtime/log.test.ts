import { createLog, formatLine, levelOf } from "../../../src/lib/plugin-runtime/log";

test("a line is hclog's JSON, its time with six digits after the point", () => {
  const at = new Date("2024-05-06T07:08:09.012Z");
  expect(JSON.parse(formatLine("info", "provider", "hello\nthere", { count: 2 }, at))).toEqual({
    "@level": "info",
    "@message": "hello\nthere",
    "@module": "provider",
    "@timestamp": "2024-05-06T07:08:09.012000Z",
    count: 2,
  });
  expect(formatLine("info", "m", "hello\nthere", {}, at)).not.toContain("\n");
});

test("a field cannot pass for what the line itself says, and an impossible one costs nothing but itself", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const line = JSON.parse(
    formatLine("warn", "m", "text", { "@level": "trace", circle, big: 2n ** 60n }, new Date()),
  ) as object;
  expect(line).toMatchObject({ "@level": "warn", "@message": "text" });
});

test("a message too long for Terraform's reader is shortened", () => {
  const line = formatLine("info", "m", "x".repeat(100_000), {}, new Date());
  expect(line.length).toBeLessThan(60_000);
  expect(JSON.parse(line)).toMatchObject({ "@level": "info" });
});

test.each([
  [{}, ["warn", "error"]],
  [{ TF_LOG: "DEBUG" }, ["debug", "info", "warn", "error"]],
  [{ TF_LOG: "json" }, ["trace", "debug", "info", "warn", "error"]],
  [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "ERROR" }, ["error"]],
  [{ TF_LOG: "off" }, []],
])("with %j the levels %j are written", (environment, expected) => {
  const lines: string[] = [];
  const log = createLog("m", levelOf(environment), (line) => lines.push(line));
  for (const level of ["trace", "debug", "info", "warn", "error"] as const) log[level]("x");
  expect(lines.map((line) => (JSON.parse(line) as Record<string, string>)["@level"])).toEqual(expected);
  expect(lines.every((line) => line.endsWith("}\n"))).toBe(true);
});

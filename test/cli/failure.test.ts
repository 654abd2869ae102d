import { failureText } from "../../src/cli/failure";
import type { Io } from "../../src/cli/io";
import { usage } from "../../src/problems";
import { paint } from "../../src/render/text";

const io = {
  environment: { TENANCY_PASSWORD: "s3cret-1", TF_VAR_pw: "s3cret-2", TENANCY_OTP: "1", PATH: "/bin" },
} as unknown as Io;

test("an unexpected exception is told without its stack, without secrets and without control characters", () => {
  const text = failureText(
    new RangeError("at s3cret-1:\u001b[2J s3cret-2 in /bin, line 1"),
    io,
    paint(false),
  );
  expect(text)
    .toBe(`Error TENANCY_INTERNAL: something unexpected happened: RangeError: at (secret): (secret) in /bin, line 1
  Run \`tenancy plan\` to see the present state. Please report this.`);
});

test("whatever is thrown can be told", () => {
  expect(failureText("odd", io, paint(false))).toContain("something unexpected happened: odd");
  expect(failureText(usage.error({ problem: "no", advice: "Do this." }), io, paint(false))).toBe(
    "Error TENANCY_USAGE: no\n  Do this.",
  );
});

/** A run that has ended although its parent has not noticed: covers how src/state/file-lock.ts knows dead holders of a lock. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { isDead } from "../../../src/state/file-lock";
import { until } from "../../support/until";

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a process that only waits for its parent to notice its end counts as dead", async () => {
  // The shell becomes a program that does not ask after the child.
  const parent = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await parent.stdout.take(1).toArray()) as readonly Buffer[];
    const pid = Number(String(line).trim());
    const fields = () =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
    await until(() => fields()[0] === "Z");
    expect(isDead({ pid, started: fields()[19] ?? "" })).toBe(true);
  } finally {
    parent.kill();
  }
});

/** Sends the bodies of a file, a JSON list, with POST: how many at once is the second argument. */
const { readFileSync } = require("node:fs");
const { logIn } = require("./service.cjs");

async function main() {
  const [file, concurrency] = process.argv.slice(2);
  const bodies = JSON.parse(readFileSync(file, "utf8"));
  const service = await logIn(Number(concurrency));
  let next = 0;
  const work = async () => {
    while (next < bodies.length) await service.post("/api/user-profile", JSON.stringify(bodies[next++]));
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
  await service.close();
}

void main();

/**
 * Creates an account and its users with one POST each: a JSON file with the account's body and the users' bodies, and the number of requests
 * that are sent at once.
 */
const { readFileSync } = require("node:fs");
const { logIn } = require("./service.cjs");

async function main() {
  const [file, concurrency] = process.argv.slice(2);
  const { account, users } = JSON.parse(readFileSync(file, "utf8"));
  const service = await logIn(Number(concurrency));
  const { id } = JSON.parse(await service.post("/api/account", JSON.stringify(account)));
  let next = 0;
  const work = async () => {
    while (next < users.length)
      await service.post("/api/user-profile", JSON.stringify({ ...users[next++], account_id: id }));
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
  await service.close();
}

void main();

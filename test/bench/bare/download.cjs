/** Downloads both lists and parses them. */
const { logIn } = require("./service.cjs");

async function main() {
  const service = await logIn(10);
  const lists = ["/api/account", "/api/user-profile"].map(async (path) =>
    JSON.parse(await service.get(path)),
  );
  const [accounts, profiles] = await Promise.all(lists);
  if (accounts.length === 0 || profiles.length === 0) throw new Error("a list is empty");
  await service.close();
}

void main();

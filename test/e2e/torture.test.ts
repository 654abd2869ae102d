import { campaign } from "../torture/campaign";
import { withoutJitter } from "../torture/world/without-jitter";

let withJitter: () => void = () => undefined;
beforeAll(() => (withJitter = withoutJitter()));
afterAll(() => withJitter());

/** A long campaign: `npm run torture -- --runs 10000`; a failure prints the seed and path to replay it with. */
test("whatever is declared, goes wrong or is done by others, no run breaks a promise", async () => {
  const { histories } = await campaign({ runner: "engine", runs: 40, timeLimit: 45_000 });
  expect(histories).toBeGreaterThan(0);
}, 120_000);

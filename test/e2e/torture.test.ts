/** Short campaigns of random histories: covers test/torture. */
import { built } from "../support/built-command";
import { describeWith } from "../support/programs";
import { campaign } from "../torture/campaign";
import { withEqualDelays } from "../torture/world/equal-delays";

let endEqualDelays: () => void = () => undefined;
beforeAll(() => (endEqualDelays = withEqualDelays()));
afterAll(() => endEqualDelays());

beforeAll(built);

/** A long campaign: `npm run torture -- --runs 10000`; a failure prints the seed and path to replay it with. */
test("whatever is declared, goes wrong or is done by others, no run breaks a promise", async () => {
  const { histories } = await campaign({ runner: "engine", runs: 40, timeLimit: 45_000 });
  expect(histories).toBeGreaterThan(0);
});

test("the built command keeps the same promises in processes that are really killed", async () => {
  const { histories } = await campaign({ runner: "command", runs: 10, timeLimit: 60_000 });
  expect(histories).toBeGreaterThan(0);
});

describeWith(["terraform"], "with Terraform", () => {
  test("runs of Terraform keep the same promises, as far as Terraform allows it", async () => {
    const { histories } = await campaign({ runner: "terraform", runs: 3, timeLimit: 60_000, asDrawn: true });
    expect(histories).toBeGreaterThan(0);
  });
});

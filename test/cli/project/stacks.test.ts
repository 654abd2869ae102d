import { chooseStacks } from "../../../src/cli/project/stacks";

const stack = (name: string) => ({ name });
const app = ["base", "web", "prod-eu", "prod-us"].map(stack);
const names = (...patterns: readonly string[]): readonly string[] =>
  chooseStacks(app, patterns).map(({ name }) => name);

test("the only stack needs no name", () => {
  expect(chooseStacks([stack("only")], [])).toEqual([stack("only")]);
});

test("of several stacks one has to be named, and the error lists them", () => {
  expect(() => names()).toThrow("the app has several stacks, and none of them is chosen");
  expect(() => chooseStacks([], [])).toThrow("the app has no stack");
});

test("a verb that works on all stacks takes those that are named, or else every one", () => {
  expect(chooseStacks(app, [], { orAll: true })).toEqual(app);
  expect(chooseStacks(app, ["web"], { orAll: true })).toEqual([stack("web")]);
  expect(() => chooseStacks([], [], { orAll: true })).toThrow("the app has no stack");
});

test("patterns match several stacks, each is taken once", () => {
  expect(names("prod-*")).toEqual(["prod-eu", "prod-us"]);
  expect(names("prod-{us,eu}", "prod-eu")).toEqual(["prod-eu", "prod-us"]);
});

test("stacks keep the order of the app, in whatever order they are named", () => {
  expect(names("prod-eu", "web", "base")).toEqual(["base", "web", "prod-eu"]);
  expect(names("*")).toEqual(["base", "web", "prod-eu", "prod-us"]);
});

test("a name that matches nothing is an error", () => {
  expect(() => names("wbe")).toThrow('there is no stack "wbe"');
  expect(() => names("")).toThrow('there is no stack ""');
});

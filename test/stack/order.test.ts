import { inDependencyOrder } from "../../src/stack/order";

const node = (address: string, ...dependencies: string[]) => ({ address, dependencies });
const order = (...nodes: ReturnType<typeof node>[]) => {
  const cycles: string[] = [];
  const ordered = inDependencyOrder(nodes, (cycle) => cycles.push(cycle.message));
  return { ordered: ordered.map(({ address }) => address), cycles };
};

test("each block stands after the blocks that it needs, and otherwise where it was", () => {
  expect(order(node("c", "a"), node("b"), node("a"))).toEqual({ ordered: ["a", "c", "b"], cycles: [] });
  expect(order(node("a", "elsewhere"), node("b"))).toEqual({ ordered: ["a", "b"], cycles: [] });
});

test("each circle is named once", () => {
  expect(
    order(node("a", "b"), node("b", "c", "a"), node("c", "d"), node("d", "c"), node("e", "e")).cycles,
  ).toEqual(["c needs d needs c", "a needs b needs a", '"e" refers to itself']);
});

test("a chain as long as the largest stack is no problem", () => {
  const chain = Array.from({ length: 50_000 }, (_unused, index) => node(`n${index}`, `n${index + 1}`));
  expect(order(...chain).ordered.at(-1)).toBe("n0");
});

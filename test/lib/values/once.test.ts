import { onceForAlike, onceForEach } from "../../../src/lib/values";

test("a value is derived once for each object, also where two objects are alike", () => {
  const derive = jest.fn(({ name }: { readonly name: string }) => [name]);
  const derived = onceForEach(derive);
  const [one, other] = [{ name: "a" }, { name: "a" }];
  expect(derived(one)).toEqual(["a"]);
  expect(derived(one)).toBe(derived(one));
  expect(derived(other)).not.toBe(derived(one));
  expect(derive).toHaveBeenCalledTimes(2);
});

test("a result of undefined is remembered, too", () => {
  const derive = jest.fn((_key: object) => undefined);
  const derived = onceForEach(derive);
  const key = {};
  expect([derived(key), derived(key)]).toEqual([undefined, undefined]);
  expect(derive).toHaveBeenCalledTimes(1);
});

test("a derivation that failed is tried again", () => {
  let isReady = false;
  const derived = onceForEach((_key: object) => {
    if (!isReady) throw new Error("not yet");
    return "derived";
  });
  const key = {};
  expect(() => derived(key)).toThrow("not yet");
  isReady = true;
  expect(derived(key)).toBe("derived");
});

test("a derivation that calls itself visits each shared part once", () => {
  interface Tree {
    readonly children: readonly Tree[];
  }
  let visited = 0;
  const size = onceForEach(({ children }: Tree): number => {
    visited++;
    return children.reduce((sum, child) => sum + size(child), 1);
  });
  const leaf: Tree = { children: [] };
  const shared: Tree = { children: [leaf, leaf] };
  expect(size({ children: [shared, shared] })).toBe(7);
  expect(visited).toBe(3);
});

test("a value is derived once for keys that are written alike", () => {
  const derive = jest.fn((names: readonly string[]) => (names.length === 0 ? undefined : new Set(names)));
  const derived = onceForAlike((names: readonly string[]) => names.join(), derive);
  expect(derived(["a", "b"])).toBe(derived(["a", "b"]));
  expect(derived(["b", "a"])).not.toBe(derived(["a", "b"]));
  expect([derived([]), derived([])]).toEqual([undefined, undefined]);
  expect(derive).toHaveBeenCalledTimes(3);
});

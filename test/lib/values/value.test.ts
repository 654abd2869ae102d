import { frozen } from "../../../src/lib/values";

test("data is frozen with all that is in it, be it circular", () => {
  const data = { list: [{ deep: 1 }], bare: Object.assign(Object.create(null) as object, { a: {} }) };
  const circle: { self?: object } = {};
  circle.self = circle;
  expect(frozen({ data, circle })).toEqual({ data, circle });
  for (const part of [data, data.list, data.list[0], data.bare, circle]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test("instances of classes are not entered", () => {
  const map = new Map([["a", {}]]);
  const instance = new (class {
    readonly inside = {};
  })();
  frozen([map, instance]);
  expect(Object.isFrozen(instance)).toBe(true);
  expect(Object.isFrozen(instance.inside)).toBe(false);
  expect(Object.isFrozen(map.get("a"))).toBe(false);
});

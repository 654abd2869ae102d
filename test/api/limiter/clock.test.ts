import { ageClock } from "../../../src/api/limiter";

test("the age of a reading follows the clock that has gone on further, and never falls", () => {
  const time = { monotonic: 0, wall: 1_000_000 };
  const age = ageClock({ monotonic: () => time.monotonic, wall: () => time.wall });
  const passes = (monotonic: number, wall: number) => {
    time.monotonic += monotonic;
    time.wall += wall;
    return age();
  };
  expect(passes(10, 10)).toBe(10);
  // Suspended.
  expect(passes(0, 60_000)).toBe(60_010);
  // The wall clock is set back, and forth again.
  expect(passes(5, -3_600_000)).toBe(60_015);
  expect(passes(5, 5)).toBe(60_020);
});

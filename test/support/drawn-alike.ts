/**
 * Stands for fast-check in tests: properties are tried with the same draws at each run, so that what a change is told is of its own
 * making. Loaded only by the tests that draw.
 */
import fc from "../../node_modules/fast-check/lib/cjs/fast-check";

// Whoever makes a campaign of them wants new draws.
if (process.env["FUZZ_FACTOR"] === undefined) fc.configureGlobal({ seed: 1 });

export * from "../../node_modules/fast-check/lib/cjs/fast-check";
export default fc;

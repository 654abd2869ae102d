/**
 * Stands for fast-check in tests: properties are tried with the same draws at each run, so that a test that fails after a change fails
 * because of the change. Loaded only by the tests that draw.
 */
import fc from "../../node_modules/fast-check/lib/cjs/fast-check";

// A campaign (`npm run fuzz`) needs new draws at each run.
if (process.env["FUZZ_FACTOR"] === undefined) fc.configureGlobal({ seed: 1 });

export * from "../../node_modules/fast-check/lib/cjs/fast-check";
export default fc;

/** Properties are tried with the same draws at each run: what a change is told must be of its own making. */
import fc from "fast-check";

// Whoever makes a campaign of them wants new draws.
if (process.env["FUZZ_FACTOR"] === undefined) fc.configureGlobal({ seed: 1 });

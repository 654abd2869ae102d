/** After a run of the fast tests, lists the tests that were left out. */
module.exports = class LeftOut {
  onRunComplete(contexts) {
    const projects = new Set([...contexts].map(({ config }) => config.displayName?.name));
    if (!projects.has("unit") || projects.has("slow")) return;
    const { slow } = require("./suites.cjs");
    console.log(
      `Left out: ${slow.length} slow suites (npm run test:slow), and the tests that draw many values or start programs (npm run test:all).`,
    );
  }
};

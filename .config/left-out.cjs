/** After a run of the unit tests, says which tests it has left out. */
module.exports = class LeftOut {
  onRunComplete(contexts) {
    const projects = new Set([...contexts].map(({ config }) => config.displayName?.name));
    if (!projects.has("unit") || projects.has("slow")) return;
    const { slow } = require("./suites.cjs");
    console.log(
      `Left out: ${slow.length} slow suites (npm run test:slow); what draws much and what starts programs (npm test).`,
    );
  }
};

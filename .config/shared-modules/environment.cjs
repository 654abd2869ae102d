const { TestEnvironment } = require("jest-environment-node");
const worldOf = require("./world.cjs");

/** What libraries keep in the global object: suites share the libraries, and so what these remember. */
const OF_LIBRARIES = /^__cdktfTokenMap$|^Symbol\(undici\./;

/** The global object of suites that share modules. A module belongs to one global object, so theirs is one, too. */
class SharedEnvironment extends TestEnvironment {
  #keys;
  #variables;
  #exit;

  constructor(config, context) {
    super(config, context);
    const { process } = this.global;
    this.#keys = new Set(Reflect.ownKeys(this.global));
    this.#variables = { ...process.env };
    this.#exit = process.exit;
  }

  /** Called after each suite: what it leaves behind, the next one does not find. */
  async teardown() {
    const { global } = this;
    const { env } = global.process;
    for (const key of Reflect.ownKeys(global))
      if (!this.#keys.has(key) && !OF_LIBRARIES.test(String(key))) Reflect.deleteProperty(global, key);
    for (const name of Object.keys(env)) if (!(name in this.#variables)) delete env[name];
    Object.assign(env, this.#variables);
    // Jest wraps it anew for each suite.
    global.process.exit = this.#exit;
  }
}

/** Jest makes an environment for each suite, and is given the worker's one. */
module.exports = function environmentOf(config, context) {
  const world = worldOf(config.projectConfig);
  world.environment ??= new SharedEnvironment(config, context);
  return world.environment;
};

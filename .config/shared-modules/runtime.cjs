const { join, sep } = require("node:path");
const { default: Runtime } = require("jest-runtime");
const worldOf = require("./world.cjs");

/** Parts of Jest that keep the state of a suite's run. All others, such as `expect`, are shared like a library. */
const OF_A_RUN = /[\\/]node_modules[\\/]jest-(circus|each)[\\/]/;

/**
 * Loads sources and libraries once for all suites that a worker of Jest is given. Jest itself loads them anew for each: 900 modules for
 * a suite of the engine, two fifths of the work of all suites; and tests ran in code that was cold each time. Suites and what is under
 * `test/support` are loaded for each suite, as ever.
 */
module.exports = class SharingRuntime extends Runtime {
  /** Loads what is shared, and outlives the suites. */
  #home;
  #shared;
  #isIsolated = false;

  constructor(config, ...rest) {
    super(config, ...rest);
    const world = worldOf(config);
    world.home ??= new Runtime(config, ...rest);
    this.#home = world.home;
    this.#shared = ["src", "node_modules"].map((folder) => join(config.rootDir, folder) + sep);
    // So that stack traces are right in modules that an earlier suite has loaded.
    this.transformCache.sourceMaps = this.#home.transformCache.sourceMaps;
  }

  requireModule(from, name, options, isRequireActual) {
    if (name !== undefined && !this.#isIsolated && !this._resolution.isCoreModule(name)) {
      const path = this._resolution.resolveCjs(from, name);
      const isShared =
        options?.isInternalModule === true
          ? !OF_A_RUN.test(path)
          : this.#shared.some((folder) => path.startsWith(folder));
      if (isShared) return this.#home.requireModule(path, undefined, options);
    }
    return super.requireModule(from, name, options, isRequireActual);
  }

  /** `jest.isolateModules` loads all anew. */
  isolateModules(load) {
    this.#isIsolated = true;
    try {
      super.isolateModules(load);
    } finally {
      this.#isIsolated = false;
    }
  }
};

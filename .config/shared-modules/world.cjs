/** What a worker of Jest keeps from suite to suite, for projects that mean the same modules by the same names. */
const worlds = new Map();

module.exports = function worldOf({ rootDir, moduleNameMapper }) {
  const key = JSON.stringify([rootDir, moduleNameMapper]);
  if (!worlds.has(key)) worlds.set(key, {});
  return worlds.get(key);
};

#!/bin/sh
# Starts the provider, which lies beside this file, with the Node on PATH. Each line is the same on every machine: lock files
# hold a hash of it. Terraform shows the first line that is printed here, where it is not a greeting. It may miss the line of
# a program that ends at once, so both ways of ending wait for a second; Terraform ends this program as soon as it has the line.
if ! command -v node >/dev/null 2>&1; then
  echo "The provider tenancy needs Node @NODE@ or later on PATH, where there is none. The release has a program that needs no Node."
  PATH="$PATH:/usr/bin:/bin" sleep 1
  exit 1
fi
# NODE_OPTIONS of another program may hold what this Node refuses. It would end before it can say why, so it goes without them.
if [ -n "${NODE_OPTIONS-}" ] && ! node -e "" >/dev/null 2>&1; then
  echo "The provider tenancy starts without NODE_OPTIONS, because Node does not start with them." >&2
  unset NODE_OPTIONS
fi
# Old syntax alone: whatever Node this is, it has to be able to say that it is too old.
exec node -e '
var least = "@NODE@".split("."), found = process.versions.node.split(".");
for (var i = 0; i < 3 && +found[i] === +least[i]; i++);
if (i < 3 && +found[i] < +least[i]) {
  console.log("The provider tenancy needs Node " + least.join(".") + " or later; the node on PATH is " + found.join(".") + ".");
  setTimeout(function () { process.exit(1); }, 1000);
} else {
  require(require("path").resolve(process.argv[1]));
}
' "${0%/*}/provider.cjs"

import { requireNode } from "../../src/cli/main";
import { oldNode } from "../../src/problems";
import { thrown } from "../support/thrown";

test.each(["20.18.1", "20.19.0", "21.0.0", "100.0.0"])("Node %s runs the command", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

test.each(["20.18.0", "20.9.5", "18.20.4", "8.0.0"])("Node %s is told to be too old", (version) => {
  expect(() => requireNode(version)).toThrow(thrown(oldNode));
  expect(() => requireNode(version)).toThrow(`tenancy needs Node 20.18.1 or later; this is Node ${version}`);
});

import { InvalidHandshake, checkNodeVersion } from "../../../../src/lib/plugin-runtime/greeting";

test.each(["20.18.1", "20.19.0", "22.0.0", "100.0.0"])("Node %s will do", (version) => {
  expect(() => checkNodeVersion(version)).not.toThrow();
});

test.each(["20.18.0", "20.9.9", "18.20.8", "9.99.99"])(
  "Node %s is too old, and the message says what is needed",
  (version) => {
    expect(() => checkNodeVersion(version)).toThrow(InvalidHandshake);
    expect(() => checkNodeVersion(version)).toThrow(
      `needs Node 20.18.1 or later; the one in use is ${version}`,
    );
  },
);

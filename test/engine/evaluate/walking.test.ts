import { SecretNames } from "../../../src/engine/evaluate/walking";

function noting(...names: readonly string[]): SecretNames {
  const secrets = new SecretNames();
  for (const name of names) secrets.note({ name }, [["name"]]);
  return secrets;
}

test.each([
  ["acme", "(sensitive value)"],
  ["jane@acme", "jane@(sensitive value)"],
  ["jane@acme/csi", "jane@(sensitive value)/csi"],
  ["acme@acme/acme", "(sensitive value)@(sensitive value)/(sensitive value)"],
  ["acme-2", "acme-2"],
  ["jane@my-acme", "jane@my-acme"],
])("a secret name is hidden where it is a whole part: %s", (key, title) => {
  expect(noting("acme").titleOf(key)).toBe(title);
});

test("a login is hidden as a whole, whichever was noted first", () => {
  expect(noting("acme", "jane@acme").titleOf("jane@acme/csi")).toBe("(sensitive value)/csi");
  expect(noting("jane@acme", "acme").titleOf("jane@acme/csi")).toBe("(sensitive value)/csi");
});

test("a name is taken literally, however long it is and whatever it holds", () => {
  for (const name of ["a.c", "[", "$&", "x".repeat(100_000), "a@a"]) {
    expect(noting(name).titleOf(`jane@${name}`)).toBe("jane@(sensitive value)");
  }
  expect(noting("a.c").titleOf("abc")).toBe("abc");
});

test("an empty name hides nothing, and neither does what is sensitive within a group", () => {
  const secrets = noting("");
  secrets.note({ name: "acme", contact: { email: "acme" } }, [["contact", "email"]]);
  expect(secrets.titleOf("jane@acme")).toBe("jane@acme");
});

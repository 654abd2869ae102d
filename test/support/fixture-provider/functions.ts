import { FunctionFailure, type FunctionDefinition } from "../../../src/lib/plugin-runtime";

export const functions: Readonly<Record<string, FunctionDefinition>> = {
  same: {
    summary: "Gives back what it is given",
    parameters: [{ name: "value", type: ["set", "string"], allowNull: true, allowUnknown: true }],
    returns: ["set", "string"],
    call: (value) => value ?? null,
  },
  sum: {
    summary: "Adds whole numbers",
    parameters: [{ name: "first", type: "number" }],
    variadic: { name: "others", type: "number" },
    returns: "number",
    call(...numbers) {
      const fraction = numbers.findIndex((number) => typeof number === "number" && !Number.isInteger(number));
      if (fraction >= 0) throw new FunctionFailure("a whole number is needed", fraction);
      return numbers.map((number) => BigInt(number as number)).reduce((a, b) => a + b);
    },
  },
  faulty: { parameters: [], returns: "number", call: () => "no number" },
};

import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { layers } from "./layers.mjs";

/** Advice that names an attribute, a flag or a verb by itself. `Words` (src/problems/words.ts) names them as the reader writes them. */
const NAME = /(^|[^.\w])[a-z]+_[a-z]/;
const FLAG_OR_VERB = /(^|[\s(`])--[a-z]|\btenancy (?!state|approval \d)[a-z]|importFrom|new Deletion/;
const NAME_FLAG_OR_VERB =
  /(^|[^.\w])[a-z]+_[a-z]|(^|\s)--[a-z]|\btenancy [a-z]|import. block|importFrom|new Deletion/;

/** A comparator that never answers 0: which of two equal ones stands first is left to chance. What is compared with a number is a sign. */
const NEVER_EQUAL = [
  '[consequent.operator="-"][consequent.argument.value=1][alternate.value=1]',
  '[alternate.operator="-"][alternate.argument.value=1][consequent.value=1]',
].map((outcomes) => ({
  selector: `:not(ConditionalExpression) > ConditionalExpression[test.operator=/^[<>]$/][test.right.type!="Literal"]${outcomes}`,
  message: "Compare with `compareText` (src/lib/values/text.ts), or answer 0 where both are equal.",
}));

/** On Node 20 members after a spread make an object 30 times slower than members before it. */
const SPREAD_LAST = {
  selector: "ObjectExpression > SpreadElement ~ Property",
  message: "This runs for each object of a plan: write the spread last.",
};

function noAdviceWith(pattern) {
  const message = "Word advice with `say`: (say) => `Set ${say.name(…)}.`";
  const advice = 'Property[key.name="advice"]';
  const selectors = [
    `${advice} > Literal[value=${pattern}]`,
    `${advice} :not(CallExpression[callee.object.name="say"]) > Literal[value=${pattern}]`,
    `${advice} TemplateElement[value.raw=${pattern}]`,
  ];
  const refused = selectors.map((selector) => ({ selector, message }));
  return { "no-restricted-syntax": ["error", ...NEVER_EQUAL, ...refused] };
}

/** The advice as above, and flags and verbs in any other text: it may be put into advice, a note or a reason elsewhere. What is wrong may name them. */
function noAdviceButWorded() {
  const message = "Word it with `say`: (say) => `Pass ${say.flag(…)}.`";
  const isWorded = ':not(CallExpression[callee.object.name="say"] *)';
  const isFact =
    ':not(Property[key.name=/^(problem|source)$/] *):not(CallExpression[callee.property.name="error"] > *)';
  const selectors = [
    `Literal[value=${FLAG_OR_VERB}]${isWorded}${isFact}`,
    `TemplateElement[value.raw=${FLAG_OR_VERB}]${isWorded}${isFact}`,
  ];
  const [severity, ...others] = noAdviceWith(NAME)["no-restricted-syntax"];
  return {
    "no-restricted-syntax": [severity, ...others, ...selectors.map((selector) => ({ selector, message }))],
  };
}

export default tseslint.config(
  {
    ignores: [
      "lib/**",
      "engine/**",
      "testing/**",
      "register/**",
      "cdktn/**",
      "**/cdktf.out/**",
      "src/constructs/generated/**",
      "src/lib/plugin-runtime/generated/**",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { project: "../tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "no-console": "error",
      "no-restricted-syntax": ["error", ...NEVER_EQUAL],
      eqeqeq: "error",
    },
  },
  ...layers,
  // What HCL's users read too; then what users of the command and of the library read.
  { files: ["src/{schema,ownership,api,service,resources}/**"], rules: noAdviceWith(NAME_FLAG_OR_VERB) },
  { files: ["src/{plan,state,stack,engine}/**"], rules: noAdviceButWorded() },
  ...[
    { files: ["src/ownership/**"], rules: noAdviceWith(NAME_FLAG_OR_VERB) },
    { files: ["src/engine/entries/**", "src/stack/{placed,reader}.ts"], rules: noAdviceButWorded() },
  ].map(({ files, rules }) => ({
    files,
    rules: { "no-restricted-syntax": [...rules["no-restricted-syntax"], SPREAD_LAST] },
  })),
  // Programs of the project's own, which talk to whoever runs them.
  {
    files: ["test/torture/main.ts", "test/mutation/main.ts", "test/bench/**/*.ts", ".ci/measure.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.cjs", "**/*.js"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        Buffer: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
        performance: "readonly",
      },
    },
    rules: { ...tseslint.configs.disableTypeChecked.rules, "no-console": "off" },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: { sourceType: "commonjs" },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);

/**
 * Protects the declarations of the other stacks of an app, and of the other provider configurations of a stack. A run never deletes an object that
 * another one declares at the same service, and never an account or a user that holds such an object (design: Ownership).
 */
import { declaredTwice, type Finding, isError, otherStateClosed, TenancyError, wordsFor } from "../problems";
import { accountOfLogin } from "../resources";
import { serviceAndOwnerOf } from "../service";
import type { Stack } from "../stack";
import { isKnownText, normalForm, type ObjectValue, shellWord, textOf, UNKNOWN_TEXT } from "../lib/values";
import type { DeclaredElsewhere } from "./change";
import { doubtsOf, evaluateTolerantly } from "./declared";
import { providerConfigurations } from "./evaluate/providers";
import type { Evaluated } from "./evaluate/stack";
import { keyPattern } from "./families";
import { argumentsOf, type Loaded, loadSibling } from "./load/stack";
import type { PlanOptions, StackSource } from "./options";
import type { ConflictingObject, OfflineObject, PlannedObject } from "./planned-object";
import { Run } from "./run";
import { ownKeyName } from "./state";

/** An object that another stack, or the planned stack itself declares. */
export interface StackDeclaration {
  /** The stack, or the provider configuration, as in `the stack "prod"`. */
  readonly by: string;
  /** The provider configuration of an object of the planned stack itself: its own deletes are judged without it. */
  readonly provider?: string;
  /** Undefined if the service is not known yet: then it may be any. */
  readonly origin: string | undefined;
  readonly title: string;
  /** Keys and ids of the object, its user and its account: the object ends with each of them. Unknown parts read `(known after apply)`. */
  readonly names: readonly string[];
  /** Advice on the declaration, as a clause. */
  readonly remark?: string;
}

/**
 * Evaluates the other stacks that use one of the planned services. A stack that cannot be evaluated to its end may declare anything.
 * @returns `unknown`: warnings of a run that deletes, of stacks whose declarations are not known
 */
export async function declaredInOtherStacks(
  { evaluation: result, source, options, strays: ownStrays }: Evaluated,
  run: Run,
  plannedAt: Date,
): Promise<{ readonly declaredElsewhere: DeclaredElsewhere; readonly unknown: readonly Finding[] }> {
  const origins = originsOf(result);
  const { only: _only, exclude: _exclude, destroy: _destroy, ...asking } = options;
  // A destroy deletes the objects of all provider configurations.
  const areAllKept = options.destroy !== true && result.targets.length > 1;
  const own = areAllKept ? liveDeclarations(result.objects, ownStrays) : [];
  const declarations: StackDeclaration[] = own.map(({ target: { provider }, ...one }) => {
    return { ...one, provider, by: `the provider configuration ${JSON.stringify(provider)}` };
  });
  const before = await declaredBefore({ evaluation: result, source, options }, run);
  declarations.push(...before.declarations);
  const doubts: string[] = [];
  for (const stack of await siblingsAt(origins, source, asking)) {
    const strays: ConflictingObject[] = [];
    const evaluation = { run: new Run(asking, stack.name, run), plannedAt, strays, isNamed: false };
    const { objects, findings } = await evaluateTolerantly(stack, asking, evaluation);
    for (const { target: _target, ...one } of liveDeclarations(objects, strays))
      declarations.push({ ...one, by: byStack(stack) });
    // A value that was given for this run may be the other stack's, too, or not.
    const { variables: _variables, ...unvaried } = asking;
    if (argumentsOf(asking.variables).length > 0)
      declarations.push(...(await declaredInCode(stack, unvaried, plannedAt)).declarations);
    if (!findings.some(isError)) continue;
    // The code alone shows most of the keys, too.
    const offline = await declaredInCode(stack, asking, plannedAt);
    declarations.push(...offline.declarations);
    doubts.push(...doubtsOf(stack, offline.findings));
  }
  return { declaredElsewhere: declaredAmong(declarations, doubts), unknown: before.unknown };
}

/** The same for the stacks that this run does not synthesize alone: an apply of one of them may have noted more since the plan. */
export async function declaredSince(evaluated: Evaluated, run: Run): Promise<DeclaredElsewhere> {
  return declaredAmong((await declaredBefore(evaluated, run)).declarations, []);
}

function originsOf({ targets }: Evaluated["evaluation"]): ReadonlySet<string> {
  return new Set(targets.map(({ origin }) => origin));
}

/** The declarations of stacks that this run does not synthesize, as the state has noted them at an earlier apply. */
async function declaredBefore(
  { evaluation, source, options }: Pick<Evaluated, "evaluation" | "source" | "options">,
  run: Run,
): Promise<{ readonly declarations: readonly StackDeclaration[]; readonly unknown: readonly Finding[] }> {
  const declarations: StackDeclaration[] = [];
  const unopened = new Map<string, string>();
  const say = wordsFor(options.reader);
  const isElsewhere = (name: string) => source.stacks.every((stack) => stack.name !== name);
  for (const origin of originsOf(evaluation)) {
    const { names: stacks, unopened: states } = await run.notedDeclarations(origin, isElsewhere);
    for (const [name, reason] of states) if (isElsewhere(name)) unopened.set(name, reason);
    for (const [name, objects] of stacks) {
      if (!isElsewhere(name)) continue;
      const way = say.command(`run \`tenancy state rm --stack ${shellWord(name)}\``) ?? "call `retireStack`";
      const remark = `; this app does not make that stack now: if it is retired, ${way}`;
      for (const names of objects)
        declarations.push({ by: byStack({ name }), origin, title: names[0] ?? "", names, remark });
    }
  }
  const unknown = [...unopened].map(([stack, reason]) =>
    otherStateClosed.at({ stack, reason, key: ownKeyName(stack) }),
  );
  return { declarations, unknown };
}

function byStack({ name }: Pick<StackSource, "name">): string {
  return `the stack ${JSON.stringify(name)}`;
}

/** The declared objects of one stack, with the ids that their services show. */
function liveDeclarations(objects: readonly PlannedObject[], strays: readonly ConflictingObject[]) {
  const planned = objects.map(({ change: { key, observedRecord }, ...object }) => {
    const { self } = object.lookup?.kind === "live" ? object.lookup.records : {};
    return { ...object, key, ids: [textOf(self?.["id"]), observedRecord?.accountId] };
  });
  const conflicting = strays.map((stray) => ({ ...stray, ids: [textOf(stray.found.self["id"])] }));
  return [...planned, ...conflicting].map(({ key, ids, target, config, titleOf }) => {
    // The login of a token's user need not show the account that the user is in.
    const user = target.snapshot.profileWithLogin(textOf(config["login"]) ?? "");
    const names = [
      ...namesAround(key, config),
      ...[...ids, user?.id, user?.account_id].flatMap((id) => id ?? []),
    ];
    return { target, origin: target.origin, title: titleOf(key), names };
  });
}

/** The other stacks that use one of the services, as far as their provider configurations show it. */
async function siblingsAt(
  origins: ReadonlySet<string>,
  source: Required<StackSource>,
  options: PlanOptions,
): Promise<readonly Required<StackSource>[]> {
  const siblings: Required<StackSource>[] = [];
  for (const entry of source.stacks.filter(({ name }) => name !== source.name)) {
    const sibling = await originsIn(() => loadSibling(entry, source.stacks), options);
    if ([...sibling.values()].some((origin) => origin === undefined || origins.has(origin)))
      siblings.push({ ...source, name: entry.name });
  }
  return siblings;
}

/** The services of a stack's provider configurations; undefined for one that is not known. A stack that cannot be read may use any. */
async function originsIn(
  read: () => Stack,
  options: PlanOptions,
): Promise<ReadonlyMap<string, string | undefined>> {
  const known = <T>(make: () => T): T | undefined => {
    try {
      return make();
    } catch (error) {
      if (error instanceof TenancyError) return undefined;
      throw error;
    }
  };
  const stack = known(read);
  if (stack === undefined) return new Map([["tenancy", undefined]]);
  const configurations = await providerConfigurations(stack, options);
  return new Map(
    [...configurations].map(([provider, config]) => [
      provider,
      config instanceof TenancyError
        ? undefined
        : known(() => serviceAndOwnerOf(config, options.environment ?? {}).origin),
    ]),
  );
}

/** The objects that a stack declares, each with its provider configuration, without asking its services. */
export async function declaredInCode(source: Required<StackSource>, ran: PlanOptions, plannedAt: Date) {
  // A selection names objects of the planned stack.
  const { only: _only, exclude: _exclude, ...options } = ran;
  const { offlineObjects, findings } = await evaluateTolerantly(source, options, {
    run: undefined,
    plannedAt,
    isNamed: false,
  });
  const entry = source.stacks.find(({ name }) => name === source.name)!;
  const origins = await originsIn(() => loadSibling(entry, source.stacks), options);
  const declarations = offlineObjects.map(({ key, config, titleOf, provider, ...object }: OfflineObject) => ({
    ...object,
    through: provider,
    ...{ stack: source.name, by: byStack(source), origin: origins.get(provider), key, title: titleOf(key) },
    names: namesAround(key, config),
  }));
  return { declarations, findings };
}

/** The keys of an object, of its user if it is a token, and of its account. */
export function namesAround(key: string, { login, name }: ObjectValue): readonly string[] {
  const user = login === undefined ? key : key.slice(0, -`/${textOf(name) ?? UNKNOWN_TEXT}`.length);
  return [...new Set([key, user, accountOfLogin(user)].map(normalForm))];
}

function declaredAmong(
  declarations: readonly StackDeclaration[],
  doubts: readonly string[],
): DeclaredElsewhere {
  const known = new Map<string, StackDeclaration[]>();
  const possible: { readonly pattern: RegExp; readonly one: StackDeclaration }[] = [];
  for (const one of declarations)
    for (const name of one.names) {
      const place = `${one.origin} ${name}`;
      if (one.origin === undefined || !isKnownText(name)) possible.push({ pattern: keyPattern(name), one });
      else if (known.get(place)?.push(one) === undefined) known.set(place, [one]);
    }
  return ({ origin, provider }, { key, id = key }) => {
    const isOther = (one: StackDeclaration) => one.provider === undefined || one.provider !== provider;
    const names = [normalForm(key), id];
    const declaration = names.flatMap((name) => known.get(`${origin} ${name}`) ?? []).find(isOther);
    if (declaration !== undefined) {
      const object =
        declaration.title === key
          ? "it"
          : `${JSON.stringify(declaration.title)}, which would be deleted, too`;
      return { clause: `${declaration.by} declares ${object}${declaration.remark ?? ""}`, isCertain: true };
    }
    const match = possible.find(
      ({ pattern, one }) =>
        isOther(one) && (one.origin ?? origin) === origin && names.some((name) => pattern.test(name)),
    );
    if (match !== undefined) {
      const { by, title, remark = "" } = match.one;
      const clause = `${by} declares ${JSON.stringify(title)}, which may be deleted, too${remark}`;
      return { clause, isCertain: false };
    }
    const [doubt] = doubts;
    return doubt === undefined
      ? undefined
      : { clause: `another stack may declare it: ${doubt}`, isCertain: false };
  };
}

type StackInCode = Awaited<ReturnType<typeof declaredInCode>>;

/** The declarations of the stacks of a synthesis that use one of the planned services, without asking them. */
export interface CodeDeclarations {
  /** Of the planned stack; undefined if it is the only one. */
  readonly own: StackInCode["declarations"] | undefined;
  readonly siblings: ReadonlyMap<string, StackInCode>;
}

/**
 * Refuses an object that two stacks declare at one service: each would undo the values of the other. No service is asked.
 * @throws declaredTwice
 */
export async function refuseDeclaredTwice(
  { source, options }: Loaded,
  plannedAt: Date,
): Promise<CodeDeclarations> {
  const here = source.stacks.find(({ name }) => name === source.name)!;
  const own = await originsIn(() => loadSibling(here, source.stacks), options);
  const origins = new Set([...own.values()].flatMap((origin) => origin ?? []));
  const siblings = await siblingsAt(origins, source, options);
  if (siblings.length === 0) return { own: undefined, siblings: new Map() };

  const identityOf = ({ origin, type, key }: { origin: string | undefined; type: string; key: string }) =>
    origin === undefined || !isKnownText(key) ? undefined : `${origin} ${type} ${normalForm(key)}`;
  const { declarations: allOwn } = await declaredInCode(source, options, plannedAt);
  const ownDeclarations = new Map(allOwn.map((one) => [identityOf(one), one]));
  ownDeclarations.delete(undefined);
  const declaredBySiblings = new Map<string, StackInCode>();
  for (const sibling of siblings) {
    const others = await declaredInCode(sibling, options, plannedAt);
    declaredBySiblings.set(sibling.name, others);
    for (const other of others.declarations) {
      const twin = ownDeclarations.get(identityOf(other));
      if (twin === undefined) continue;
      const placed = ({ address, stack }: typeof other) => `${address} of the stack ${JSON.stringify(stack)}`;
      // The runs of both stacks say it in the same words.
      const [first = "", second = ""] = [placed(other), placed(twin)].sort();
      throw declaredTwice.error({ key: twin.title, first, second });
    }
  }
  return { own: allOwn, siblings: declaredBySiblings };
}

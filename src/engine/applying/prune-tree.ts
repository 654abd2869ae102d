/** What is deleted belongs together: tokens to their user, users to their account. */
import type { Prune } from "../planning/pruning/prune";
import { identityOf } from "../store/token-state";

export class PruneTree {
  readonly #inside = new Map<Prune, Prune[]>();
  readonly #container = new Map<Prune, Prune>();

  constructor(prunes: readonly Prune[]) {
    const byId = new Map<string, Prune>();
    const byLogin = new Map<string, Prune>();
    for (const prune of prunes) {
      const { change, target } = prune;
      if (prune.resource.inventory === undefined) continue;
      byId.set(`${target.origin} ${change.sighting?.id}`, prune);
      byLogin.set(`${target.origin} ${change.key}`, prune);
    }
    for (const prune of prunes) {
      const { change, target, resource } = prune;
      const container =
        resource.inventory === undefined
          ? byLogin.get(`${target.origin} ${identityOf(change.before ?? {}).login}`)
          : byId.get(`${target.origin} ${change.sighting?.accountId}`);
      if (container === undefined || container === prune) continue;
      this.#container.set(prune, container);
      this.#inside.set(container, [...(this.#inside.get(container) ?? []), prune]);
    }
  }

  /** What goes before it, because it is in it. */
  inside(prune: Prune): readonly Prune[] {
    return this.#inside.get(prune) ?? [];
  }

  /** What goes after it, from the inside out. */
  containersOf(prune: Prune): readonly Prune[] {
    const containers: Prune[] = [];
    for (let outer = this.#container.get(prune); outer !== undefined; outer = this.#container.get(outer))
      containers.push(outer);
    return containers;
  }
}

/** A value that no inspection, crash report or JSON shows: only who asks for it by name sees it. */
export class Concealed<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }
}

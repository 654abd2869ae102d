/** A function cannot do with what it was given. */
export class FunctionFailure extends Error {
  /** Index of the argument that is at fault, where it is one. */
  readonly argument: number | undefined;

  constructor(message: string, argument?: number) {
    super(message);
    this.name = "FunctionFailure";
    this.argument = argument;
  }
}

/** What a new project is made from. */
export interface Answers {
  /** Name of the folder, fit for package.json. */
  readonly name: string;
  readonly owner: string;
  /** Without `/api`. */
  readonly baseUrl: string;
}

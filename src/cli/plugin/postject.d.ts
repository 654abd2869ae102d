/** A file of its own since a module's declaration needs one: types for postject, which comes without types. */
declare module "postject" {
  export function inject(
    program: string,
    resource: string,
    data: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}

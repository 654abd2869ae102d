/** The library comes without types; this much of it is used here. */
declare module "postject" {
  export function inject(
    program: string,
    resource: string,
    data: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}

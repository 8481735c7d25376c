/**
 * Declares the used part of the package named in this folder's package.json, so that types are checked where it is not
 * installed.
 */
declare module '@hey-api/openapi-ts' {
  export function createClient(options: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: { readonly path: string; readonly entryFile: boolean };
    readonly parser?: { readonly filters: { readonly orphans: boolean } };
    readonly plugins: readonly string[];
    readonly logs: { readonly level: string };
  }): Promise<unknown>;
}

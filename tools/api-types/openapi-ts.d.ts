/**
 * Declares the part of the package named in this folder's package.json that is used, so that types are checked even
 * where the package is not installed.
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

import type { TrackerKind } from '../hosts/hosts.ts';

/** Fields of a connection that are set by the account. */
export interface TrackerFields {
  readonly name: string;
  readonly kind: TrackerKind;
  readonly baseUrl: string;
  /** User of the token, for Jira Cloud. */
  readonly username: string | null;
  readonly repositories: readonly string[];
}

/** Fields that a save changes; undefined leaves a field unchanged. The kind cannot be changed. */
export type TrackerPatch = { readonly [Key in keyof Omit<TrackerFields, 'kind'>]?: TrackerFields[Key] | undefined } & {
  readonly token?: string | undefined;
};

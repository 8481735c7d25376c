import type { TrackerKind } from '../hosts/hosts.ts';

/** What an account says of a connection. */
export interface TrackerFields {
  readonly name: string;
  readonly kind: TrackerKind;
  readonly baseUrl: string;
  /** Of Jira Cloud: whose token it is. */
  readonly username: string | null;
  readonly repositories: readonly string[];
}

/** What a save changes; undefined leaves a field alone. The kind stays. */
export type TrackerPatch = { readonly [Key in keyof Omit<TrackerFields, 'kind'>]?: TrackerFields[Key] | undefined } & {
  readonly token?: string | undefined;
};

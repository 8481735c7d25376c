import type { TrackerError } from './tracker-error.ts';

/** A request to a tracker, below its base URL. */
export interface TrackerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; its parts are encoded (`buildPath`). */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

export interface TrackerAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined of an answer without JSON. */
  readonly body: unknown;
}

/** @throws TrackerError for whatever is no success */
export type AskTracker = (request: TrackerRequest) => Promise<TrackerAnswer>;

/** One tracker as it is asked, with the token of its connection. */
export interface TrackerAccess {
  readonly ask: AskTracker;
  /** Jira Cloud is asked as a user by e-mail address; its texts are documents. */
  readonly isCloud: boolean;
}

/** What a tracker says of a token. */
export interface TokenFacts {
  /** A user name, or what the tracker calls its users by. */
  readonly login: string;
  readonly name: string | null;
  /** Null where the tracker does not tell. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: string | null;
  /** Of the repository that was asked about; null where none was. */
  readonly repository: RepositoryFacts | null;
}

export interface RepositoryFacts {
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** Register webhooks; null where the tracker does not tell. */
  readonly mayManageHooks: boolean | null;
}

export interface HookOrder {
  readonly repository: string;
  /** The one that was registered before; null: hooks whose address begins with the prefix are looked for. */
  readonly hookId: string | null;
  readonly url: string;
  /** How addresses of this flow begin, whatever their secret. */
  readonly urlPrefix: string;
  readonly secret: string;
  /** By the host's own names, as `planEvents` made them. */
  readonly events: readonly string[];
}

export interface HookPlace {
  readonly repository: string;
  /** Null where it is not known: hooks whose address begins with the prefix are looked for. */
  readonly hookId: string | null;
  readonly urlPrefix: string;
}

export interface Comment {
  readonly author: string | null;
  readonly body: string;
  readonly created_at: string | null;
}

/** An issue as agents read it, whatever the tracker. */
export interface Issue {
  readonly issue: string;
  readonly title: string;
  readonly state: string;
  readonly url: string | null;
  readonly author: string | null;
  readonly assignees: readonly string[];
  readonly labels: readonly string[];
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

export interface IssueDetails extends Issue {
  readonly body: string;
  readonly comments: readonly Comment[];
  /** That the tracker has more comments than these. */
  readonly has_more_comments: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly status: string;
  /** Null where the tracker does not show it. */
  readonly patch: string | null;
}

/** A pull or merge request. */
export interface ChangeDetails extends Issue {
  readonly body: string;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly head_sha: string;
  readonly is_draft: boolean;
  readonly files: readonly ChangedFile[];
  readonly has_more_files: boolean;
}

/** `on` says what a number means where issues and merge requests are counted apart. */
export interface IssuePlace {
  readonly repository: string;
  readonly issue: string;
  readonly on: 'issue' | 'change';
}

export interface IssueSearch {
  readonly repository: string;
  readonly query: string | undefined;
  readonly state: 'open' | 'closed' | 'all';
  readonly labels: readonly string[];
  readonly limit: number;
}

export interface NewIssue {
  readonly repository: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Of Jira; `Task` where it is not said. */
  readonly issueType: string | undefined;
}

export interface CommitStatus {
  readonly repository: string;
  readonly sha: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  readonly context: string;
  readonly description: string | undefined;
  readonly targetUrl: string | undefined;
}

/** What was written, and where it can be looked at. */
export interface Written {
  readonly id: string;
  readonly url: string | null;
}

/** How one tracker is asked. What it cannot do is not there. */
export interface TrackerHost {
  /** As sentences name it. */
  readonly title: string;
  /** What a repository or project is called by. */
  readonly repository: { readonly pattern: RegExp; readonly words: string };
  /** Where it stands unless the connection says otherwise; undefined where it has to. */
  readonly baseUrl: string | undefined;
  /** Behind the base URL of a connection. */
  readonly findApiPath: (baseUrl: URL, isCloud: boolean) => string;
  readonly buildAuthorization: (token: string, username: string | null) => Readonly<Record<string, string>>;
  /** The error that a body states, of hosts whose status does not say whether there is one. */
  readonly findError?: (body: unknown) => TrackerError | undefined;
  /**
   * What a hook is registered for so that these `event_types` come; none means all that flows are about.
   * A name that its hooks do not know is answered as text, a sentence.
   */
  readonly planEvents: (eventTypes: readonly string[]) => readonly string[] | string;
  readonly describeToken: (access: TrackerAccess, repository: string | undefined) => Promise<TokenFacts>;
  /** Registers, or puts right the one that is there. Answers its id. @throws TrackerError `not_found` for a `hookId` that is gone */
  readonly saveHook: (access: TrackerAccess, order: HookOrder) => Promise<string>;
  /** One that is gone is removed. */
  readonly removeHook: (access: TrackerAccess, place: HookPlace) => Promise<void>;
  readonly readIssue: (access: TrackerAccess, place: IssuePlace) => Promise<IssueDetails>;
  readonly listIssues: (access: TrackerAccess, search: IssueSearch) => Promise<readonly Issue[]>;
  readonly comment: (access: TrackerAccess, place: IssuePlace, body: string) => Promise<Written>;
  readonly changeLabel: (
    access: TrackerAccess,
    place: IssuePlace,
    change: { readonly label: string; readonly isAdded: boolean },
  ) => Promise<void>;
  readonly openIssue: (access: TrackerAccess, issue: NewIssue) => Promise<Written>;
  readonly readChange?: (access: TrackerAccess, place: IssuePlace) => Promise<ChangeDetails>;
  readonly setStatus?: (access: TrackerAccess, status: CommitStatus) => Promise<Written>;
}

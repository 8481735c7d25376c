import type { TrackerError } from './tracker-error.ts';

/** A request to a tracker, at a path below its base URL. */
export interface TrackerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path that begins with a slash; its parts are encoded (`buildPath`). */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

export interface TrackerAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Body as parsed JSON; undefined for a response without JSON. */
  readonly body: unknown;
}

/**
 * Sends a request to a tracker.
 * @throws TrackerError for every failure
 */
export type AskTracker = (request: TrackerRequest) => Promise<TrackerAnswer>;

/** Access to one tracker, with the token of its connection. */
export interface TrackerAccess {
  readonly ask: AskTracker;
  /** True for Jira Cloud, which authenticates users by email address and whose text fields are documents. */
  readonly isCloud: boolean;
}

/** Properties of a token, as reported by the tracker. */
export interface TokenFacts {
  /** User name of the token, or the tracker's equivalent. */
  readonly login: string;
  readonly name: string | null;
  /** Scopes of the token; null if the tracker does not report them. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: string | null;
  /** Permissions for the requested repository; null if no repository was requested. */
  readonly repository: RepositoryFacts | null;
}

export interface RepositoryFacts {
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** Whether the token may register webhooks; null if the tracker does not report it. */
  readonly mayManageHooks: boolean | null;
}

export interface HookOrder {
  readonly repository: string;
  /** Id of the registered hook; if it is null, the hook is found by the prefix of its address. */
  readonly hookId: string | null;
  readonly url: string;
  /** Common prefix of this flow's webhook addresses, which end with a secret. */
  readonly urlPrefix: string;
  readonly secret: string;
  /** Event names of the tracker, from `planEvents`. */
  readonly events: readonly string[];
}

export interface HookPlace {
  readonly repository: string;
  /** Id of the hook; if it is null, the hook is found by the prefix of its address. */
  readonly hookId: string | null;
  readonly urlPrefix: string;
}

export interface Comment {
  readonly author: string | null;
  readonly body: string;
  readonly created_at: string | null;
}

/** An issue in the form that agents read, which is the same for all trackers. */
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
  /** Whether the tracker has more comments than these. */
  readonly has_more_comments: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly status: string;
  /** Changes to the file as a patch; null if the tracker does not provide it. */
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

/**
 * An issue, or a pull or merge request. `on` states which of these the number refers to, since some trackers number
 * them separately.
 */
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
  /** Type of the issue, for Jira; default: `Task`. */
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

/** Id of the created comment, issue or status, and the URL of its page; for a status, the target URL. */
export interface Written {
  readonly id: string;
  readonly url: string | null;
}

/** Client of one kind of tracker. Operations that the tracker does not support are undefined. */
export interface TrackerHost {
  /** Display name of the tracker. */
  readonly title: string;
  /** Pattern for repository names in this tracker, and its description. */
  readonly repository: { readonly pattern: RegExp; readonly words: string };
  /** Default base URL; undefined if the connection must set it. */
  readonly baseUrl: string | undefined;
  /** Returns the path of the API below the base URL of a connection. */
  readonly findApiPath: (baseUrl: URL, isCloud: boolean) => string;
  readonly buildAuthorization: (token: string, username: string | null) => Readonly<Record<string, string>>;
  /** Returns the error reported in a response body, for trackers whose status codes do not show it. */
  readonly findError?: (body: unknown) => TrackerError | undefined;
  /**
   * Returns the event subscriptions of a hook for these `event_types`; an empty list selects the default events of the
   * tracker. For an unknown name, returns an error message.
   */
  readonly planEvents: (eventTypes: readonly string[]) => readonly string[] | string;
  readonly describeToken: (access: TrackerAccess, repository: string | undefined) => Promise<TokenFacts>;
  /**
   * Registers a hook, or updates the existing one. Returns its id.
   * @throws TrackerError `not_found` if the hook with this `hookId` has been deleted
   */
  readonly saveHook: (access: TrackerAccess, order: HookOrder) => Promise<string>;
  /** Removes a hook; one that no longer exists is treated as removed. */
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

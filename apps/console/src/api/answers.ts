/**
 * The answers of the API by the names this code calls them. The generated types are named after operations; here, and nowhere
 * else, they are looked up.
 */
import type {
  GetApiV1RuntimeSessionsResponse,
  GetApiV1RuntimeSessionsSessionIdResponse,
  GetApiV1RuntimeSessionsSessionIdTimelineResponse,
  GetApiV1UsersMeResponse,
  PostApiV1RuntimeSessionsSearchData,
  PostApiV1RuntimeSessionsSearchResponse,
} from './__generated__/types.gen.ts';

export type User = GetApiV1UsersMeResponse;
export type Permission = User['permissions'][number];

export type SearchRequest = PostApiV1RuntimeSessionsSearchData['body'];
export type SearchAnswer = PostApiV1RuntimeSessionsSearchResponse;
export type FoundSession = SearchAnswer['results'][number];
export type Snippet = FoundSession['snippets'][number];

export type RuntimeSession = GetApiV1RuntimeSessionsSessionIdResponse;
export type SessionsPage = GetApiV1RuntimeSessionsResponse;
export type TimelinePage = GetApiV1RuntimeSessionsSessionIdTimelineResponse;
export type TimelineEntry = TimelinePage['items'][number];

/** Of the routes for browsers: the refresh token comes as a cookie that no script sees. */
export interface BrowserSession {
  readonly access_token: string;
  readonly expires_in: number;
  readonly user?: User;
}

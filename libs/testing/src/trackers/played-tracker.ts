import type { ServerResponse } from 'node:http';
import { startHttpReceiver, type ReceivedRequest } from '../http-receiver.ts';
import { githubAnswers } from './github-answers.ts';
import { gitlabAnswers } from './gitlab-answers.ts';
import { jiraAnswers } from './jira-answers.ts';
import { linearAnswers } from './linear-answers.ts';
import type { PlayedAnswer, PlayedHook, PlayedRequest, PlayTracker } from './play-tracker.ts';

export type PlayedTrackerKind = 'github' | 'gitlab' | 'jira' | 'linear';

const PLAYERS: Readonly<Record<PlayedTrackerKind, PlayTracker>> = {
  github: githubAnswers,
  gitlab: gitlabAnswers,
  jira: jiraAnswers,
  linear: linearAnswers,
};

/**
 * Starts a real server that imitates one of the trackers by their documented shapes, and stores the registered
 * webhooks.
 */
export async function startPlayedTracker(kind: PlayedTrackerKind, port?: number) {
  const hooks = new Map<string, PlayedHook>();
  let refusal: PlayedAnswer | undefined;
  let refused: (request: PlayedRequest) => boolean = () => true;
  const receiver = await startHttpReceiver((received, response) => {
    const request = { ...readRequest(received), hooks, origin: receiver.url };
    const answer =
      refusal !== undefined && refused(request)
        ? refusal
        : (PLAYERS[kind](request) ?? { status: 404, body: { message: 'Not Found' } });
    send(response, answer);
  }, port);
  return {
    origin: new URL(receiver.url).origin,
    hooks,
    requests: receiver.requests,
    /** Sets the response to matching later requests; undefined restores the normal response. */
    refuse(answer: PlayedAnswer | undefined, which: (request: PlayedRequest) => boolean = () => true): void {
      refusal = answer;
      refused = which;
    },
    close: () => receiver.close(),
  };
}

function readRequest({ method, path, body }: ReceivedRequest) {
  const url = new URL(path, 'http://tracker.test');
  const parsed = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  // The path is passed on as received: a parser would decode it.
  return { method, path: path.split('?')[0] ?? '', query: url.searchParams, body: parsed };
}

function send(response: ServerResponse, { status, body, headers = {} }: PlayedAnswer): void {
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

import { readHeader } from './read-fields.ts';
import type { SourceHeaders } from './source.ts';
import type { SourceName } from './sources.ts';

/**
 * Headers by which a source is recognized: all headers of a line must be present. Gitea, Forgejo and Gogs also send the
 * headers of GitHub, so their lines come first.
 */
const MARKS: readonly (readonly [SourceName, ...string[]])[] = [
  ['gitea', 'x-gitea-event'],
  ['gitea', 'x-forgejo-event'],
  ['gitea', 'x-gogs-event'],
  ['github', 'x-github-event'],
  ['gitlab', 'x-gitlab-event'],
  ['bitbucket', 'x-event-key', 'x-request-uuid'],
  ['bitbucket', 'x-event-key', 'x-request-id'],
  ['linear', 'linear-event', 'linear-delivery'],
  ['slack', 'x-slack-request-timestamp', 'x-slack-signature'],
  ['sns', 'x-amz-sns-message-type'],
];

/**
 * Returns the source of a request to a flow that names no source, recognized by the headers; undefined for any other
 * sender.
 */
export function recogniseSource(headers: SourceHeaders): SourceName | undefined {
  const found = MARKS.find(([, ...names]) => names.every((name) => readHeader(headers, name) !== undefined));
  return found?.[0];
}

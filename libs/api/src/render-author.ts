import type { OperatorNote } from '@steward/sessions';

/** Renders the author of a note. */
export function renderAuthor({ author }: OperatorNote) {
  return { user_id: author.userId, display: author.display, auth_method: author.authMethod };
}

import type { OperatorNote } from '@steward/sessions';

/** Who wrote a note. */
export function renderAuthor({ author }: OperatorNote) {
  return { user_id: author.userId, display: author.display, auth_method: author.authMethod };
}

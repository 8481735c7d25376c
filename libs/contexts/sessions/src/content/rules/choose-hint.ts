import { findTitleHint, hasPersonWords } from '../../titles/rules/session-title.ts';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import type { SessionContentEntry } from './content-kinds.ts';
import type { RenderedEntry } from './render-entry.ts';

interface Sent {
  readonly entry: SessionContentEntry;
  readonly rendered: RenderedEntry | undefined;
}

interface Stored extends Sent {
  readonly content: { readonly occurredAt: Date };
}

export interface HintChange {
  /** Words for the title; null if the stored words are not changed. */
  readonly titleHint: string | null;
  readonly isHintCopied: boolean;
}

/**
 * Chooses the words for a session's title from new content if the session has no words of its own yet, or if the
 * content is not later than the session's current start. Content that a fork copied determines the title only until the
 * fork has its own content.
 */
export function chooseHint(
  session: RuntimeSession,
  {
    sent,
    stored,
    own,
  }: { readonly sent: readonly Sent[]; readonly stored: readonly Stored[]; readonly own: readonly Stored[] },
  options: { readonly captureContent: boolean },
): HintChange {
  const isUntitled = !hasPersonWords(session.titleHint);
  const areAllOwn = own.length === stored.length;
  const begins = own.some(({ content }) => content.occurredAt <= session.startedAt);
  if (isUntitled || session.isHintCopied || begins) {
    const titleHint = findFirstHint(isUntitled && areAllOwn ? sent : own, options);
    if (titleHint !== null || !isUntitled || areAllOwn) return { titleHint, isHintCopied: false };
  }
  if (!isUntitled) return { titleHint: null, isHintCopied: false };
  return { titleHint: findFirstHint(stored, options), isHintCopied: true };
}

export function findFirstHint(drafts: readonly Sent[], options: { readonly captureContent: boolean }): string | null {
  for (const { entry, rendered } of drafts) {
    if ('status' in entry && entry.status === 'rewound') continue;
    const hint = rendered?.titleHint === undefined ? findTitleHint([entry], options) : rendered.titleHint;
    if (hint !== null) return hint;
  }
  return null;
}
